"""Files that are one SQLite database each: opened, checked, and locked only while they are written.

Writers use transactions: after each, the file is complete, even if the process is killed.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, contextmanager

from opspec_lint.kit.errors import InputError, OpspecError, UsageError
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any


_ANEW = "delete it, and build it again"
_MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite database."""
_LONGEST = 128 << 20
"""Bytes of the longest value."""


class DatabaseKind(Record):
    """A kind of database file.

    `id` is the application id, which distinguishes the file from other databases, `name` its name in messages ("a
    history"). `schema` are its tables, including `about(name, value)`, `format` their version. `advice` explains how
    such a file is made, `wait` are the seconds to wait for another process that writes.
    `damage` describes content that the tables accept and no writer of ours makes: a query for each kind, which
    returns rows of a damaged file only.
    """

    id: int
    name: str
    schema: str
    format: str
    advice: str
    wait: float = 2.0
    damage: Mapping[str, str] = {}


class Database:
    """An open database file. An error of SQLite becomes an InputError that names the file.

    Args:
        file: its path, for messages.
        connection: the connection.
    """

    def __init__(self, file: str, connection: sqlite3.Connection) -> None:
        self.file = file
        self._connection = connection

    def all(self, statement: str, *values: Any) -> list[Any]:
        """Return the rows of a query."""
        with sqlite_errors_as_input_errors(self.file):
            return self._connection.execute(statement, values).fetchall()

    def stream(self, statement: str, *values: Any) -> Iterator[Any]:
        """Yield the rows of a query, some at a time."""
        with sqlite_errors_as_input_errors(self.file):
            cursor = self._connection.execute(statement, values)
            while rows := cursor.fetchmany(500):
                yield from rows

    def _run(self, statement: str, *values: Any) -> sqlite3.Cursor:
        with sqlite_errors_as_input_errors(self.file):
            return self._connection.execute(statement, values)

    def _many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        with sqlite_errors_as_input_errors(self.file):
            self._connection.executemany(statement, rows)


@contextmanager
def open_to_read(file: str, kind: DatabaseKind) -> Iterator[sqlite3.Connection]:
    """Open a file to read it.

    Raises:
        InputError: there is no such file, or it is of another kind.
    """
    if not os.path.isfile(file):
        raise InputError(file, "there is no such file", advice=kind.advice)
    from urllib.parse import quote

    with sqlite_errors_as_input_errors(file):
        address = f"file:{quote(os.path.abspath(file))}?mode=ro"
        database = sqlite3.connect(address, uri=True, timeout=kind.wait, isolation_level=None)
    with closing(database):
        _limit_lengths(database)
        _check(file, database, kind)
        with _damage_as_input_error(file, database, kind):
            yield database


@contextmanager
def open_to_write(file: str, kind: DatabaseKind) -> Iterator[sqlite3.Connection]:
    """Open a file to write it; create it if there is none.

    Raises:
        InputError: the file is of another kind, another process writes it, or it cannot be written.
    """
    if os.path.lexists(file) and not os.path.isfile(file):
        raise UsageError(f"{file} is no file", advice=f"name a file for {kind.name}")
    if os.path.isfile(file) and os.path.getsize(file) and not is_of(file, kind):
        raise InputError(file, f"exists, and is not the file of {kind.name}", advice="name another file")
    with sqlite_errors_as_input_errors(file):
        database = sqlite3.connect(file, timeout=kind.wait, isolation_level=None)
    with closing(database):
        with sqlite_errors_as_input_errors(file):
            # Faster than FULL. Damage by a power failure is found on reading, and the file can be made again.
            database.execute("PRAGMA synchronous = NORMAL")
            # The lock is taken before the schema is looked for: two processes must not both create it.
            database.execute("BEGIN IMMEDIATE")
            if not database.execute("PRAGMA application_id").fetchone()[0]:
                for statement in filter(str.strip, kind.schema.split(";")):
                    database.execute(statement)
                database.execute(f"PRAGMA application_id = {kind.id}")
                database.execute("INSERT INTO about VALUES('format', ?)", (kind.format,))
            database.execute("COMMIT")
        _limit_lengths(database)
        _check(file, database, kind)
        with _damage_as_input_error(file, database, kind):
            yield database


def is_of(file: str, kind: DatabaseKind) -> bool:
    """Return whether a file is of a kind, by its first bytes."""
    # Bytes 68 to 71 of the header are the application id (https://sqlite.org/fileformat.html).
    header = _header(file)
    return header.startswith(_MAGIC) and header[68:72] == kind.id.to_bytes(4, "big")


def is_sqlite(file: str) -> bool:
    """Return whether a file is an SQLite database of any kind, by its first bytes."""
    return _header(file).startswith(_MAGIC)


def _header(file: str) -> bytes:
    """Return the first 72 bytes of a file, b"" if it cannot be read."""
    try:
        with open(file, "rb") as stream:
            return stream.read(72)
    except OSError:
        return b""


def _check(file: str, database: sqlite3.Connection, kind: DatabaseKind) -> None:
    """Raise InputError unless a database has exactly the tables of its kind: a view or trigger would run code."""
    with sqlite_errors_as_input_errors(file):
        application_id = database.execute("PRAGMA application_id").fetchone()[0]
        declared = {sql.strip() for (sql,) in database.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
        is_expected = application_id == kind.id and declared == {
            statement.strip() for statement in kind.schema.split(";") if statement.strip()
        }
        # An unexpected database may have no such table.
        version = dict(database.execute("SELECT name, value FROM about")).get("format") if is_expected else None
    if version != kind.format:
        problem = f"is of version {version} of the format" if version else f"is not the file of {kind.name}"
        raise InputError(file, problem, advice=kind.advice)


def _limit_lengths(database: sqlite3.Connection) -> None:
    """Refuse values that no writer of ours makes, before SQLite takes memory for them."""
    if sys.version_info >= (3, 11):
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)


@contextmanager
def _damage_as_input_error(file: str, database: sqlite3.Connection, kind: DatabaseKind) -> Iterator[None]:
    """Turn an error that the content of a damaged file causes into an InputError.

    SQLite stores values of any type in a column, so the code that uses them may fail in many ways. The content is
    looked through only then, as that takes time; if nothing is wrong with it, the error is ours.
    """
    try:
        yield
    except OpspecError:
        raise
    except (sqlite3.Error, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        damage = _damage(database, kind)
        if damage is None:
            raise
        raise InputError(file, f"is damaged: {damage}", advice=_ANEW) from error


def _damage(database: sqlite3.Connection, kind: DatabaseKind) -> str | None:
    """Return what is wrong with the content of a file, None for nothing."""
    try:
        (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            return str(verdict)
        for (table,) in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        ).fetchall():
            for _, column, declared, is_required, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
                types = f"'{declared.lower()}'" if is_required else f"'{declared.lower()}', 'null'"
                query = f"SELECT 1 FROM {table} WHERE typeof({column}) NOT IN ({types}) LIMIT 1"  # noqa: S608
                if database.execute(query).fetchone():
                    return f"a value of the wrong type in the column {column} of the table {table}"
        for problem, query in kind.damage.items():
            if database.execute(f"SELECT 1 WHERE EXISTS({query})").fetchone():
                return problem
    except sqlite3.Error as error:
        return str(error)
    return None


@contextmanager
def sqlite_errors_as_input_errors(file: str) -> Iterator[None]:
    """Turn an error of SQLite into an InputError."""
    try:
        yield
    except sqlite3.Error as error:
        problem, advice = _problem(error)
        raise InputError(file, problem, advice=advice) from None
    except UnicodeDecodeError:  # of a damaged page that is part of the schema, or of SQLite's message
        raise InputError(file, "is damaged: a text is not UTF-8", advice=_ANEW) from None


def _problem(error: sqlite3.Error) -> tuple[str, str]:
    """Return the problem and the advice for an error of SQLite, which tells its kinds apart by their texts only."""
    text = str(error)
    if "locked" in text:
        return "another process writes it", "run it again when that has ended; what it wrote is kept"
    if "full" in text or "disk I/O" in text:
        return f"cannot be written: {text}", "make room on the disk and run it again: it goes on where it was"
    if "not a database" in text or "malformed" in text:
        return f"cannot be read: {text}", _ANEW
    if "too big" in text:
        return f"has a value of more than {_LONGEST >> 20} MiB, which no version of opspec-lint writes", _ANEW
    if "decode" in text:
        return "is damaged: a text is not UTF-8", _ANEW
    return f"SQLite says: {text}", "can the file be read and written?"
