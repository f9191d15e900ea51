"""The rows of runtime_version.cc that fixes restore or add."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees import tflite_trees as trees

WRAPPED = '          {{BuiltinOperator_CONV_2D, 2},\n           "2.3.0"},\n'
TWO = '          {{BuiltinOperator_ADD, 2}, "1.14.0"},\n'
RESHAPE = "  AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE(), 1, 2);"
LAST = '          {{BuiltinOperator_RESHAPE, 1}, "1.5.0"},\n'


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("runtime_row_removed", TWO, ""),
        ("runtime_row_removed", LAST, ""),
        ("runtime_row_removed", '          {{BuiltinOperator_ADD, 1}, "1.5.0"},\n', ""),
        ("runtime_row_changed", '"1.14.0"', '"1.15.0"'),
        ("runtime_row_changed", '"2.3.0"', '"2.2.0"'),
    ],
)
def test_a_row_is_what_it_was(tmp_path, rule, old, new):
    trying = Fixing(tmp_path, "tflite-source")
    head = trees.changed(trees.RUNTIMES, (old, new))
    before = trying.findings(trees.TREE, head)
    assert rule in {finding.rule for finding in before}
    after = fixed(head, [finding for finding in before if finding.rule == rule])
    assert (after, trying.findings(trees.TREE, after)) == (trees.TREE, trying.findings(trees.TREE, trees.TREE))


def test_a_wrapped_row_comes_back_as_one(tmp_path):
    trying = Fixing(tmp_path, "tflite-source")
    head = trees.changed(trees.RUNTIMES, (WRAPPED, ""))
    after = fixed(head, trying.findings(trees.TREE, head))
    assert after == trees.TREE


def test_the_row_of_a_new_version_names_the_coming_release(tmp_path):
    trying = Fixing(tmp_path, "tflite-source")
    head = trees.changed(trees.KERNELS, ("  AddBuiltin(BuiltinOperator_RESHAPE, Register_RESHAPE());", RESHAPE))
    assert [
        finding.fixes for finding in trying.findings(trees.TREE, head) if finding.rule == "runtime_row_missing"
    ] == [()]
    result = [
        finding for finding in trying.findings(trees.TREE, head, "2.20.0") if finding.rule == "runtime_row_missing"
    ]
    after = fixed(head, result)
    assert changed(head, after) == {trees.RUNTIMES}
    assert LAST + '          {{BuiltinOperator_RESHAPE, 2}, "2.20.0"},\n' in after[trees.RUNTIMES]
    assert "runtime_row_missing" not in {finding.rule for finding in trying.findings(trees.TREE, after)}
