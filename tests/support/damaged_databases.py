"""Copies of a SQLite file with damage: rows that are missing, values of other types, and overwritten bytes."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing, suppress

_VALUES = ("x", b"\x00\xff", 10**18)


def damaged_copies(file, copy, pages=10):
    """Write one damaged version of `file` after the other to `copy`, and yield a description of each.

    Args:
        file: the database.
        copy: the path to write to.
        pages: how many versions with overwritten bytes there are.
    """
    with closing(sqlite3.connect(file)) as database:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        columns = {name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")] for name in names}
    statements = [(f"DELETE FROM {table}", ()) for table in columns]  # noqa: S608 - names of our own
    statements += [
        (f"UPDATE OR IGNORE {table} SET {column} = ?", (value,))  # noqa: S608
        for table, of_table in columns.items()
        for column in of_table
        for value in _VALUES
    ]
    for statement, values in statements:
        shutil.copy(file, copy)
        with closing(sqlite3.connect(copy)) as database, suppress(sqlite3.IntegrityError):
            database.execute(statement, values)
            database.commit()
        yield f"{statement} {values}"
    whole = file.read_bytes()
    chance = random.Random(1)  # noqa: S311 - no secret
    for _ in range(pages):
        place = chance.randrange(100, len(whole) - 64)
        copy.write_bytes(whole[:place] + chance.randbytes(64) + whole[place + 64 :])
        yield f"64 bytes at {place}"
