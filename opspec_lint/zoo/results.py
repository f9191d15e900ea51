"""The results file of an audit of many models: an SQLite database that is written while the audit runs.

A model is a path, with the change stamps of all files that its reader accessed. Its content is identified by a hash of
the bytes that the reader used, and kept as a tape (`models/tape.py`). A verdict belongs to a content and a target,
whose keys cover everything that the verdict depends on: an unchanged model is never audited twice. The list of files
and the targets of the current run are temporary tables, which end with the connection.
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
CREATE TEMP TABLE run_target(target INTEGER PRIMARY KEY, place INTEGER NOT NULL);
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
    SELECT 1 FROM temp.run_target WHERE NOT EXISTS(
        SELECT 1 FROM judged WHERE judged.content = content.number AND judged.target = run_target.target))
"""


class ModelVerdict(Record):
    """The stored verdict on a model under a spec, with names in place of numbers; `loader` is None if none applies.

    `is_waived`: waivers accept all findings that keep the verdict from being `loads`.
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
    def row(self) -> decision.VerdictRow:
        """The verdict in the form that determines the exit code."""
        return decision.VerdictRow(
            model=self.model,
            release=self.against,
            loader=self.loader,
            verdict=self.verdict,
            is_waived=self.is_waived,
        )


class Results(Database):
    """An open results file."""

    def __init__(self, file: str, connection: sqlite3.Connection) -> None:
        super().__init__(file, connection)
        self._uses: dict[Use, int] = {}
        self._loaders: tuple[str, ...] = ()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit everything that is written within, or nothing."""
        self._run("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.rollback()
            raise
        self._run("COMMIT")

    # The list of files of a run, and the jobs that are left.

    def begin(self, targets: Sequence[Target], *, is_of_all: bool = False) -> None:
        """Begin a run under some targets; `is_of_all`: they are all known releases."""
        for statement in filter(str.strip, _LIST.split(";")):
            self._run(statement)
        with self._transaction():
            self._run("INSERT OR REPLACE INTO about VALUES('is_of_all', ?)", str(int(is_of_all)))
            run = self._number("SELECT coalesce(max(run), 0) + 1 FROM target")
            for index, target in enumerate(targets):
                # An upsert, as REPLACE would give the target a new number, and its verdicts belong to the old one.
                insert = "INSERT INTO target(key, name, run) VALUES(?, ?, ?) ON CONFLICT(key) DO UPDATE SET run = ?"
                self._run(insert, target.key, target.name, run, run)
                self._run("INSERT INTO temp.run_target SELECT number, ? FROM target WHERE key = ?", index, target.key)

    def begin_all(self) -> None:
        """Begin a run over everything in the file: all models, and of each spec the target of its last run."""
        for statement in filter(str.strip, _LIST.split(";")):
            self._run(statement)
        self._run(
            "INSERT INTO temp.listed(number, path, source, is_named, problem, is_read) "
            "SELECT row_number() OVER (ORDER BY path), path, '', 0, '', 1 FROM model"
        )
        self._run(
            "INSERT INTO temp.run_target(target, place) SELECT number, number FROM target "
            "WHERE (name, run) IN (SELECT name, max(run) FROM target GROUP BY name)"
        )

    def keep_loaders(self, names: Sequence[str]) -> None:
        """Leave out verdicts by other loaders, and models that have no others; without names, nothing is left out."""
        self._loaders = tuple(names)
        if names:
            marks = ", ".join("?" * (len(names) + 1))
            judged = "SELECT path FROM model JOIN verdict ON verdict.content = model.content"
            delete = f"DELETE FROM temp.listed WHERE path NOT IN ({judged} WHERE loader IN ({marks}))"  # noqa: S608 - marks
            self._run(delete, *names, "")

    def keep_targets(self, names: Sequence[str]) -> None:
        """Leave out the specs that are not named; without names, nothing is left out."""
        if names:
            marks = ", ".join("?" * len(names))
            kept = f"SELECT number FROM target WHERE name IN ({marks})"  # noqa: S608 - marks
            self._run(f"DELETE FROM temp.run_target WHERE target NOT IN ({kept})", *names)  # noqa: S608 - marks

    def loaders(self) -> list[str]:
        """Return the names of the loaders that have verdicts under the targets of the run."""
        tables = "temp.run_target CROSS JOIN verdict ON verdict.target = run_target.target"
        query = f"SELECT DISTINCT loader FROM {tables} WHERE loader != '' ORDER BY loader"  # noqa: S608 - no input
        return [name for (name,) in self.all(query)]

    def _is_kept(self, loader: str) -> bool:
        """Return whether verdicts by a loader are shown; a model that cannot be read has one without a loader."""
        return not self._loaders or not loader or loader in self._loaders

    def add_places(self, places: Sequence[Place], is_unchanged: Callable[[Place, dict[str, str]], bool]) -> None:
        """Add files to the list; a file whose stamps are unchanged counts as read."""
        marks = ", ".join("?" * len(places))
        query = f"SELECT path, stamps FROM model WHERE path IN ({marks})"  # noqa: S608 - marks
        known = dict(self.all(query, *(place.path for place in places)))
        rows = []
        for place in places:
            stamps = known.get(place.path)
            is_read = stamps is not None and is_unchanged(place, json.loads(stamps or "{}"))
            rows.append((place.path, place.source, place.is_named, place.problem, is_read))
        # OR IGNORE: two arguments of the command line may name the same file; the first one counts.
        insert = "INSERT OR IGNORE INTO temp.listed(path, source, is_named, problem, is_read) VALUES(?, ?, ?, ?, ?)"
        self._many(insert, rows)

    def formats_left(self) -> list[tuple[str, str]]:
        """Return the (format, framework) pairs of listed models that lack a verdict."""
        return self.all(f"SELECT DISTINCT format, framework {_TODO} AND format != 'unreadable'")

    def carry_over_unreadable(self) -> None:
        """Copy the verdicts on unreadable models to all targets: an unreadable model is unreadable under each spec."""
        with self._transaction():
            missing = f"SELECT content.number AS number {_TODO} AND format = 'unreadable'"
            columns = "verdict.content, run_target.target, loader, verdict, reason, failed, findings"
            known = "SELECT min(target) FROM verdict AS known WHERE known.content = verdict.content"
            self._run(
                f"INSERT OR IGNORE INTO verdict SELECT {columns} FROM verdict CROSS JOIN temp.run_target "  # noqa: S608
                f"WHERE verdict.content IN ({missing}) AND verdict.target = ({known})"
            )
            self._run(
                "INSERT OR IGNORE INTO judged SELECT content.number, run_target.target "  # noqa: S608
                "FROM content CROSS JOIN temp.run_target "
                f"WHERE content.number IN ({missing}) "
                "AND EXISTS(SELECT 1 FROM verdict WHERE content = content.number AND target = run_target.target)"
            )

    def skip_targets(self, model_format: str, target_indexes: Sequence[int]) -> None:
        """Record that models of a format have no verdicts under some targets, given by their indexes."""
        with self._transaction():
            for index in target_indexes:
                values = "content.number, (SELECT target FROM temp.run_target WHERE place = ?)"
                self._run(f"INSERT OR IGNORE INTO judged SELECT {values} {_TODO} AND format = ?", index, model_format)

    def counts(self) -> tuple[int, int]:
        """Return the number of listed files, and the number of files that are left to audit."""
        total = self._number("SELECT count(*) FROM temp.listed")
        to_read = self._number("SELECT count(*) FROM temp.listed WHERE NOT is_read")
        return total, to_read + self._number(f"SELECT count(DISTINCT content.number) {_TODO}")

    def _number(self, query: str, *values: Any) -> int:
        """Return the only value of the only row of a query."""
        ((number,),) = self.all(query, *values)
        return int(number)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs that are left: first the models to read, then the contents to judge by their tapes."""
        every = tuple(range(self._number("SELECT count(*) FROM temp.run_target")))
        last = 0
        # Pages by number in place of one cursor: rows are written between two pages, and a cursor would hold a lock.
        while rows := self.all(
            f"SELECT {_LISTED} FROM temp.listed WHERE NOT is_read AND number > ? ORDER BY number LIMIT 500",  # noqa: S608
            last,
        ):
            yield from (Job(place=_place_from_columns(place), targets=every) for _, *place in rows)
            last, *_ = rows[-1]
        yield from self._to_judge()

    def _to_judge(self) -> Iterator[Job]:
        """Yield a job for each content that lacks a verdict for a release of this run, with these releases."""
        places = dict(self.all("SELECT target, place FROM temp.run_target"))
        # A table in place of a subquery: rows that are stored while jobs are yielded must not change what is left.
        self._run("DELETE FROM temp.todo")
        contents = f"SELECT content.number, min(listed.number) {_TODO} GROUP BY content.number"
        self._run(f"INSERT INTO temp.todo {contents}")
        tables = "temp.todo JOIN temp.listed ON listed.number = place JOIN content ON content.number = todo.content"
        query = f"SELECT content, place, {_PLACE}, tape FROM {tables} WHERE content > ? ORDER BY content LIMIT 200"  # noqa: S608
        last = 0
        while rows := self.all(query, last):
            judged: dict[int, set[int]] = {}
            before, (last, *_) = last, rows[-1]
            between = "SELECT content, target FROM judged WHERE content > ? AND content <= ?"
            for content, target in self.all(between, before, last):
                judged.setdefault(content, set()).add(target)
            for content, _, *place, tape in rows:
                left = places.keys() - judged.get(content, set())
                yield Job(
                    place=_place_from_columns(place),
                    targets=tuple(sorted(places[target] for target in left)),
                    tape=tape,
                )

    # The rows of workers, and the summary of what is stored.

    def store_rows(self, rows: Sequence[Row], was_played: Sequence[bool]) -> None:
        """Store the rows of a batch; `was_played` tells for each row whether it was judged by its tape."""
        with self._transaction(), database.sqlite_errors_as_input_errors(self.file):
            targets = dict(self.all("SELECT place, target FROM temp.run_target"))
            verdicts, judged = [], []
            for row, played in zip(rows, was_played, strict=True):
                number = self._stored_content(row) if played and not row.hash else self._store_model(row)
                judged += [(number, targets[index]) for index in row.targets]
                for index, *columns in row.verdicts:
                    verdicts.append((number, targets[index], *columns))
            execute = self._connection.executemany
            execute("INSERT OR REPLACE INTO verdict VALUES(?, ?, ?, ?, ?, ?, ?)", verdicts)
            execute("INSERT OR IGNORE INTO judged VALUES(?, ?)", judged)

    def _stored_content(self, row: Row) -> int:
        cursor = self._connection.execute("SELECT content FROM model WHERE path = ?", (row.place.path,))
        return int(cursor.fetchone()[0])

    def _store_model(self, row: Row) -> int:
        """Store the model of a row, and return the number of its content."""
        path, execute = row.place.path, self._connection.execute
        known = execute("SELECT number FROM content WHERE hash = ?", (row.hash,)).fetchone()
        number = self._store_content(row) if known is None else int(known[0])
        execute("INSERT OR REPLACE INTO model VALUES(?, ?, ?)", (path, number, row.stamps))
        execute("UPDATE temp.listed SET is_read = 1 WHERE path = ?", (path,))
        return number

    def _store_content(self, row: Row) -> int:
        insert = "INSERT INTO content(hash, format, framework, writer, size, tape) VALUES(?, ?, ?, ?, ?, ?)"
        values = row.hash, row.format or ("unreadable" if row.targets else ""), row.framework, row.writer, row.size
        number = self._connection.execute(insert, (*values, row.tape)).lastrowid or 0
        uses = [(number, self._use_number(use)) for use in row.uses]
        self._connection.executemany("INSERT OR IGNORE INTO used VALUES(?, ?)", uses)
        return number

    def _use_number(self, use: Use) -> int:
        """Return the number of the row of a use, which is added if there is none."""
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
        """Delete the models below some folders that are no longer listed."""
        with self._transaction():
            for folder in folders:
                # "0" follows "/" in ASCII: a range of the primary key, where LIKE 'folder/%' would scan the table.
                begin = folder.rstrip("/") + "/"
                self._run(
                    "DELETE FROM model WHERE path >= ? AND path < ? AND path NOT IN (SELECT path FROM temp.listed)",
                    begin,
                    begin[:-1] + "0",
                )

    def count_models(self, frameworks: Sequence[str]) -> int:
        """Return the number of models of some frameworks in the file."""
        marks = ", ".join("?" * len(frameworks))
        models = f"model JOIN content ON number = content WHERE framework IN ({marks})"
        return self._number(f"SELECT count(*) FROM {models}", *frameworks)  # noqa: S608 - marks

    def count_uses(self, frameworks: Sequence[str]) -> dict[tuple[str, str, str], int]:
        """Return the number of models by (op, attr, value) that they use; "" for no attr, or no value."""
        marks = ", ".join("?" * len(frameworks))
        models = "SELECT content, count(*) AS models FROM model GROUP BY content"
        counted = f"SELECT use, sum(models) AS models FROM used JOIN ({models}) USING(content) GROUP BY use"  # noqa: S608
        where = f"use = number WHERE framework IN ({marks})"
        query = f"SELECT op, attr, value, models FROM use JOIN ({counted}) ON {where}"  # noqa: S608 - our words
        return {(op, attr, value): count for op, attr, value, count in self.stream(query, *frameworks)}

    def formats(self) -> dict[str, int]:
        """Return the number of listed models by format; "" counts files that are no models."""
        models = "temp.listed JOIN model USING(path) JOIN content ON content.number = content"
        return dict(self.all(f"SELECT format, count(*) FROM {models} GROUP BY format ORDER BY format"))  # noqa: S608

    def model_verdicts(self) -> Iterator[ModelVerdict]:
        """Yield the verdicts on the listed models under the targets of the run, in the order of the list."""
        # CROSS JOIN makes SQLite keep this order of the tables, so that rows arrive sorted and none has to be buffered.
        query = """
            SELECT listed.path, format, target.name, loader, verdict, reason, failed, findings
            FROM temp.listed CROSS JOIN model ON model.path = listed.path
            CROSS JOIN content ON content.number = model.content
            CROSS JOIN temp.run_target CROSS JOIN target ON target.number = run_target.target
            CROSS JOIN verdict ON verdict.content = model.content AND verdict.target = run_target.target
            ORDER BY listed.number, run_target.place, loader
        """
        for path, model_format, against, loader, verdict, reason, failed, findings in self.stream(query):
            if not self._is_kept(loader):
                continue
            yield ModelVerdict(
                model=path,
                format=model_format,
                against=against,
                loader=loader or None,
                verdict=verdict,
                reason=reason,
                failed=bool(failed),
                findings=findings,
            )

    def rows(self) -> Iterator[decision.VerdictRow]:
        """Yield the verdicts on the listed models in the form that determines the exit code."""
        query = """
            SELECT listed.path, target.name, loader, verdict
            FROM temp.listed CROSS JOIN model ON model.path = listed.path
            CROSS JOIN temp.run_target CROSS JOIN target ON target.number = run_target.target
            CROSS JOIN verdict ON verdict.content = model.content AND verdict.target = run_target.target
            ORDER BY listed.number
        """
        for path, against, loader, verdict in self.stream(query):
            if not self._is_kept(loader):
                continue
            yield decision.VerdictRow(model=path, release=against, loader=loader or None, verdict=verdict)

    def is_of_all(self) -> bool:
        """Return whether the last run was under all known releases, and not under chosen ones."""
        return self.all("SELECT value FROM about WHERE name = 'is_of_all'") == [("1",)]

    def targets(self) -> list[str]:
        """Return the names of the specs of the run."""
        tables = "temp.run_target JOIN target ON target.number = run_target.target"
        query = f"SELECT target.name FROM {tables} ORDER BY run_target.place"  # noqa: S608 - no input
        return [name for (name,) in self.all(query)]


def _place_from_columns(row: Sequence[Any]) -> Place:
    path, source, is_named, problem = row
    return Place(path=path, source=source, is_named=bool(is_named), problem=problem)


@contextmanager
def open_results(file: str) -> Iterator[Results]:
    """Open a results file to read it. Raises InputError if it is missing or not a results file."""
    with database.open_to_read(file, _KIND) as connection:
        yield Results(file, connection)


@contextmanager
def open_results_to_write(file: str) -> Iterator[Results]:
    """Open a results file to add to it, or create it. Raises InputError if it is not one or cannot be written."""
    with database.open_to_write(file, _KIND) as connection:
        yield Results(file, connection)
