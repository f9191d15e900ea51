"""A damaged file of results is one message, whatever is wrong with it."""

from __future__ import annotations

import pytest

from tests.support import zoo
from tests.support.damaged_databases import damaged_copies
from tests.support.programs import run


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("damage")
    zoo.program(folder / "zoo" / "a.pdmodel")
    zoo.program(folder / "zoo" / "b.pdmodel", "no_such_op")
    file = folder / "results"
    options = ("--against", "paddle@2.6.2", "--loader", "legacy_executor", "--results", file, "--jobs", "1")
    assert run("audit", folder / "zoo", *options).code == 1
    return file


@pytest.mark.parametrize("form", ["text", "json", "csv"])
def test_a_damaged_file_is_no_bug(results, tmp_path, form):
    codes = {}
    for damage in damaged_copies(results, tmp_path / "damaged"):
        ran = run("audit", "--results", tmp_path / "damaged", "--summary", "--format", form)
        codes[damage] = "internal error" if "internal error" in ran.err else ran.code
    assert 3 in codes.values()
    assert {damage: code for damage, code in codes.items() if code not in {0, 1, 2, 3}} == {}
