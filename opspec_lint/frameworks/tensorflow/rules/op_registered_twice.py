"""A source tree registers an op twice, with different declarations.

Flags:
    A registration of an op that another file of the tree registers otherwise, in the same build. The one of
    tensorflow/core counts, of others the one whose path comes first: a process has the ops of core before it loads a
    library.

Why it breaks:
    The registry of a process takes each name once: a second registration aborts it when both are linked into one
    binary, and `tf.load_op_library` keeps the op that is there. So the declaration that is not compared here decides
    about models wherever only its library is loaded.

Instead:
    Give one of the ops another name, or register the op in one library that both use.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="warning",
    directions=(),
    message="'{name}' is registered otherwise in {kept}; that declaration counts, this one is not compared",
    witness="a process with both fails at its start, or models mean the declaration that was loaded first",
    advice="rename one of the ops, or register it in one library that both use",
    flagged=(
        (
            'one.cc: REGISTER_OP("Zero").Output("y: int32");\ntwo.cc: REGISTER_OP("One").Output("y: int64");',
            'one.cc: REGISTER_OP("Zero").Output("y: int32");\ntwo.cc: REGISTER_OP("Zero").Output("y: int64");',
        ),
    ),
    passes=(
        (
            'one.cc: REGISTER_OP("Zero").Output("y: int32");\ntwo.cc: REGISTER_OP("One").Output("y: int64");',
            'one.cc: REGISTER_OP("Zero").Output("y: int32");\ntwo.cc: REGISTER_OP("Zero").Output("y: int32");',
        ),
    ),
    facts={"op": "Zero", "name": "Zero", "kept": "one.cc:1"},
)
