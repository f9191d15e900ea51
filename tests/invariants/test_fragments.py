"""Files of 3 MB that repeat a fragment are read in time, as smaller ones show; the exhaustive tests read 3 MB.

`python -m tests.support.hostile.fragments` reads files of 3 MB, of all fragments.
"""

from __future__ import annotations

import random

import pytest

from tests.support.hostile import fragments

SLOW = [
    ("torchscript m/code/__torch__.py", '\\"', "a line inside"),
    ("torchscript m/code/__torch__.py", "(", "a line inside"),
    ("paddle paddle/fluid/operators/helper.h", "::OpProtoAndCheckerMaker", "a line inside"),
    ("paddle paddle/fluid/operators/helper.h", "one##", "a line inside"),
    ("paddle paddle/fluid/operators/f_op.cc", "class a:", "a line inside"),
    ("paddle paddle/fluid/operators/f_op.cc", '\\"', "a line inside"),
    ("paddle paddle/phi/ops/yaml/ops.yaml", "\n-", "a line inside"),
    ("onnx onnx/onnx.in.proto", "\n  ", "a line inside"),
    ("pytorch csrc/ops.cpp", '\\"', "a line inside"),
    ("file schema.fbs", '\\"', "a line inside"),
]
"""What once took longer than it may."""


@pytest.mark.parametrize(("name", "fragment", "way"), SLOW)
def test_what_was_slow_is_read_in_time(name, fragment, way):
    reader = fragments.readers()[name]
    assert fragments.growth_problem(reader, way, fragment, reader.seconds(reader.text)) == ""


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "fragment", "way"), SLOW)
def test_a_file_of_3_mb_is_read_in_the_documented_time(name, fragment, way):
    assert not fragments.read_large(fragments.readers()[name], way, fragment).failure


@pytest.mark.parametrize("name", sorted(fragments.readers()))
def test_a_fragment_that_is_repeated_is_read_in_time(name):
    """One fragment by chance; larger files are read only where small ones are slow."""
    reader = fragments.readers()[name]
    least = min(reader.seconds(reader.text) for _ in range(3))  # what reads it is loaded before it is forked
    chance = random.Random(name)  # noqa: S311 - the same for the same name
    way, fragment = chance.choice(sorted(fragments.WAYS)), chance.choice(reader.fragments())
    is_slow = fragments.is_slow(reader, way, fragment, least)
    problem = fragments.growth_problem(reader, way, fragment, least) if is_slow else ""
    assert problem == "", f"{fragment!r} as {way}"
