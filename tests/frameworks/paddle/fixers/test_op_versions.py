"""The version histories of ops that fixes restore, in C++ and in op_version.yaml."""

from __future__ import annotations

import pytest

from tests.support.fixing import Fixing, changed, fixed
from tests.support.trees.paddle_trees import BASE, OPERATORS

OP = """class {0}Op : public framework::OperatorWithKernel {{}};
class {0}OpMaker : public framework::OpProtoAndCheckerMaker {{
 public:
  void Make() override {{
    AddInput("X", "");
    AddAttr<int>("a", "");
    AddAttr<int>("b", "");
  }}
}};

REGISTER_OPERATOR({0}, ops::{0}Op, ops::{0}OpMaker);

{1}
// the end
"""
FIRST = """    .AddCheckpoint(R"ROC(add a; and more)ROC",
                   paddle::framework::compatible::OpVersionDesc().NewAttr(
                       "a", "the first", 0))"""
TWO = """    .AddCheckpoint("add b",  // second
                   paddle::framework::compatible::OpVersionDesc().NewAttr("b", "(b)", 1))"""
FILE, ANOTHER = f"{OPERATORS}/f_op.cc", f"{OPERATORS}/g_op.cc"


def tree(*checkpoints):
    """A tree with an op, and one that is left alone."""
    ops = {FILE: ("f", checkpoints), ANOTHER: ("g", (FIRST,))}
    return BASE | {path: OP.format(op, registered(op, *those)) for path, (op, those) in ops.items()}


def registered(op, *checkpoints):
    lines = "\n".join((f"REGISTER_OP_VERSION({op})", *checkpoints))
    return f"{lines};\n" if checkpoints else ""


@pytest.mark.parametrize(
    ("rule", "head", "expected"),
    [
        ("op_version_lost", tree(FIRST), tree(FIRST, TWO)),
        ("op_version_lost", tree(), None),
        ("op_version_rewritten", tree(FIRST.replace('"a", "the', '"c", "the'), TWO), tree(FIRST, TWO)),
        ("op_version_rewritten", tree(TWO, FIRST), tree(FIRST, TWO)),
        (
            "op_version_rewritten",
            tree(FIRST.replace('"a", "the', '"b", "the'), TWO, TWO.replace("add b", "again")),
            tree(FIRST, TWO, TWO.replace("add b", "again")),
        ),
        (
            "op_version_rewritten",
            tree(TWO.replace("add b", "first"), FIRST, TWO),
            tree(FIRST, TWO, TWO.replace("add b", "first")),
        ),
        ("op_version_reworded", tree(FIRST, TWO.replace("add b", "adds b")), tree(FIRST, TWO)),
        ("op_version_reworded", tree(FIRST.replace("the first", "the 1st"), TWO), tree(FIRST, TWO)),
    ],
)
def test_registered_in_cpp(tmp_path, rule, head, expected):
    trying, base = Fixing(tmp_path, "paddle-source"), tree(FIRST, TWO)
    before = trying.findings(base, head)
    (first,) = (finding for finding in before if finding.rule == rule)
    after = fixed(head, [first])
    if expected is not None:
        assert after[FILE] == expected[FILE]
    assert changed(head, after) == {FILE}
    rules = {"op_version_lost", "op_version_rewritten", "op_version_reworded"}
    assert not rules & {finding.rule for finding in trying.findings(base, after)}
