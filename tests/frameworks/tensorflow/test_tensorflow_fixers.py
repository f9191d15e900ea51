"""Fixes of registrations in a source tree of TensorFlow."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, fixed

BASE = """namespace tensorflow {

REGISTER_OP("A")
    .Input("x: T")
    .Attr("T: {float, half}")
    .Attr("axis: int = 1")  // the axis
    .Attr("depth: int >= 1")
    .SetShapeFn(Unchanged);

REGISTER_OP("B").Output("y: float");

}  // namespace tensorflow
"""
RESTORED = {
    "op_removed": ('REGISTER_OP("B").Output("y: float");\n\n', ""),
    "op_removed of the first": (BASE[BASE.index("REGISTER") : BASE.index('REGISTER_OP("B")')], ""),
    "attr_removed": ('\n    .Attr("depth: int >= 1")', ""),
    "attr_default_changed": ("axis: int = 1", "axis: int = 2"),
    "attr_default_removed": ("axis: int = 1", "axis: int"),
    "allowed_values_narrowed": ("{float, half}", "{float}"),
    "minimum_raised": (">= 1", ">= 2"),
}


def tree(text):
    return {"a/ops.cc": text}


@pytest.mark.parametrize("case", RESTORED)
def test_what_was_registered_is_restored(tmp_path, case):
    head = tree(BASE.replace(*RESTORED[case]))
    assert head["a/ops.cc"] != BASE
    findings = Fixing(tmp_path, "tensorflow-source").findings(tree(BASE), head)
    assert case.partition(" ")[0] in {finding.rule for finding in findings}
    assert {fix.safety for finding in findings for fix in finding.fixes} == {"unsafe"}
    assert Fixing(tmp_path / "again", "tensorflow-source").findings(tree(BASE), fixed(head, findings)) == []


DEFAULTS = {
    "n: int": "n: int = 0",
    "n: int >= 2": "n: int >= 2 = 2",
    "n: float": "n: float = 0.0",
    "n: bool": "n: bool = false",
    "n: string": "n: string = ''",
    "n: {'a', 'b'}": "n: {'a', 'b'} = 'a'",
    "n: list(type) >= 0": "n: list(type) >= 0 = []",
    "n: list(int) >= 1": None,
    "n: type": None,
}


@pytest.mark.parametrize("text", DEFAULTS)
def test_a_new_attr_gets_a_default_value(tmp_path, text):
    head = tree(BASE.replace('    .Attr("depth', f'    .Attr("{text}")\n    .Attr("depth'))
    fixing = Fixing(tmp_path, "tensorflow-source")
    findings = [
        finding for finding in fixing.findings(tree(BASE), head) if finding.rule == "attr_added_without_default"
    ]
    assert len(findings) == 1
    after = fixed(head, findings)["a/ops.cc"] if findings[0].fixes else None
    expected = DEFAULTS[text]
    assert after == (None if expected is None else head["a/ops.cc"].replace(text, expected))


@pytest.mark.parametrize("text", ["#define N 1\n.Attr(kDepth)", '.Attr("dep" "th: int >= 1")'])
def test_a_string_that_is_no_literal_is_left_alone(tmp_path, text):
    base = tree('constexpr char kDepth[] = "depth: int >= 1";\n' + BASE.replace('.Attr("depth: int >= 1")', text))
    head = tree(BASE.replace('\n    .Attr("depth: int >= 1")', ""))
    findings = Fixing(tmp_path, "tensorflow-source").findings(base, head)
    assert [(finding.rule, finding.fixes) for finding in findings] == [("attr_removed", ())]


def test_an_input_is_never_invented(tmp_path):
    head = tree(BASE.replace('    .Input("x: T")\n', ""))
    findings = Fixing(tmp_path, "tensorflow-source").findings(tree(BASE), head)
    assert {finding.rule: finding.fixes for finding in findings}["input_removed"] == ()
