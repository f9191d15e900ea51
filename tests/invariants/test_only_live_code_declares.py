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
    BEHIND_HELPERS,
    DEAD,
    EXPRESSIONS,
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
CHECKS = {
    "a check of another file that fails": ("", "SOME_CHECK(false); {R}", DEAD),
    "a check of another file that holds": ("", "SOME_CHECK(1 + 1 == 2); {R}", ALIVE),
    "a macro of another file that throws": ("", "SOME_THROW(1); {R}", DEAD),
}
"""Macros that no reader sees: "unknown" is right for all but what is alive."""
CHECKS_OF_PADDLE = {
    "PADDLE_THROW": ("", "PADDLE_THROW(1); {R}", DEAD),
    "PADDLE_THROW in a dead branch": ("", "if (false) { PADDLE_THROW(1); } {R}", ALIVE),
    "PADDLE_ENFORCE that fails": ("", "PADDLE_ENFORCE(false, 1); {R}", DEAD),
    "PADDLE_ENFORCE that holds": ("", "PADDLE_ENFORCE(1 < 2, 1); {R}", ALIVE),
    "PADDLE_ENFORCE at run time": ("", "PADDLE_ENFORCE(at_run_time(), 1); {R}", UNKNOWN),
    "PADDLE_ENFORCE_EQ that fails": ("", "PADDLE_ENFORCE_EQ(1, 2, 1); {R}", DEAD),
    "PADDLE_ENFORCE_EQ that holds": ("", "PADDLE_ENFORCE_EQ(2, 2, 1); {R}", ALIVE),
    "LOG(INFO)": ("", 'LOG(INFO) << "x"; {R}', ALIVE),
    "LOG(FATAL)": ("", 'LOG(FATAL) << "x"; {R}', DEAD),
    "a function with PADDLE_THROW": ("static void fail() { PADDLE_THROW(1); }", "fail(); {R}", DEAD),
}
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
    """Return the kinds that a reader decides: the text before the function, the statements, and what is expected."""
    everywhere = {name: ("", *kind) for name, kind in KINDS.items()}
    if reader.name in ("pytorch", "tflite"):  # the others name an expression in an expression as unresolved
        everywhere |= {name: ("", *kind) for name, kind in EXPRESSIONS.items()}
    return {**everywhere, **BEHIND_HELPERS, **(CHECKS_OF_PADDLE if reader.name == "paddle" else CHECKS)}


def truth(outcomes_of_body):
    """Return what the outcomes under all settings say of a registration."""
    return {(True,): ALIVE, (False,): DEAD}.get(tuple(outcomes_of_body), UNKNOWN)


@every_reader
def test_a_kind_is_decided_as_by_the_compiler(reader, tmp_path):
    before, bodies, _ = zip(*kinds(reader).values(), strict=True)
    compiled = outcomes(reader, bodies, tmp_path / "compiled", before)
    wrong = {}
    for number, ((name, kind), result) in enumerate(zip(kinds(reader).items(), compiled, strict=True)):
        decided = verdict(reader, kind[1], tmp_path / str(number), kind[0])
        expected = kind[2]
        may_be_unknown = expected == UNLIKELY or name in UNDECIDED or name in CHECKS or reader.name == "paddle"
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
