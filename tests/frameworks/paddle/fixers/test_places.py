"""The place where a fixer begins: a line of a source, never of a spec file, which may have very long lines."""

from __future__ import annotations

import pytest

from opspec_lint.fixes.files import Files
from opspec_lint.frameworks.paddle.fixers._makers import declaration_at
from opspec_lint.frameworks.paddle.fixers._places import place_of
from opspec_lint.spec.model import Origin


@pytest.mark.parametrize(
    ("path", "line", "offset"), [("f_op.cc", 2, 2), ("ops.yaml", 1, 0), ("f_op.cc", 4, None), ("specs/f.json", 1, None)]
)
def test_the_place_of_an_origin(path, line, offset):
    place = place_of(Origin(file=path, line=line), Files(lambda _: b"a\nb\n"))
    assert (None if place is None else place[1]) == offset


def test_a_spec_file_is_not_read():
    assert place_of(Origin(file="specs/f.json", line=1), Files(pytest.fail)) is None


@pytest.mark.parametrize(
    ("before", "has_declaration"),
    [("", True), ("int a;\n", True), ("int a;\nint b;\n", False), ("\n\nAddAttr<int>(\n", False)],
)
def test_a_declaration_begins_on_the_line_or_the_next_line(before, has_declaration):
    declared = declaration_at(f'{before}AddInput("x", "text").AsDispensable();\n', 0, "x")
    assert (declared is not None) == has_declaration
