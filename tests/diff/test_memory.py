"""A fact that several comparisons share is one object, as long as the ops that it depends on are the same."""

import pytest

from opspec_lint.diff.memory import NO_MEMORY, Memory
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import Op


def added(ops):
    return Fact(event="version_added", kind="op", op="f@2", name="f", old="f@1" if "f@1" in ops else None)


@pytest.mark.parametrize("second_op", [None, "f@1"])
def test_a_fact_depends_on_two_ops(second_op):
    first = {"f@1": Op(name="f@1"), "f@2": Op(name="f@2")}
    memory = Memory()
    facts = [
        memory.intern(added(ops), ops, "f@2", 7, second_op=second_op)
        for ops in (first, dict(first), first | {"f@1": Op(name="f@1")}, first | {"f@2": Op(name="f@2")})
    ]
    assert [fact is facts[0] for fact in facts] == [True, True, second_op is None, False]


def test_without_a_memory_no_op_is_built():
    fact = added({})
    assert NO_MEMORY.intern(fact, {}, "f@2", second_op="f@1") is fact
