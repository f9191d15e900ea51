"""The ops that a template, method, object or pointer registers in a library, as in a compiled program."""

from __future__ import annotations

import shutil

import pytest

from tests.support.compiled_readers import READERS, outcomes, verdict
from tests.support.library_functions import LIBRARY_FUNCTIONS, UNFOLLOWED
from tests.support.unreached import ALIVE, DEAD, UNKNOWN, with_statement

READER = next(reader for reader in READERS if reader.name == "pytorch")


@pytest.mark.parametrize("kind", LIBRARY_FUNCTIONS)
def test_what_is_called_with_a_library_registers(tmp_path, kind):
    before, body, expected = LIBRARY_FUNCTIONS[kind]
    assert verdict(READER, body, tmp_path, with_statement(before, READER.statement)) == expected


@pytest.mark.compiler
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path")
def test_a_compiled_program_registers_the_same(tmp_path):
    befores, bodies, expected = zip(*LIBRARY_FUNCTIONS.values(), strict=True)
    befores = [with_statement(before, READER.statement) for before in befores]
    compiled = [tuple(outcome) for outcome in outcomes(READER, bodies, tmp_path / "compiled", befores)]
    actual = {
        name: {(True,): ALIVE, (False,): DEAD}.get(outcome, UNKNOWN)
        for name, outcome in zip(LIBRARY_FUNCTIONS, compiled, strict=True)
    }
    registered = {
        name: ALIVE if name in UNFOLLOWED else kind for name, kind in zip(LIBRARY_FUNCTIONS, expected, strict=True)
    }
    assert actual == registered
