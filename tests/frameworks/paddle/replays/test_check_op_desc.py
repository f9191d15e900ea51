"""The program check_op_desc: names from a spec reach a file as they are, and a terminal without their escapes."""

from __future__ import annotations

import json

import pytest

from opspec_lint.cli import main
from tests.support.programs import on_a_terminal, run

NAME = "f\x1b[31mred\x07"
SHOWN = b"For OP 'f\\x1b[31mred\\x07':"


@pytest.fixture
def specs(tmp_path):
    """A spec that declares an attr, and one that does not."""
    paths = [tmp_path / "base.json", tmp_path / "pr.json", tmp_path / "versions.json"]
    for path, attrs in zip(paths, ({"a": {"type": 0}}, {}), strict=False):
        path.write_text(json.dumps({NAME: {"Inputs": {}, "Outputs": {}, "Attrs": attrs}}))
    paths[2].write_text("{}")
    return paths


@pytest.mark.parametrize("options", [[], ["--op-versions"]])
def test_a_terminal_sees_no_escapes_and_a_file_the_names_as_they_are(specs, options):
    base, pr, versions = specs
    arguments = [base, pr, *options, *([versions] if options else [])]
    ran = run(*arguments, program=main.check_op_desc)
    assert f"For OP '{NAME}':\n * The attr 'a' is deleted.\n" in ran.out
    assert ("Operator registration error" in ran.out) == bool(options)
    shown = on_a_terminal(*arguments, program="check_op_desc")
    assert SHOWN in shown
    assert b"\x1b" not in shown


@pytest.mark.parametrize("count", [0, 1, 3])
def test_another_number_of_specs_gets_the_usage_of_the_original(specs, count):
    ran = run(*specs[:count], program=main.check_op_desc)
    assert (ran.code, ran.out) == (0, "Usage: python check_op_desc.py OP_DESC_DEV.spec OP_DESC_PR.spec\n")
