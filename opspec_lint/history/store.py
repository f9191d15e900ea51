"""The file of a history: one SQLite database with the revisions, the tags, and the facts with their first and last one.

A fact came with the revision `came`, and went with `went`, NULL for one that still holds: it holds at all revisions
from the first to before the second. Revisions are numbered from 0. Whoever writes locks the file, in transactions of
some revisions: after each, the file is a whole history up to there.
"""

from __future__ import annotations

import os
from contextlib import contextmanager

from opspec_lint.kit import database
from opspec_lint.kit.database import Database, DatabaseKind
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.history.facts import Key

FORMAT = "1"
_SCHEMA = """
CREATE TABLE about(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contract(number INTEGER PRIMARY KEY, source TEXT NOT NULL);
CREATE TABLE revision(
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, date TEXT NOT NULL, subject TEXT NOT NULL,
    pull_request INTEGER
);
CREATE TABLE tag(name TEXT PRIMARY KEY, revision INTEGER NOT NULL, date TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE fact(
    contract INTEGER NOT NULL, op TEXT NOT NULL, section TEXT NOT NULL, argument TEXT NOT NULL, field TEXT NOT NULL,
    came INTEGER NOT NULL, value TEXT NOT NULL, went INTEGER,
    PRIMARY KEY(contract, op, section, argument, field, came)
) WITHOUT ROWID;
CREATE TABLE unread(
    contract INTEGER NOT NULL, revision INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY(contract, revision)
) WITHOUT ROWID;
CREATE TABLE ahead(
    contract INTEGER NOT NULL, id TEXT NOT NULL, turn TEXT NOT NULL, PRIMARY KEY(contract, id)
) WITHOUT ROWID;
"""
TABLES = ("revision", "tag", "fact", "unread", "contract", "about")
_KIND = DatabaseKind(
    id=0x6F706873,
    name="a history",
    schema=_SCHEMA,
    format=FORMAT,
    advice="`opspec-lint history SOURCE --output FILE` builds one",
    damage={
        "the contracts are not numbered from 0": (
            "SELECT 1 WHERE (SELECT count(*) FROM contract) != (SELECT coalesce(max(number), 0) + 1 FROM contract)"
        ),
        "it does not state its source": (
            "SELECT 1 WHERE (SELECT count(*) FROM about WHERE name IN ('source', 'place')) < 2"
        ),
        "a fact of a contract that it does not have": (
            "SELECT 1 FROM fact WHERE contract NOT IN (SELECT number FROM contract)"
            " UNION ALL SELECT 1 FROM unread WHERE contract NOT IN (SELECT number FROM contract)"
        ),
        "a fact of an unknown section": (
            "SELECT 1 FROM fact WHERE section NOT IN "
            "('op', 'input', 'output', 'attr', 'op_version', 'earlier', 'remark', 'spec')"
        ),
        "a value that is not JSON": "SELECT 1 FROM fact WHERE value != '' AND NOT json_valid(value)",
        "a date that is none": (
            "SELECT 1 FROM revision WHERE date NOT GLOB '[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]'"
        ),
    },
)
_MAIN = 0
"""The number of the contract that the source itself has; others are those beside it."""


class Commit(Record):
    """A revision of a history: its number, id, date (of the commit, YYYY-MM-DD), subject and pull request."""

    number: int
    id: str
    date: str
    subject: str
    pull_request: int | None


class Tag(Record):
    """A tag: its name, the number of the last revision that it contains, and its date."""

    name: str
    revision: int
    date: str


class Fact(Record):
    """A fact with the numbers of the revisions with which it came and went; `went` is None if it still holds."""

    contract: int
    op: str
    key: Key
    value: str
    came: int
    went: int | None


class History(Database):
    """An open file of a history."""

    def about(self) -> dict[str, str]:
        """Return the facts about the file as a whole: its source, the folder, the build."""
        return dict(self.all("SELECT name, value FROM about"))

    def contracts(self) -> list[str]:
        """Return the sources whose contracts the file has, that of the history itself first."""
        return [source for (source,) in self.all("SELECT source FROM contract ORDER BY number")]

    def last(self) -> Commit | None:
        """Return the last revision, None where there is none yet."""
        return self._commit("ORDER BY number DESC LIMIT 1")

    def first(self) -> Commit | None:
        """Return the first revision, None where there is none yet."""
        return self._commit("ORDER BY number LIMIT 1")

    def numbered(self, number: int) -> Commit:
        """Return the revision of a number."""
        found = self._commit("WHERE number = ?", number)
        if found is None:
            raise InputError(self.file, f"has no revision {number}", advice="it is damaged: build it anew")
        return found

    def with_id(self, identity: str) -> Commit | None:
        """Return the revision of an id, None if the history does not have it."""
        return self._commit("WHERE id = ?", identity)

    def numbers(self) -> dict[str, int]:
        """Return the numbers of all revisions by their ids, oldest first."""
        return dict(self.all("SELECT id, number FROM revision ORDER BY number"))

    def tags(self) -> list[Tag]:
        """Return the tags, oldest first."""
        rows = self.all("SELECT name, revision, date FROM tag ORDER BY date, name")
        return [Tag(name=name, revision=revision, date=date) for name, revision, date in rows]

    def commit(self, revision: str) -> Commit:
        """Return the revision that a text names: an id or the beginning of one, or a tag; `~N` and `^` go back.

        Raises:
            InputError: the history has no such revision.
        """
        name = revision.rstrip("^")
        steps = len(revision) - len(name)
        name, tilde, count = name.partition("~")
        if tilde:
            steps += int(count) if count.isdecimal() else 1
        found = self._named(name)
        if found is not None and steps:
            found = self._commit("WHERE number = ?", found.number - steps)
        if found is None:
            first, last = self.first(), self.last()
            range_ = "" if first is None or last is None else f"it goes from {first.id[:10]} to {last.id[:10]}"
            raise InputError(self.file, f"has no revision {revision!r}", advice=range_)
        return found

    def _named(self, name: str) -> Commit | None:
        if name in ("HEAD", ""):
            return self.last()
        tagged = self.all("SELECT revision FROM tag WHERE name = ?", name)
        if tagged:
            return self._commit("WHERE number = ?", tagged[0][0])
        if len(name) < 4 or not name.isalnum():
            return None
        found = self.all("SELECT * FROM revision WHERE id >= ? AND id < ? LIMIT 2", name, f"{name}g")
        return _commit(found[0]) if len(found) == 1 else None

    def facts(self, number: int, contract: int = _MAIN, op: str | None = None) -> Iterator[Fact]:
        """Yield the facts that hold at a revision: of a contract, or of one op of it."""
        of_op, values = ("", ()) if op is None else (" AND op = ?", (op,))
        where = f"WHERE contract = ? AND came <= ? AND (went IS NULL OR went > ?){of_op}"
        return self._facts(where, contract, number, number, *values)

    def facts_of(self, op: str, contract: int = _MAIN) -> Iterator[Fact]:
        """Yield all facts that ever held of an op."""
        return self._facts("WHERE contract = ? AND op = ?", contract, op)

    def turns(self, after: int, upto: int) -> Iterator[Fact]:
        """Yield the facts of all contracts that came or went behind one revision, up to another."""
        where = "WHERE (came > ? AND came <= ?) OR (went > ? AND went <= ?)"
        return self._facts(where, after, upto, after, upto)

    def ops(self) -> list[str]:
        """Return the names of all ops that there ever were."""
        return [op for (op,) in self.all("SELECT DISTINCT op FROM fact WHERE contract = ? AND section = 'op'", _MAIN)]

    def births(self) -> dict[str, str]:
        """Return the date on which each op came that still exists."""
        joined = "FROM fact JOIN revision ON revision.number = came WHERE contract = ? AND went IS NULL"
        exists = "section = 'op' AND argument = '' AND field = ''"
        return dict(self.all(f"SELECT op, date {joined} AND {exists}", _MAIN))

    def unread(self, number: int, contract: int = _MAIN) -> str | None:
        """Return why a contract could not be read at a revision, None if it was."""
        found = self.all("SELECT reason FROM unread WHERE contract = ? AND revision = ?", contract, number)
        return found[0][0] if found else None

    def unread_between(self, after: int, upto: int) -> list[tuple[int, int, str]]:
        """Return contract, revision and reason of what could not be read behind one revision, up to another."""
        where = "WHERE revision > ? AND revision <= ? ORDER BY contract, revision"
        return self.all(f"SELECT contract, revision, reason FROM unread {where}", after, upto)  # noqa: S608

    def table(self, name: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Return the columns and the rows of one of `TABLES`."""
        cursor = self._run(f"SELECT * FROM {name}")  # noqa: S608 - one of our own names
        return [each[0] for each in cursor.description], iter(cursor)

    def _facts(self, where: str, *values: Any) -> Iterator[Fact]:
        columns = "contract, op, section, argument, field, value, came, went"
        for contract, op, *key, value, came, went in self.stream(f"SELECT {columns} FROM fact {where}", *values):  # noqa: S608
            if not isinstance(op, str):
                raise TypeError("the name of an op is no text")  # the file is damaged
            section, argument, field = key
            yield Fact(contract=contract, op=op, key=(section, argument, field), value=value, came=came, went=went)

    def _commit(self, where: str, *values: Any) -> Commit | None:
        found = self.all(f"SELECT * FROM revision {where}", *values)  # noqa: S608 - our own words
        return _commit(found[0]) if found else None


class Writer(History):
    """A history that is being written: what is said to it counts from the next `save` on."""

    def begin(self) -> None:
        """Begin a transaction, in which nobody else may write.

        Raises:
            InputError: another process writes.
        """
        self._run("BEGIN IMMEDIATE")

    def save(self) -> None:
        """Write what was said, whole."""
        self._run("COMMIT")

    def declare(self, sources: Iterable[str], about: Mapping[str, str]) -> None:
        """Say of a new file what it is the history of."""
        self._many("INSERT INTO contract VALUES(?, ?)", enumerate(sources))
        self._many("INSERT INTO about VALUES(?, ?)", about.items())

    def tell(self, name: str, value: str) -> None:
        """Say something of the file as a whole."""
        self._run("INSERT OR REPLACE INTO about VALUES(?, ?)", name, value)

    def add_commit(self, commit: Commit) -> None:
        """Add a revision."""
        values = commit.number, commit.id, commit.date, commit.subject, commit.pull_request
        self._run("INSERT INTO revision VALUES(?, ?, ?, ?, ?)", *values)

    def add_unread(self, contract: int, number: int, reason: str) -> None:
        """Add that a contract cannot be read at a revision."""
        self._run("INSERT INTO unread VALUES(?, ?, ?)", contract, number, reason)

    def add_turn(self, contract: int, commit: str, turn: str) -> None:
        """Add what a revision turns, before it is its turn."""
        self._run("INSERT OR REPLACE INTO ahead VALUES(?, ?, ?)", contract, commit, turn)

    def turn(self, contract: int, commit: str) -> str | None:
        """Return the turn that was added for a revision, None if there is none."""
        found = self.all("SELECT turn FROM ahead WHERE contract = ? AND id = ?", contract, commit)
        return found[0][0] if found else None

    def ahead(self) -> set[str]:
        """Return the revisions of which it is known what they turn, in every contract."""
        known = "SELECT id FROM ahead GROUP BY id HAVING count(*) = (SELECT count(*) FROM contract)"
        return {commit for (commit,) in self.all(known)}

    def finish(self) -> None:
        """Write what was said, without what is known of revisions that are written by now, and the place it took."""
        has_turns = self.all("SELECT 1 FROM ahead LIMIT 1")
        self._run("DELETE FROM ahead")
        self._run("COMMIT")
        if has_turns:
            self._run("VACUUM")

    def add_facts(self, contract: int, number: int, facts: Iterable[tuple[str, Key, str]]) -> None:
        """Add the facts that come with a revision: op, key and value of each."""
        rows = ((contract, op, *key, number, value) for op, key, value in facts)
        self._many("INSERT INTO fact VALUES(?, ?, ?, ?, ?, ?, ?, NULL)", rows)

    def end_facts(self, contract: int, number: int, facts: Iterable[tuple[str, Key]]) -> None:
        """End the facts that go with a revision."""
        where = "contract = ? AND op = ? AND section = ? AND argument = ? AND field = ? AND went IS NULL"
        self._many(
            f"UPDATE fact SET went = ? WHERE {where}",  # noqa: S608 - our own words
            ((number, contract, op, *key) for op, key in facts),
        )

    def set_tags(self, tags: Iterable[Tag]) -> None:
        """Replace the tags."""
        self._run("DELETE FROM tag")
        self._many("INSERT INTO tag VALUES(?, ?, ?)", ((each.name, each.revision, each.date) for each in tags))

    def forget(self, after: int) -> None:
        """Forget all revisions behind one, and what came and went with them."""
        self._run("DELETE FROM fact WHERE came > ?", after)
        self._run("UPDATE fact SET went = NULL WHERE went > ?", after)
        self._run("DELETE FROM unread WHERE revision > ?", after)
        self._run("DELETE FROM revision WHERE number > ?", after)


@contextmanager
def opened(file: str) -> Iterator[History]:
    """Open a history to read it.

    Raises:
        InputError: there is no such file, or it is none of a history.
    """
    with database.open_to_read(file, _KIND) as connection:
        yield History(file, connection)


@contextmanager
def opened_to_write(file: str) -> Iterator[Writer]:
    """Open a history to build or continue it; the file is made if there is none.

    A new file that gets no revision before an error is removed: an empty history is of no use.

    Raises:
        InputError: the file is none of a history, another process writes it, or it cannot be written.
    """
    is_new = not os.path.lexists(file)
    try:
        with database.open_to_write(file, _KIND) as connection:
            yield Writer(file, connection)
    except BaseException:
        if is_new and _is_empty(file):
            os.remove(file)
        raise


def _is_empty(file: str) -> bool:
    """Return whether a file is that of a history without revisions."""
    try:
        with opened(file) as history:
            return history.last() is None
    except InputError:
        return False


def is_history(file: str) -> bool:
    """Tell whether a file is that of a history, by its first bytes."""
    return database.is_of(file, _KIND)


def _commit(row: tuple[Any, ...]) -> Commit:
    number, identity, date, subject, pull_request = row
    return Commit(number=number, id=identity, date=date, subject=subject, pull_request=pull_request)
