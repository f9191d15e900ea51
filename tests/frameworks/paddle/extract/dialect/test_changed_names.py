"""An edit of op_compat.yaml concerns the ops whose names follow from it, and no others are built."""

from __future__ import annotations

import pytest

from opspec_lint.diff.fields import same_op
from opspec_lint.spec import fields, op_table
from tests.support.trees.pir_trees import read, spec_of

OPS = """
- op : ff
  args : (Tensor x, int a)
  output : Tensor(out)
- op : gg
  args : (Tensor x, int a)
  output : Tensor(out)
- backward_op : ff_grad
  forward : ff (Tensor x, int a) -> Tensor(out)
  args : (Tensor x, Tensor out_grad, int a)
  output : Tensor(x_grad)
"""
COMPAT = "- op : ff\n  inputs :\n    x : X\n- op : gg\n  inputs :\n    x : X\n"
NOTHING, FF, GG = set(), {"pd_op.ff"}, {"pd_op.gg"}
FF_AND_GRAD = FF | {"pd_op.ff_grad"}


def spec(compat):
    return spec_of(read(OPS, compat))


@pytest.mark.parametrize(
    ("old", "new", "concerned"),
    [
        ("- op : ff\n", "# a comment\n- op : ff\n", NOTHING),
        ("- op : ff\n", "- op : ff\n  drop_empty_grad : [x]\n", NOTHING),
        ("- op : ff\n", "- op : hh\n  inputs :\n    x : Y\n- op : ff\n", NOTHING),
        ("- op : ff\n  inputs :\n    x : X", "- op : ff\n  inputs :\n    x : Y", FF_AND_GRAD),
        ("- op : ff\n", "- op : ff (old_ff)\n", FF_AND_GRAD),
        ("- op : ff\n", "- op : ff\n  attrs :\n    a : A\n", FF_AND_GRAD),
        ("- op : ff\n", "- op : ff\n  extra :\n    attrs : [int a]\n", FF),
        ("- op : gg\n  inputs :\n    x : X", "- op : gg\n  inputs : {}", GG),
        ("- op : gg\n", "- op : gg (ff)\n", GG),
    ],
)
def test_an_edit_concerns_the_ops_that_it_names(old, new, concerned):
    assert old in COMPAT
    base, head = spec(COMPAT), spec(COMPAT.replace(old, new))
    table = fields.field_table("paddle-pir")
    assert {name for name in base.ops if not op_table.certainly_equal(base.ops, head.ops, name)} == concerned
    assert {name for name in base.ops if not same_op(base.ops[name], head.ops[name], table)} <= concerned
