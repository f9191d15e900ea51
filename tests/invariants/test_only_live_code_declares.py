"""A reader of C++ takes an op for declared if a compiled program declares it, and never otherwise.

Each kind of dead code is tried under each reader, beside the sound one, and so are drawn pairs, one kind within the
other. The programs are compiled and run under two settings of a macro, and two at run time.
"""

from __future__ import annotations

import random
import shutil

import pytest

from tests.support.compiled_readers import READERS, outcomes, verdict
from tests.support.unreached import (
    ALIVE,
    DEAD,
    KINDS,
    UNDECIDED,
    UNKNOWN,
    UNLIKELY,
)

PAIRS = 60
TEXTS = (
    "a continued comment",
    "a comment continued after blanks",
    "a comment that ends",
    "a comment over lines",
    "a string",
)
"""Kinds that cannot contain another kind, which would end the comment or string."""
pytestmark = [
    pytest.mark.compiler,
    pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++ on the path"),
]
every_reader = pytest.mark.parametrize("reader", READERS, ids=[reader.name for reader in READERS])


def drawn_pairs():
    """Return bodies with one kind within another, drawn with a fixed seed."""
    chance = random.Random(42)  # noqa: S311 - no secret
    outer = [name for name in KINDS if name not in TEXTS and "#error" not in KINDS[name][0]]
    inner = [name for name in outer if "goto" not in KINDS[name][0]]
    pairs = [(chance.choice(outer), chance.choice(inner)) for _ in range(PAIRS)]
    return {f"{first} around {second}": nested(first, second) for first, second in pairs}


def nested(outer, inner):
    # A block, so that both may define a variable of one name.
    return KINDS[outer][0].replace("{R}", f"\n{{\n{KINDS[inner][0]}\n}}\n")


def kinds(reader):
    """Return the kinds that a reader decides: Paddle's assumes that each file compiles, and that no maker throws."""
    left_out = {name for name, (body, _) in KINDS.items() if "#error" in body or name == "after throw"}
    return {name: kind for name, kind in KINDS.items() if reader.name != "paddle" or name not in left_out}


def truth(outcomes_of_body):
    """Return what the outcomes under all settings say of a registration."""
    return {(True,): ALIVE, (False,): DEAD}.get(tuple(outcomes_of_body), UNKNOWN)


@every_reader
def test_a_kind_is_decided_as_by_the_compiler(reader, tmp_path):
    compiled = outcomes(reader, [body for body, _ in kinds(reader).values()], tmp_path / "compiled")
    wrong = {}
    for number, ((name, (body, expected)), result) in enumerate(zip(kinds(reader).items(), compiled, strict=True)):
        decided = verdict(reader, body, tmp_path / str(number))
        may_be_unknown = expected == UNLIKELY or name in UNDECIDED or reader.name == "paddle"
        if decided != truth(result) and not (may_be_unknown and decided == UNKNOWN):
            wrong[name] = decided, truth(result)
    assert wrong == {}


@every_reader
def test_a_kind_within_another_is_neither_silent_nor_false(reader, tmp_path):
    bodies = drawn_pairs()
    compiled = outcomes(reader, list(bodies.values()), tmp_path / "compiled")
    wrong = {}
    for number, ((name, body), result) in enumerate(zip(bodies.items(), compiled, strict=True)):
        decided = verdict(reader, body, tmp_path / str(number))
        if decided not in (truth(result), UNKNOWN):
            wrong[name] = decided, truth(result)
    assert wrong == {}
    assert {truth(result) for result in compiled} == {ALIVE, DEAD, UNKNOWN}
