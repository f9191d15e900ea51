"""The special handlers of the translation to PIR are part of what a tree declares."""

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


def test_names_of_a_handler_and_its_bases():
    declared = tree_of(CODE)
    values = {name: record.get("translator") for name, (record, _) in declared.ops.items()}
    own = {"translated by": ["a special handler"]}
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
        (REGISTERED, "", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"//{REGISTERED}", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"#if 0\n{REGISTERED}#endif\n", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"  if (false) {{ {REGISTERED} }}", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"  return;\n{REGISTERED}", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"  if (getenv(ON)) {{ {REGISTERED} }}", "translator_lost", "translated by: a special handler"),
        (REGISTERED, f"  if (getenv(ON)) PADDLE_THROW(1);\n{REGISTERED}", "translator_lost", "a special handler"),
        ('Attr("axis");', 'Attr("dim");', "translator_lost", "loses names: axis"),
        ('Attr("axis");', 'Attr("axis"); Attr("dim");', "translator_gained", "gains names: dim"),
    ],
)
def test_a_changed_handler_is_a_finding(old, new, rule, part):
    flagged = [(op, message) for op, name, message in findings(CODE, CODE.replace(old, new)) if name == rule]
    assert flagged[0][0] == "f"
    assert part in flagged[0][1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (REGISTERED, f"  if (getenv(ON)) {{ {REGISTERED} }} else {{ {REGISTERED} }}"),
        (REGISTERED, f"  if (true) {REGISTERED}"),
        ("is not an input", "is no input"),
        ("FOpTranscriber", "Transcriber"),
        ("// ", "// X "),
    ],
)
def test_equal_handlers_have_no_finding(old, new):
    assert findings(CODE, CODE.replace(old, new)) == []


def test_a_tree_without_handlers_does_not_know_the_field():
    assert [rule for _, rule, _ in findings(None, CODE)] == ["knowledge_gained"]


def test_a_function_that_registers_a_handler_under_a_condition():
    added = "static void Add(Handlers& special_handlers) {\n" + REGISTERED + "}\nOpTranslator::OpTranslator"
    head = CODE.replace(REGISTERED, "  if (getenv(ON)) Add(special_handlers);\n").replace(
        "OpTranslator::OpTranslator", added, 1
    )
    value = tree_of(head).ops["f"][0]["translator"]
    assert value["translated by"] == ["a special handler, only under `getenv(ON)`"]
    assert {(op, rule) for op, rule, _ in findings(CODE, head)} >= {("f", "translator_lost")}
    always = head.replace("if (getenv(ON)) Add", "Add")
    assert findings(CODE, always) == []
