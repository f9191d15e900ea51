"""A fact that several comparisons share is one object, as long as the ops that it depends on are the same."""

from functools import partial
from itertools import permutations

import pytest

from opspec_lint.diff.memory import NO_MEMORY, Memory
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec import op_table
from opspec_lint.spec.fact import Fact
from opspec_lint.spec.model import Op
from tests.support.released_specs import released


def added(ops):
    return Fact(event="version_added", kind="op", op="f@2", name="f", old="f@1" if "f@1" in ops else None)


@pytest.mark.parametrize("second_op", [None, "f@1"])
def test_a_fact_depends_on_two_ops(second_op):
    first = {"f@1": Op(name="f@1"), "f@2": Op(name="f@2")}
    memory = Memory()
    facts = [
        memory.intern(ops, "f@2", 7, partial(added, ops), second_op=second_op)
        for ops in (first, dict(first), first | {"f@1": Op(name="f@1")}, first | {"f@2": Op(name="f@2")})
    ]
    assert [fact is facts[0] for fact in facts] == [True, True, second_op is None, False]


def test_without_a_memory_no_op_is_built():
    fact = added({})
    assert NO_MEMORY.intern({}, "f@2", 7, lambda: fact, second_op="f@1") is fact


def test_a_fact_in_the_memory_is_made_once():
    ops, memory, made = {"f@2": Op(name="f@2")}, Memory(), []

    def make():
        made.append(added(ops))
        return made[-1]

    assert memory.intern(ops, "f@2", 7, make) is memory.intern(ops, "f@2", 7, make)
    memory.intern(ops, "f@2", 8, make)
    assert len(made) == 2


def test_results_of_a_fact_in_the_memory_are_computed_once():
    ops = {"f@2": Op(name="f@2")}
    memory = Memory()
    kept, computed = memory.intern(ops, "f@2", 7, partial(added, ops)), []

    def results(memory, fact):
        derived = memory.derive_fact(fact, "derived", lambda: added({}))
        return memory.derive(derived, "topic", lambda: computed.append(derived) or len(computed))

    assert [results(memory, kept) for _ in range(2)] == [1, 1]
    # Another fact that is equal is not kept: its id may be given to a third one.
    assert [results(memory, added(ops)) for _ in range(2)] == [2, 3]
    assert [results(NO_MEMORY, kept) for _ in range(2)] == [4, 5]


@pytest.mark.parametrize(
    ("framework", "versions", "policy"),
    [
        ("paddle", ("2.3.2", "2.6.2", "3.0.0"), "paddle-saved-model"),
        ("tensorflow", ("2.10.1", "2.12.1", "2.18.1"), "tensorflow-saved-model"),
        ("tflite", ("2.4.4", "2.8.4", "2.12.1"), "tflite-saved-model"),
        ("onnx", ("1.10.2", "1.14.1", "1.16.2"), "onnx"),
    ],
)
def test_comparisons_with_a_memory_find_the_same_as_single_ones(framework, versions, policy):
    specs = [released(f"{framework}-{version}") for version in versions]
    tables = op_table.share_equal_ops(spec.ops for spec in specs)
    shared = [spec.replace(ops=ops) for spec, ops in zip(specs, tables, strict=True)]
    memory, profile = Memory(), PROFILES.load(policy)
    pairs = list(permutations(range(len(specs)), 2))
    expected = [check(specs[a], specs[b], profile).findings for a, b in pairs]
    assert all(expected)
    # The second time, the memory has the facts of all pairs.
    for _ in range(2):
        assert [check(shared[a], shared[b], profile, memory=memory).findings for a, b in pairs] == expected
