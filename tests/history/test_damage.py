"""A damaged file of a history is one message, whatever is wrong with it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from opspec_lint.history import store
from opspec_lint.kit import database
from opspec_lint.kit.errors import InputError
from tests.history.test_history import VERSIONS, here  # noqa: F401 - a fixture
from tests.support.damaged_databases import damaged_copies
from tests.support.histories import build, of_specs
from tests.support.programs import run
from tests.support.projects import FILE, text

COMMANDS = (
    ("log", "damaged"),
    ("log", "damaged", "--format", "json"),
    ("log", "damaged", "--format", "html"),
    ("blame", "damaged", "f", "--format", "json"),
    ("extract", "history:damaged"),
    ("history", "damaged", "--export", "csv", "tables"),
    ("history", FILE, "--output", "damaged"),
)


@pytest.fixture
def history(here, monkeypatch):  # noqa: F811
    repository, _ = of_specs(here / "top", *VERSIONS[:2])
    repository.commit({FILE: "{"})
    repository.commit({FILE: text(*VERSIONS[2])})
    repository.git("tag", "v1.0.0")
    monkeypatch.chdir(repository.top)
    build(FILE, here / "h")
    return here / "h"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_damaged_file_is_no_bug(history, command):
    codes = {}
    for damage in damaged_copies(history, history.parent / "top" / "damaged"):
        ran = run(*command)
        codes[damage] = "internal error" if "internal error" in ran.err else ran.code
    assert 3 in codes.values()
    assert {damage: code for damage, code in codes.items() if code not in {0, 2, 3}} == {}


def test_a_bug_is_not_called_damage(history):
    with pytest.raises(KeyError, match="bug"), store.open_history(str(history)):
        raise KeyError("bug")


def test_a_value_that_is_too_long_is_refused_before_it_is_read(history, monkeypatch):
    if not hasattr(sqlite3.Connection, "setlimit"):
        pytest.skip("this Python cannot limit the length of values")
    with closing(sqlite3.connect(history)) as connection:
        connection.execute("UPDATE fact SET value = zeroblob(100000)")
        connection.commit()
    monkeypatch.setattr(database, "_LONGEST", 50_000)
    with pytest.raises(InputError, match="has a value of more than"), store.open_history(str(history)) as opened:
        list(opened.facts_of("f"))
