"""The tables of a history in other formats hold what the file holds."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

import pytest

from opspec_lint.history.store import TABLES
from tests.support.histories import build, of_specs
from tests.support.programs import run
from tests.support.projects import FILE


@pytest.fixture
def history(tmp_path, monkeypatch):
    repository, _ = of_specs(tmp_path / "top", ["f(X) -> ()"], ['f(X) -> () [a: STRING = "x, \\"y\\""]'])
    repository.git("tag", "v1")
    monkeypatch.chdir(repository.top)
    build(FILE, "h")
    return Path("h")


def rows(history, table):
    with sqlite3.connect(history) as database:
        return database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608


def test_csv(history):
    ran = run("history", history, "--export", "csv", "tables")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    for table in TABLES:
        with open(f"tables/{table}.csv", encoding="utf-8", newline="") as stream:
            _, *actual = csv.reader(stream)
        assert actual == [["" if item is None else str(item) for item in row] for row in rows(history, table)]


def test_parquet(history):
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `parquet` is not installed")
    assert run("history", FILE, "--output", "h", "--export", "parquet", "tables").code == 0
    for table in TABLES:
        result = parquet.read_table(f"tables/{table}.parquet").to_pylist()
        assert [tuple(item.values()) for item in result] == rows(history, table)


@pytest.mark.parametrize("texts", [("h",), ("h", "--export", "xml", "tables"), ("no", "--export", "csv", "tables")])
@pytest.mark.usefixtures("history")
def test_what_cannot_be_exported(texts):
    ran = run("history", *texts)
    assert ran.code in (2, 3)
    assert ran.err.count("advice: ") == 1
