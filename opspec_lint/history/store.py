"""The history file: an SQLite database with revisions, tags, and facts with the revisions that added and ended them.

A fact was added by revision `came` and ended by revision `went`, NULL if it still holds: it holds at all revisions from
`came` to before `went`. Revisions are numbered from 0. A writer locks the file in transactions of some revisions: after
each transaction, the file is a complete history up to that revision.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from types import MappingProxyType

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
REVISIONS = "revisions"
"""The property of a history that lacks revisions: the number of revisions of the source that it is made of."""
_MAIN = 0
"""The number of the contract of the source itself; other numbers are related contracts."""


class Commit(Record):
    """A revision of a history: its number, id, committer date as YYYY-MM-DD, subject and pull request."""

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
    """A fact with the revisions that added it (`came`) and ended it (`went`, None if it still holds)."""

    contract: int
    op: str
    key: Key
    value: str
    came: int
    went: int | None


class History(Database):
    """An open history file.

    `names` are the ids of revisions by further names, such as branches of the repository.
    """

    names: Mapping[str, str] = MappingProxyType({})

    def about(self) -> dict[str, str]:
        """Return the properties of the history: its source, the folder, the version of the program."""
        return dict(self.all("SELECT name, value FROM about"))

    def contracts(self) -> list[str]:
        """Return the sources of the contracts, the source of the history itself first."""
        return [source for (source,) in self.all("SELECT source FROM contract ORDER BY number")]

    def last(self) -> Commit | None:
        """Return the last revision, None if there is none yet."""
        return self._commit("ORDER BY number DESC LIMIT 1")

    def total(self) -> int | None:
        """Return the number of revisions of the source; None: the history has every revision."""
        number = self.about().get(REVISIONS, "")
        return int(number) if number.isdecimal() else None

    def first(self) -> Commit | None:
        """Return the first revision, None if there is none yet."""
        return self._commit("ORDER BY number LIMIT 1")

    def commit_at(self, number: int) -> Commit:
        """Return the revision with a number. Raises InputError if there is none: the file is damaged."""
        commit = self._commit("WHERE number = ?", number)
        if commit is None:
            raise InputError(self.file, f"has no revision {number}", advice="it is damaged: build it anew")
        return commit

    def commit_with_id(self, identity: str) -> Commit | None:
        """Return the revision with an id, None if the history does not have it."""
        return self._commit("WHERE id = ?", identity)

    def numbers(self) -> dict[str, int]:
        """Return the numbers of all revisions by their ids, oldest first."""
        return dict(self.all("SELECT id, number FROM revision ORDER BY number"))

    def tags(self) -> list[Tag]:
        """Return the tags, oldest first."""
        rows = self.all("SELECT name, revision, date FROM tag ORDER BY date, name")
        return [Tag(name=name, revision=revision, date=date) for name, revision, date in rows]

    def commit(self, revision: str) -> Commit:
        """Return the revision for a text: an id or its beginning, a tag, or HEAD, with `~N` or `^` for ancestors.

        Raises InputError if the history has no such revision.
        """
        known = self.names.get(revision)
        if known is not None and (commit := self.commit_with_id(known)) is not None:
            return commit
        name = revision.rstrip("^")
        steps = len(revision) - len(name)
        name, tilde, count = name.partition("~")
        if tilde:
            steps += int(count) if count.isdecimal() else 1
        commit = self._find_commit(name)
        if commit is not None and steps:
            commit = self._commit("WHERE number = ?", commit.number - steps)
        if commit is None:
            first, last = self.first(), self.last()
            range_ = "" if first is None or last is None else f"it goes from {first.id[:10]} to {last.id[:10]}"
            raise InputError(self.file, f"has no revision {revision!r}", advice=range_)
        return commit

    def _find_commit(self, name: str) -> Commit | None:
        """Return the commit of a tag, `HEAD` or the beginning of an id; None if there is none, or are several."""
        if name in ("HEAD", ""):
            return self.last()
        tagged = self.all("SELECT revision FROM tag WHERE name = ?", name)
        if tagged:
            return self._commit("WHERE number = ?", tagged[0][0])
        if len(name) < 4 or not name.isalnum():
            return None
        # "g" sorts after all hexadecimal digits, so this is the range of ids with that beginning.
        rows = self.all("SELECT * FROM revision WHERE id >= ? AND id < ? LIMIT 2", name, f"{name}g")
        return _commit(rows[0]) if len(rows) == 1 else None

    def facts(self, number: int, contract: int = _MAIN, op: str | None = None) -> Iterator[Fact]:
        """Yield the facts that hold at a revision, of a whole contract or of one op."""
        of_op, values = ("", ()) if op is None else (" AND op = ?", (op,))
        where = f"WHERE contract = ? AND came <= ? AND (went IS NULL OR went > ?){of_op}"
        return self._facts(where, contract, number, number, *values)

    def facts_of(self, op: str, contract: int = _MAIN) -> Iterator[Fact]:
        """Yield all facts on an op, past and present."""
        return self._facts("WHERE contract = ? AND op = ?", contract, op)

    def facts_changed_between(self, after: int, upto: int) -> Iterator[Fact]:
        """Yield the facts of all contracts that were added or ended after revision `after`, up to `upto`."""
        where = "WHERE (came > ? AND came <= ?) OR (went > ? AND went <= ?)"
        return self._facts(where, after, upto, after, upto)

    def ops(self) -> list[str]:
        """Return the names of all ops, past and present."""
        return [op for (op,) in self.all("SELECT DISTINCT op FROM fact WHERE contract = ? AND section = 'op'", _MAIN)]

    def births(self) -> dict[str, str]:
        """Return the date of the revision that added each present op."""
        joined = "FROM fact JOIN revision ON revision.number = came WHERE contract = ? AND went IS NULL"
        exists = "section = 'op' AND argument = '' AND field = ''"
        return dict(self.all(f"SELECT op, date {joined} AND {exists}", _MAIN))

    def unread(self, number: int, contract: int = _MAIN) -> str | None:
        """Return the reason why a contract could not be read at a revision, None if it was read."""
        rows = self.all("SELECT reason FROM unread WHERE contract = ? AND revision = ?", contract, number)
        return rows[0][0] if rows else None

    def unread_rows(self, after: int, upto: int) -> list[tuple[int, int, str]]:
        """Return (contract, revision, reason) of unread revisions after `after`, up to `upto`."""
        where = "WHERE revision > ? AND revision <= ? ORDER BY contract, revision"
        return self.all(f"SELECT contract, revision, reason FROM unread {where}", after, upto)  # noqa: S608

    def table(self, name: str) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
        """Return the columns and rows of one of `TABLES`."""
        cursor = self._run(f"SELECT * FROM {name}")  # noqa: S608 - one of our own names
        return [column[0] for column in cursor.description], iter(cursor)

    def _facts(self, where: str, *values: Any) -> Iterator[Fact]:
        columns = "contract, op, section, argument, field, value, came, went"
        for contract, op, *key, value, came, went in self.stream(f"SELECT {columns} FROM fact {where}", *values):  # noqa: S608
            if not isinstance(op, str):
                raise TypeError("the name of an op is no text")  # the file is damaged
            section, argument, field = key
            yield Fact(contract=contract, op=op, key=(section, argument, field), value=value, came=came, went=went)

    def _commit(self, where: str, *values: Any) -> Commit | None:
        rows = self.all(f"SELECT * FROM revision {where}", *values)  # noqa: S608 - our own words
        return _commit(rows[0]) if rows else None


class Writer(History):
    """A history file open for writing; changes take effect with the next `save`."""

    def begin(self) -> None:
        """Begin a transaction. Raises InputError if another process writes the file."""
        self._run("BEGIN IMMEDIATE")

    def save(self) -> None:
        """Commit the transaction."""
        self._run("COMMIT")

    def declare(self, sources: Iterable[str], properties: Mapping[str, str]) -> None:
        """Write the contracts and properties of a new file."""
        self._many("INSERT INTO contract VALUES(?, ?)", enumerate(sources))
        self._many("INSERT INTO about VALUES(?, ?)", properties.items())

    def set_property(self, name: str, value: str) -> None:
        """Set a property of the history as a whole."""
        self._run("INSERT OR REPLACE INTO about VALUES(?, ?)", name, value)

    def add_commit(self, commit: Commit) -> None:
        """Add a revision."""
        values = commit.number, commit.id, commit.date, commit.subject, commit.pull_request
        self._run("INSERT INTO revision VALUES(?, ?, ?, ?, ?)", *values)

    def add_unread(self, contract: int, number: int, reason: str) -> None:
        """Record that a contract could not be read at a revision."""
        self._run("INSERT INTO unread VALUES(?, ?, ?)", contract, number, reason)

    def add_read_ahead(self, contract: int, commit: str, change: str) -> None:
        """Store the change of a revision that the walk has not reached yet."""
        self._run("INSERT OR REPLACE INTO ahead VALUES(?, ?, ?)", contract, commit, change)

    def read_ahead_change(self, contract: int, commit: str) -> str | None:
        """Return the change that was stored ahead for a revision, None if there is none."""
        rows = self.all("SELECT turn FROM ahead WHERE contract = ? AND id = ?", contract, commit)
        return rows[0][0] if rows else None

    def commits_read_ahead(self) -> set[str]:
        """Return the revisions whose changes are stored ahead for every contract."""
        known = "SELECT id FROM ahead GROUP BY id HAVING count(*) = (SELECT count(*) FROM contract)"
        return {commit for (commit,) in self.all(known)}

    def finish(self) -> None:
        """Commit the transaction, without the changes stored ahead, and shrink the file."""
        has_turns = self.all("SELECT 1 FROM ahead LIMIT 1")
        self._run("DELETE FROM ahead")
        self._run("COMMIT")
        if has_turns:
            # SQLite keeps freed pages in the file otherwise, and changes read ahead may be larger than the history.
            self._run("VACUUM")

    def add_facts(self, contract: int, number: int, facts: Iterable[tuple[str, Key, str]]) -> None:
        """Add the facts (op, key, value) that begin with a revision."""
        rows = ((contract, op, *key, number, value) for op, key, value in facts)
        self._many("INSERT INTO fact VALUES(?, ?, ?, ?, ?, ?, ?, NULL)", rows)

    def end_facts(self, contract: int, number: int, facts: Iterable[tuple[str, Key]]) -> None:
        """End the facts that no longer hold from a revision on."""
        where = "contract = ? AND op = ? AND section = ? AND argument = ? AND field = ? AND went IS NULL"
        self._many(
            f"UPDATE fact SET went = ? WHERE {where}",  # noqa: S608 - our own words
            ((number, contract, op, *key) for op, key in facts),
        )

    def set_tags(self, tags: Iterable[Tag]) -> None:
        """Replace all tags."""
        self._run("DELETE FROM tag")
        self._many("INSERT INTO tag VALUES(?, ?, ?)", ((tag.name, tag.revision, tag.date) for tag in tags))

    def forget(self, after: int) -> None:
        """Delete all revisions after a number, and undo the changes of facts by them."""
        # Delete first: a fact that was added and ended after the number must not be reopened by the update.
        self._run("DELETE FROM fact WHERE came > ?", after)
        self._run("UPDATE fact SET went = NULL WHERE went > ?", after)
        self._run("DELETE FROM unread WHERE revision > ?", after)
        self._run("DELETE FROM revision WHERE number > ?", after)


@contextmanager
def open_history(file: str) -> Iterator[History]:
    """Open a history to read it. Raises InputError if there is no such file, or it is no history."""
    with database.open_to_read(file, _KIND) as connection:
        yield History(file, connection)


@contextmanager
def open_history_to_write(file: str) -> Iterator[Writer]:
    """Open a history to build or continue it; the file is created if there is none.

    A new file without revisions is removed after an error: an empty history is of no use. Raises InputError if the file
    is no history, if another process writes it, or if it cannot be written.
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
    """Return whether a file is a history without revisions."""
    try:
        with open_history(file) as history:
            return history.last() is None
    except InputError:
        return False


def is_history(file: str) -> bool:
    """Return whether a file is a history, by its first bytes."""
    return database.is_of(file, _KIND)


def _commit(row: tuple[Any, ...]) -> Commit:
    number, identity, date, subject, pull_request = row
    return Commit(number=number, id=identity, date=date, subject=subject, pull_request=pull_request)
