"""One declaration of a real tree is put into dead, conditional or live code: its reader reports just that.

An environment variable names the repository of each tree, bare or not. The declarations and the kinds of code are drawn
with a fixed seed; a compiler has confirmed what becomes of each kind (test_only_live_code_declares.py).
"""

from __future__ import annotations

import os
import random
import re
from typing import NamedTuple

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.edited_tree import EditedTree
from tests.support.unreached import ALIVE, CONDITIONS_OF_PREPROCESSOR, DEAD, KINDS, UNDECIDED, UNKNOWN, UNLIKELY

DRAWS = 16
UNMOVABLE = re.compile(r"//|^\s*#|R\"", re.MULTILINE)
"""Text that cannot be written in one line, or within a raw string."""
pytestmark = pytest.mark.wheel


class Place(NamedTuple):
    """A kind of declaration: the files, a text in each, the pattern of its beginning, and the kinds of code."""

    files: tuple[str, ...]
    mark: str
    beginning: str
    kinds: dict[str, tuple[str, str]]


class Differences(NamedTuple):
    """The facts about two specs, the remarks that only the second one has, and its ops that became conditional."""

    facts: frozenset
    remarks: frozenset
    conditional: frozenset


class RealTree(NamedTuple):
    """A source, and the places of declarations in its trees."""

    variable: str
    source: str
    places: tuple[Place, ...]


TREES = {
    "LiteRT": RealTree(
        "OPSPEC_LINT_LITERT_TREE",
        "tflite-source",
        (Place(("tflite/core/kernels/register.cc",), "AddBuiltin", r"\bAddBuiltin\(BuiltinOperator_\w+,", KINDS),),
    ),
    "ONNX": RealTree(
        "OPSPEC_LINT_ONNX_TREE",
        "onnx-source",
        (
            Place(("onnx/defs/operator_sets.h",), "GetOpSchema", r"\bfn\(GetOpSchema<\w+\(Onnx, \d+, \w+\)>\(", KINDS),
            Place(
                ("onnx/defs/*/defs.cc",),
                "ONNX_OPERATOR_SET_SCHEMA",
                r"^ONNX_OPERATOR_SET_SCHEMA\(\s*\w+,\s*\d+,",
                CONDITIONS_OF_PREPROCESSOR,
            ),
        ),
    ),
    "an extension": RealTree(
        "OPSPEC_LINT_EXTENSION_TREE",
        "pytorch-source",
        (Place(("*.cpp", "*.cc"), "TORCH_LIBRARY", r"\bm\.def\(\s*\"", KINDS),),
    ),
    "Paddle": RealTree(
        "OPSPEC_LINT_PADDLE_TREE",
        "paddle-source",
        (
            Place(
                ("paddle/fluid/operators/*_op.cc",),
                "REGISTER_OPERATOR",
                r"^REGISTER_OPERATOR\(\w+,",
                CONDITIONS_OF_PREPROCESSOR,
            ),
            Place(("paddle/fluid/operators/*_op.cc",), "REGISTER_OPERATOR", r"^ +Add(?:In|Out)put\(\"\w+\",", KINDS),
        ),
    ),
}


def statement(text, match):
    """Return the text of a declaration up to its semicolon; "" if it cannot be moved into each kind of code."""
    depth, at, quoted = 0, match.start(), False
    while at < len(text):
        character = text[at]
        quoted ^= character == '"' and text[at - 1] != "\\"
        depth += 0 if quoted else (character == "(") - (character == ")")
        at += 1
        if character == ";" and not depth and not quoted:
            break
    declaration = text[match.start() : at]
    return "" if UNMOVABLE.search(declaration) or ')"' in declaration else declaration


def draw(tree, place, chance):
    """Return a drawn path, declaration and kind of code."""
    paths = tree.paths_with(place.mark, *place.files)
    while True:
        path = chance.choice(paths)
        text = tree.text(path)
        matches = list(re.finditer(place.beginning, text, re.MULTILINE))
        declaration = statement(text, chance.choice(matches)) if matches else ""
        # `SWITCH` is a macro of no real build.
        kind = chance.choice([name for name, (code, _) in place.kinds.items() if "SWITCH" not in code])
        if declaration and text.count(declaration) == 1:
            return path, declaration, kind


def differences(base, head):
    """Return what a check reports of two specs: facts and new remarks."""
    remarks = {(remark.event, remark.name) for remark in head.remarks}
    return Differences(
        facts=frozenset((fact.event, fact.op, fact.name) for fact in diff(base, head)),
        remarks=frozenset(remarks - {(remark.event, remark.name) for remark in base.remarks}),
        conditional=frozenset(
            name for name, op in head.ops.items() if name in base.ops and op.declared_if != base.ops[name].declared_if
        ),
    )


def outcomes_of(changes, deleted):
    """Return the possible meanings of the differences of a tree, by what a deletion of the declaration changes."""
    if not changes.facts and not changes.remarks:
        return {ALIVE}
    # Some kinds of dead code, such as `return`, remove what follows as well.
    if deleted.facts | deleted.remarks <= changes.facts | changes.remarks:
        return {DEAD}
    return {UNKNOWN} if changes.conditional or changes.remarks else {"changed"}


def accepted(name, kind, place, *, is_of_paddle):
    """Return the outcomes that are right for a kind of code."""
    code = KINDS[name][0]
    if name in UNDECIDED or ("#error" in code and kind == DEAD):
        # An `#error` removes all that the file declares.
        return {DEAD, UNKNOWN, "changed"}
    if is_of_paddle and (kind != ALIVE or (place.kinds is KINDS and ("at_run_time" in code or "[&]" in code))):
        # The builds of Paddle are known, so that no macro is uncertain; what cannot be followed is unresolved.
        return {DEAD, UNKNOWN} if kind != ALIVE else {ALIVE, UNKNOWN}
    return {UNKNOWN if kind == UNLIKELY else kind}


@pytest.mark.parametrize("name", TREES)
def test_a_declaration_of_a_real_tree_is_removed_conditional_or_unchanged(name, tmp_path):
    real = TREES[name]
    repository = os.environ.get(real.variable)
    if not repository:
        pytest.skip(f"{real.variable} is not set")
    tree = EditedTree(repository, tmp_path / "edited")
    reading = Reading(environment={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")})
    load = SOURCES.load(real.source).spec
    base = load(f"{tree.folder}@{tree.head}", reading)
    chance = random.Random(42)  # noqa: S311 - no secret
    wrong = {}
    count = 0
    while count < DRAWS:
        place = real.places[count % len(real.places)]
        path, declaration, kind = draw(tree, place, chance)
        code, expected = KINDS[kind]
        text = tree.text(path)
        # In one line, as a comment of one line is a kind of dead code.
        wrapped = f"\n{code.replace('{R}', ' '.join(declaration.split()))}\n"
        changes, deleted = (
            differences(base, load(tree.commit(path, text.replace(declaration, replacement)), reading))
            for replacement in (wrapped, "")
        )
        if not deleted.facts and not deleted.remarks:
            continue  # such as the registration of an op without a proto, which no spec has
        count += 1
        if outcomes_of(changes, deleted).isdisjoint(accepted(kind, expected, place, is_of_paddle=name == "Paddle")):
            wrong[path, declaration, kind] = expected, changes
    assert wrong == {}
