"""The file of an audit of many models: one SQLite database, written while the audit runs.

A model is a path, with the stamps of the files that were asked for when it was read. Its content is named by a hash of
the bytes that its reader used, and kept as a tape. A verdict is that of a content under a target: all that it depends
on is in their two keys. What a run is about is a table of its own connection, which ends with it.
"""

from __future__ import annotations

import json
from contextlib import contextmanager

from opspec_lint.kit import database
from opspec_lint.kit.database import Database, DatabaseKind
from opspec_lint.kit.record import Record
from opspec_lint.models import decision
from opspec_lint.zoo.work import Job, Place, Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.zoo.work import Row, Use

_SCHEMA = """
CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE target(number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, run INTEGER NOT NULL);
CREATE TABLE content(
    number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, format TEXT NOT NULL, framework TEXT NOT NULL,
    writer TEXT NOT NULL, size INTEGER NOT NULL, tape BLOB
);
CREATE TABLE model(path TEXT PRIMARY KEY, content INTEGER NOT NULL, stamps TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE judged(content INTEGER NOT NULL, target INTEGER NOT NULL, PRIMARY KEY(content, target)) WITHOUT ROWID;
CREATE TABLE verdict(
    content INTEGER NOT NULL, target INTEGER NOT NULL, loader TEXT NOT NULL, verdict TEXT NOT NULL, reason TEXT,
    failed INTEGER NOT NULL, findings TEXT NOT NULL, PRIMARY KEY(content, target, loader)
) WITHOUT ROWID;
CREATE TABLE use(
    number INTEGER PRIMARY KEY, framework TEXT NOT NULL, op TEXT NOT NULL, attr TEXT NOT NULL, value TEXT NOT NULL,
    UNIQUE(framework, op, attr, value)
);
CREATE TABLE used(content INTEGER NOT NULL, use INTEGER NOT NULL, PRIMARY KEY(content, use)) WITHOUT ROWID;
"""
_KIND = DatabaseKind(
    id=0x6F707A6F,
    name="the results of an audit",
    schema=_SCHEMA,
    format="1",
    advice="`opspec-lint audit PATH --against SPEC --results FILE` makes one",
    wait=60.0,
    damage={
        "findings that are no JSON list": (
            "SELECT 1 FROM verdict WHERE CASE WHEN json_valid(findings) THEN json_type(findings) != 'array' ELSE 1 END"
        ),
        "stamps that are no JSON object": (
            "SELECT 1 FROM model WHERE CASE WHEN json_valid(stamps) THEN json_type(stamps) != 'object' ELSE 1 END"
        ),
    },
)
_LIST = """
CREATE TEMP TABLE listed(
    number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, source TEXT NOT NULL, is_named INTEGER NOT NULL,
    problem TEXT NOT NULL, is_read INTEGER NOT NULL
);
CREATE TEMP TABLE todo(content INTEGER PRIMARY KEY, place INTEGER NOT NULL);
CREATE TEMP TABLE asked(target INTEGER PRIMARY KEY, place INTEGER NOT NULL);
"""
_PLACE = "listed.path, source, is_named, problem"
_USES = 200_000
"""Uses whose numbers are kept in memory."""
_ADD_USE = "INSERT OR IGNORE INTO use(framework, op, attr, value) VALUES(?, ?, ?, ?)"
_FIND_USE = "SELECT number FROM use WHERE framework = ? AND op = ? AND attr = ? AND value = ?"
_LISTED = "number, path, source, is_named, problem"
_TODO = """
FROM temp.listed JOIN model ON model.path = listed.path JOIN content ON content.number = model.content
WHERE is_read AND content.format != '' AND EXISTS(
    SELECT 1 FROM temp.asked WHERE NOT EXISTS(
        SELECT 1 FROM judged WHERE judged.content = content.number AND judged.target = asked.target))
"""


class Told(Record):
    """A verdict in words: of a model, under a spec, by a loader, which is None if none takes it.

    `is_waived` is whether waivers clear all findings that keep it from being `loads`.
    """

    model: str
    format: str
    against: str
    loader: str | None
    verdict: str
    reason: str | None
    failed: bool
    findings: str
    is_waived: bool = False

    @property
    def row(self) -> decision.Row:
        """The verdict as it counts for the exit code."""
        return decision.Row(
            model=self.model,
            release=self.against,
            loader=self.loader,
            verdict=self.verdict,
            is_waived=self.is_waived,
        )


class Results(Database):
    """An open file of results."""

    def __init__(self, file: str, connection: sqlite3.Connection) -> None:
        super().__init__(file, connection)
        self._uses: dict[Use, int] = {}

    @contextmanager
    def _saved(self) -> Iterator[None]:
        """Write all that is written within, or nothing."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise
        self._run("COMMIT")

    # the list of a run

    def begin(self, targets: Sequence[Target], *, is_of_all: bool = False) -> None:
        """Begin a run with some targets; `is_of_all` is whether they are all known releases."""
        for statement in filter(str.strip, _LIST.split(";")):
            self._run(statement)
        with self._saved():
            self._run("INSERT OR REPLACE INTO about VALUES('is_of_all', ?)", str(int(is_of_all)))
            (run,) = self.all("SELECT coalesce(max(run), 0) + 1 FROM target")[0]
            for place, each in enumerate(targets):
                insert = "INSERT INTO target(key, name, run) VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET run = ?"
                self._run(insert, each.key, each.name, run, run)
                self._run("INSERT INTO temp.asked SELECT number, ? FROM target WHERE key = ?", place, each.key)

    def begin_all(self) -> None:
        """Begin to look at all that the file has: its models, and of each spec the target of the last run with it."""
        for statement in filter(str.strip, _LIST.split(";")):
            self._run(statement)
        self._run("INSERT INTO temp.listed SELECT row_number() OVER (ORDER BY path), path, '', 0, '', 1 FROM model")
        latest = "SELECT name, max(run) FROM target GROUP BY name"
        self._run(f"INSERT INTO temp.asked SELECT number, number FROM target WHERE (name, run) IN ({latest})")  # noqa: S608

    def add_places(self, places: Sequence[Place], is_unchanged: Callable[[Place, dict[str, str]], bool]) -> None:
        """Add files to the list; one whose stamps are unchanged is read already."""
        marks = ", ".join("?" * len(places))
        query = f"SELECT path, stamps FROM model WHERE path IN ({marks})"  # noqa: S608 - marks
        known = dict(self.all(query, *(each.path for each in places)))
        rows = []
        for each in places:
            stamps = known.get(each.path)
            is_read = stamps is not None and is_unchanged(each, json.loads(stamps or "{}"))
            rows.append((each.path, each.source, each.is_named, each.problem, is_read))
        insert = "INSERT OR IGNORE INTO temp.listed(path, source, is_named, problem, is_read) VALUES(?, ?, ?, ?, ?)"
        self._many(insert, rows)

    def formats_left(self) -> list[tuple[str, str]]:
        """Return the formats, with their frameworks, of the contents of the list that are to be judged."""
        return self.all(f"SELECT DISTINCT format, framework {_TODO} AND format != 'unreadable'")

    def carry_over_unreadable(self) -> None:
        """Give what cannot be read its verdicts under all targets: they are the same under each."""
        with self._saved():
            missing = f"SELECT content.number AS number {_TODO} AND format = 'unreadable'"
            columns = "verdict.content, asked.target, loader, verdict, reason, failed, findings"
            known = "SELECT min(target) FROM verdict AS known WHERE known.content = verdict.content"
            self._run(
                f"INSERT OR IGNORE INTO verdict SELECT {columns} FROM verdict CROSS JOIN temp.asked "  # noqa: S608
                f"WHERE verdict.content IN ({missing}) AND verdict.target = ({known})"
            )
            self._run(
                "INSERT OR IGNORE INTO judged SELECT content.number, asked.target FROM content CROSS JOIN temp.asked "  # noqa: S608
                f"WHERE content.number IN ({missing}) "
                "AND EXISTS(SELECT 1 FROM verdict WHERE content = content.number AND target = asked.target)"
            )

    def pass_over(self, form: str, places: Sequence[int]) -> None:
        """Note that some targets, by their places, have no verdicts on models of a format."""
        with self._saved():
            for place in places:
                asked = "content.number, (SELECT target FROM temp.asked WHERE place = ?)"
                self._run(f"INSERT OR IGNORE INTO judged SELECT {asked} {_TODO} AND format = ?", place, form)

    def counts(self) -> tuple[int, int]:
        """Return how many files the list has, and how many of them are left to audit."""
        total = self.all("SELECT count(*) FROM temp.listed")[0][0]
        left = self.all("SELECT count(*) FROM temp.listed WHERE NOT is_read")[0][0]
        return total, left + self.all(f"SELECT count(DISTINCT content.number) {_TODO}")[0][0]

    def jobs(self) -> Iterator[Job]:
        """Yield what is left to audit: first the models to read, then the contents to judge by their tapes."""
        every = tuple(range(self.all("SELECT count(*) FROM temp.asked")[0][0]))
        last = 0
        while rows := self.all(
            f"SELECT {_LISTED} FROM temp.listed WHERE NOT is_read AND number > ? ORDER BY number LIMIT 500",  # noqa: S608
            last,
        ):
            yield from (Job(place=_place(place), targets=every) for _, *place in rows)
            last = rows[-1][0]
        yield from self._to_judge()

    def _to_judge(self) -> Iterator[Job]:
        places = dict(self.all("SELECT target, place FROM temp.asked"))
        self._run("DELETE FROM temp.todo")
        contents = f"SELECT content.number, min(listed.number) {_TODO} GROUP BY content.number"
        self._run(f"INSERT INTO temp.todo {contents}")
        tables = "temp.todo JOIN temp.listed ON listed.number = place JOIN content ON content.number = todo.content"
        query = f"SELECT content, place, {_PLACE}, tape FROM {tables} WHERE content > ? ORDER BY content LIMIT 200"  # noqa: S608
        last = 0
        while rows := self.all(query, last):
            judged: dict[int, set[int]] = {}
            between = "SELECT content, target FROM judged WHERE content > ? AND content <= ?"
            for content, target in self.all(between, last, rows[-1][0]):
                judged.setdefault(content, set()).add(target)
            for content, _, *place, tape in rows:
                left = places.keys() - judged.get(content, set())
                yield Job(place=_place(place), targets=tuple(sorted(places[each] for each in left)), tape=tape)
            last = rows[-1][0]

    # what was found

    def keep(self, rows: Sequence[Row], was_played: Sequence[bool]) -> None:
        """Write the rows of a batch; `was_played` tells of each whether it was judged by its tape."""
        with self._saved(), database.sqlite_errors_as_input_errors(self.file):
            targets = dict(self.all("SELECT place, target FROM temp.asked"))
            verdicts, judged = [], []
            for row, played in zip(rows, was_played, strict=True):
                number = self._played(row) if played and not row.hash else self._model(row)
                judged += [(number, targets[each]) for each in row.targets]
                verdicts += [(number, targets[each.target], *each[1:]) for each in row.verdicts]
            execute = self._connection.executemany
            execute("INSERT OR REPLACE INTO verdict VALUES(?, ?, ?, ?, ?, ?, ?)", verdicts)
            execute("INSERT OR IGNORE INTO judged VALUES(?, ?)", judged)

    def _played(self, row: Row) -> int:
        found = self._connection.execute("SELECT content FROM model WHERE path = ?", (row.place.path,))
        return int(found.fetchone()[0])

    def _model(self, row: Row) -> int:
        """Write the model of a row, and return the number of its content."""
        path, execute = row.place.path, self._connection.execute
        known = execute("SELECT number FROM content WHERE hash = ?", (row.hash,)).fetchone()
        number = self._content(row) if known is None else int(known[0])
        execute("INSERT OR REPLACE INTO model VALUES(?, ?, ?)", (path, number, row.stamps))
        execute("UPDATE temp.listed SET is_read = 1 WHERE path = ?", (path,))
        return number

    def _content(self, row: Row) -> int:
        insert = "INSERT INTO content(hash, format, framework, writer, size, tape) VALUES(?, ?, ?, ?, ?, ?)"
        values = row.hash, row.format or ("unreadable" if row.targets else ""), row.framework, row.writer, row.size
        number = self._connection.execute(insert, (*values, row.tape)).lastrowid or 0
        uses = [(number, self._number_of(each)) for each in row.uses]
        self._connection.executemany("INSERT OR IGNORE INTO used VALUES(?, ?)", uses)
        return number

    def _number_of(self, use: Use) -> int:
        known = self._uses.get(use)
        if known is None:
            if len(self._uses) >= _USES:
                self._uses.clear()
            added = self._connection.execute(_ADD_USE, use)
            is_new, number = added.rowcount == 1, added.lastrowid
            known = number if is_new and number else int(self._connection.execute(_FIND_USE, use).fetchone()[0])
            self._uses[use] = known
        return known

    def forget_missing(self, folders: Iterable[str]) -> None:
        """Forget the models below some folders that are no longer listed."""
        with self._saved():
            for folder in folders:
                begin = folder.rstrip("/") + "/"
                self._run(
                    "DELETE FROM model WHERE path >= ? AND path < ? AND path NOT IN (SELECT path FROM temp.listed)",
                    begin,
                    begin[:-1] + "0",
                )

    def count_models(self, frameworks: Sequence[str]) -> int:
        """Return how many models of some frameworks the file has."""
        marks = ", ".join("?" * len(frameworks))
        models = f"model JOIN content ON number = content WHERE framework IN ({marks})"
        return int(self.all(f"SELECT count(*) FROM {models}", *frameworks)[0][0])  # noqa: S608 - marks

    def count_uses(self, frameworks: Sequence[str]) -> dict[tuple[str, str, str], int]:
        """Return how many models of some frameworks use which op, attr and value, "" for what is none."""
        marks = ", ".join("?" * len(frameworks))
        models = "SELECT content, count(*) AS models FROM model GROUP BY content"
        counted = f"SELECT use, sum(models) AS models FROM used JOIN ({models}) USING(content) GROUP BY use"  # noqa: S608
        where = f"use = number WHERE framework IN ({marks})"
        query = f"SELECT op, attr, value, models FROM use JOIN ({counted}) ON {where}"  # noqa: S608 - our words
        return {(op, attr, value): count for op, attr, value, count in self.stream(query, *frameworks)}

    def formats(self) -> dict[str, int]:
        """Return how many models of the list have each format, "" for files that are no models."""
        models = "temp.listed JOIN model USING(path) JOIN content ON content.number = content"
        return dict(self.all(f"SELECT format, count(*) FROM {models} GROUP BY format ORDER BY format"))  # noqa: S608

    def told(self) -> Iterator[Told]:
        """Yield the verdicts of the models of the list under the targets of the run, in their order."""
        query = """
            SELECT listed.path, format, target.name, loader, verdict, reason, failed, findings
            FROM temp.listed CROSS JOIN model ON model.path = listed.path
            CROSS JOIN content ON content.number = model.content
            CROSS JOIN temp.asked CROSS JOIN target ON target.number = asked.target
            CROSS JOIN verdict ON verdict.content = model.content AND verdict.target = asked.target
            ORDER BY listed.number, asked.place, loader
        """
        for path, form, against, loader, verdict, reason, failed, findings in self.stream(query):
            yield Told(
                model=path,
                format=form,
                against=against,
                loader=loader or None,
                verdict=verdict,
                reason=reason,
                failed=bool(failed),
                findings=findings,
            )

    def rows(self) -> Iterator[decision.Row]:
        """Yield the verdicts of the list under the targets of the run as they count for the exit code."""
        query = """
            SELECT listed.path, target.name, loader, verdict
            FROM temp.listed CROSS JOIN model ON model.path = listed.path
            CROSS JOIN temp.asked CROSS JOIN target ON target.number = asked.target
            CROSS JOIN verdict ON verdict.content = model.content AND verdict.target = asked.target
            ORDER BY listed.number
        """
        for path, against, loader, verdict in self.stream(query):
            yield decision.Row(model=path, release=against, loader=loader or None, verdict=verdict)

    def is_of_all(self) -> bool:
        """Tell whether the last run was about all known releases, and none in particular."""
        return self.all("SELECT value FROM about WHERE name = 'is_of_all'") == [("1",)]

    def targets(self) -> list[str]:
        """Return the names of the specs of the run."""
        query = "SELECT target.name FROM temp.asked JOIN target ON target.number = asked.target ORDER BY asked.place"
        return [name for (name,) in self.all(query)]


def _place(row: Sequence[Any]) -> Place:
    path, source, is_named, problem = row
    return Place(path=path, source=source, is_named=bool(is_named), problem=problem)


@contextmanager
def opened(file: str) -> Iterator[Results]:
    """Open results to read them.

    Raises:
        InputError: there is no such file, or it is none of results.
    """
    with database.open_to_read(file, _KIND) as connection:
        yield Results(file, connection)


@contextmanager
def opened_to_write(file: str) -> Iterator[Results]:
    """Open results to add to them; the file is made if there is none.

    Raises:
        InputError: the file is none of results, or it cannot be written.
    """
    with database.open_to_write(file, _KIND) as connection:
        yield Results(file, connection)
