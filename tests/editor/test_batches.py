"""Declarations as bytes: each is found on its line again."""

from __future__ import annotations

import pytest

from opspec_lint.editor.batches import pack, unpack
from opspec_lint.editor.messages import DeclaredPlace, FilePlace


def subject(path, line):
    where = FilePlace(path=path, range=(line, 0, line, 9))
    return DeclaredPlace(place=where, description=f"{path} {line}", base=None, op="f", section="attr", name=f"a{line}")


@pytest.mark.parametrize("count", [0, 1, 50, 51, 333])
def test_every_declaration_is_detected_on_its_line(count):
    subjects = [subject(path, 7 * number % 100) for path in ("/a", "/b") for number in range(count)]
    batches = list(pack(subjects))
    assert all(len(batch.data) < 10_000 for batch in batches)
    for line in range(-1, 101):
        assert list(unpack(batches, line)) == [subject for subject in subjects if subject.place.range[0] == line]
