"""The code that translates an op to PIR is part of what a tree declares of the op."""

from __future__ import annotations

import pytest

from opspec_lint.lint.check import check
from opspec_lint.spec.model import Provenance
from tests.support.histories import DEFAULT, tree
from tests.support.trees.paddle_trees import read

FILE = "paddle/fluid/ir_adaptor/translator/op_translator.cc"
CODE = """
struct BaseTranscriber : public OpTranscriber {
  const char* Name() const { return "pd_op.other"; }
};
struct FOpTranscriber : public BaseTranscriber {
  void Handle() {  // "comment"
    Attr("axis"); Message("is not an input"); Input("X");
  }
};
OpTranslator::OpTranslator() {
  special_handlers["f"] = FOpTranscriber();
  special_handlers["g"] =
      BaseTranscriber();
}
"""


def tree_of(code=None):
    files = tree(f=DEFAULT.format(1), g=DEFAULT.format(1), h=DEFAULT.format(1))
    return read(files if code is None else {**files, FILE: code}, "all")


def findings(base, head):
    specs = (tree_of(code).spec("tree", Provenance(framework="paddle")) for code in (base, head))
    return [(finding.op, finding.rule, finding.message) for finding in check(*specs).findings]


def test_the_names_that_a_translator_and_its_bases_use():
    declared = tree_of(CODE)
    values = {name: record.get("translator") for name, (record, _) in declared.ops.items()}
    own = {"translated by": ["its own code"]}
    assert values == {
        "f": {**own, "names": ["X", "axis", "pd_op.other"]},
        "g": {**own, "names": ["pd_op.other"]},
        "h": None,
    }
    ops = declared.spec("tree", Provenance(framework="paddle")).ops
    assert [(ops[name].places["translator"].file, ops[name].places["translator"].line) for name in "fg"] == [
        (FILE, 11),
        (FILE, 12),
    ]


REGISTERED = '  special_handlers["f"] = FOpTranscriber();\n'


@pytest.mark.parametrize(
    ("old", "new", "rule", "part"),
    [
        (REGISTERED, "", "translator_lost", "translated by: its own code"),
        (REGISTERED, f"//{REGISTERED}", "translator_lost", "translated by: its own code"),
        (REGISTERED, f"#if 0\n{REGISTERED}#endif\n", "translator_lost", "translated by: its own code"),
        ('Attr("axis");', 'Attr("dim");', "translator_lost", "no longer has names: axis"),
        ('Attr("axis");', 'Attr("axis"); Attr("dim");', "translator_gained", "uses names: dim"),
    ],
)
def test_a_change_of_a_translator_is_a_finding(old, new, rule, part):
    ((op, name, message),) = findings(CODE, CODE.replace(old, new))
    assert (op, name) == ("f", rule)
    assert part in message


@pytest.mark.parametrize(
    ("old", "new"), [("is not an input", "is no input"), ("FOpTranscriber", "Transcriber"), ("// ", "// X ")]
)
def test_other_changes_of_the_code_are_none_of_the_translation(old, new):
    assert findings(CODE, CODE.replace(old, new)) == []


def test_a_tree_without_a_translator_knows_nothing_of_it():
    assert [rule for _, rule, _ in findings(None, CODE)] == ["knowledge_gained"]
