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
ONE = """    .AddCheckpoint(R"ROC(add a; and more)ROC",
                   paddle::framework::compatible::OpVersionDesc().NewAttr(
                       "a", "the first", 0))"""
TWO = """    .AddCheckpoint("add b",  // second
                   paddle::framework::compatible::OpVersionDesc().NewAttr("b", "(b)", 1))"""
FILE, OTHER = f"{OPERATORS}/f_op.cc", f"{OPERATORS}/g_op.cc"


def tree(*checkpoints):
    """A tree with an op, and one that is left alone."""
    ops = {FILE: ("f", checkpoints), OTHER: ("g", (ONE,))}
    return BASE | {path: OP.format(op, registered(op, *those)) for path, (op, those) in ops.items()}


def registered(op, *checkpoints):
    lines = "\n".join((f"REGISTER_OP_VERSION({op})", *checkpoints))
    return f"{lines};\n" if checkpoints else ""


@pytest.mark.parametrize(
    ("rule", "head", "expected"),
    [
        ("op_version_lost", tree(ONE), tree(ONE, TWO)),
        ("op_version_lost", tree(), None),
        ("op_version_rewritten", tree(ONE.replace('"a", "the', '"c", "the'), TWO), tree(ONE, TWO)),
        ("op_version_rewritten", tree(TWO, ONE), tree(ONE, TWO)),
        (
            "op_version_rewritten",
            tree(ONE.replace('"a", "the', '"b", "the'), TWO, TWO.replace("add b", "again")),
            tree(ONE, TWO, TWO.replace("add b", "again")),
        ),
        (
            "op_version_rewritten",
            tree(TWO.replace("add b", "first"), ONE, TWO),
            tree(ONE, TWO, TWO.replace("add b", "first")),
        ),
        ("op_version_reworded", tree(ONE, TWO.replace("add b", "adds b")), tree(ONE, TWO)),
        ("op_version_reworded", tree(ONE.replace("the first", "the 1st"), TWO), tree(ONE, TWO)),
    ],
)
def test_registered_in_cpp(tmp_path, rule, head, expected):
    trying, base = Fixing(tmp_path, "paddle-source"), tree(ONE, TWO)
    before = trying.findings(base, head)
    (first,) = (finding for finding in before if finding.rule == rule)
    after = fixed(head, [first])
    if expected is not None:
        assert after[FILE] == expected[FILE]
    assert changed(head, after) == {FILE}
    rules = {"op_version_lost", "op_version_rewritten", "op_version_reworded"}
    assert not rules & {finding.rule for finding in trying.findings(base, after)}
