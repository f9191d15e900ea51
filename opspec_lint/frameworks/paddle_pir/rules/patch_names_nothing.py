"""A patch is of an op that is not there.

Flags:
    An entry of a patch file that is new in head, and whose op neither is declared nor is renamed by it.

Why it breaks:
    No program gets it: the op is misspelt, or its programs are refused all the same.

Instead:
    Name the op as programs do, such as `pd_op.abs`.
"""

from opspec_lint.lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    is_of_contract=False,
    level="error",
    directions=("backward",),
    since="0.2.0",
    message="{file} has an entry for '{name}', which is no op",
    witness="programs with the op that was meant are not repaired",
    advice="name the op as programs do, such as pd_op.abs",
    facts={"name": "pd_op.rond", "op": "pd_op.rond", "file": "patch/0.yaml"},
    flagged=(("", "patch/0.yaml: {op_name: pd_op.rond, actions: [{action: delete_attr, object: a}]}"),),
    passes=(("", "patch/0.yaml: {op_name: pd_op.round, actions: [{action: delete_attr, object: a}]}"),),
)
