"""DeepDiff as an oracle: where it sees two decoded files differ, `diff` yields a change, and the reverse."""

from __future__ import annotations

import copy
import json
import random
from functools import cache

import pytest
from deepdiff import DeepDiff
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.diff.specs import diff
from opspec_lint.documents.decode import Document, decode
from opspec_lint.frameworks.paddle.companions.op_versions import parse_table
from opspec_lint.sources import recognise
from opspec_lint.spec.canonical import dumps
from tests.support import paths

DATA = paths.DATA / "paddle"
SECTIONS = ("Inputs", "Outputs", "Attrs")
FLAGS = ("duplicable", "dispensable", "intermediate", "generated", "extra", "quant")
UPDATES = [f"k{action}{kind}" for action in ("New", "Modify", "Delete") for kind in ("Input", "Output", "Attr")]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.sampled_from([0.0, 1.0, float("nan"), float("inf")]),
    st.text(max_size=2),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)


@cache
def released(version):
    return tuple(
        json.loads((DATA / f"paddle-{version}{suffix}.json").read_text(encoding="utf-8"))
        for suffix in ("", ".opversions")
    )


def sees_difference(first, two):
    """Ask DeepDiff. Paired by index, since it otherwise takes True, 1 and 1.0 for one another inside of lists."""
    return bool(DeepDiff(first, two, ignore_nan_inequality=True, zip_ordered_iterables=True))


def spec(ops, versions):
    table = parse_table(versions, "versions")
    return recognise.spec_of(Document(file="raw", value=ops)).replace(op_versions=table)


def canonical(result):
    return recognise.spec_of(decode(dumps(result).encode(), "canonical"))


def agree(base, head):
    """Hold `diff` against DeepDiff, in both directions and forms, and return what they agree on.

    Each side is its ops and their op versions, as decoded.
    """
    expected = sees_difference(base, head)
    first, two = spec(*base), spec(*head)
    for before, after in ((first, two), (two, first), (canonical(first), canonical(two)), (first, canonical(two))):
        assert bool(diff(before, after)) is expected
    return expected


class Mutator:
    """Makes a pair of some real ops and something near to them, some of it no difference at all."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311

    def pair(self):
        ops, versions = released(self.random.choice(["2.6.2", "3.0.0"]))
        names = self.random.sample(sorted(ops.keys() & versions.keys()), 3)
        base = tuple({name: copy.deepcopy(table[name]) for name in names} for table in (ops, versions))
        head = copy.deepcopy(base)
        for _ in range(self.random.choice([0, 1, 1, 1, 2, 5])):
            self.random.choice([self.ops, self.ops, self.versions, self.shuffle])(*head)
        return base, head

    def pick(self, table):
        return self.random.choice(sorted(table))

    def value(self):
        leaves = [None, True, False, 0, 1, 0.0, 1.0, "", "1", float("nan"), float("inf"), -float("inf")]
        value = self.random.choice([*leaves, [], [1], [True], [1.0], [[1], []], [[1.0], []], ["a", "b"], ["b", "a"]])
        return copy.deepcopy(value)

    def ops(self, ops, _):
        op = ops[self.pick(ops)]
        arguments = op[self.random.choice([section for section in SECTIONS if op[section]])]
        argument = arguments[self.pick(arguments)]
        act = self.random.randrange(8)
        if act == 0:
            del arguments[self.pick(arguments)]
        elif act == 1:
            arguments["added"] = copy.deepcopy(argument)
        elif act == 2:
            del ops[self.pick(ops)]
            ops.setdefault("brand_new_op", copy.deepcopy(op))
        elif act < 5:
            flag = self.random.choice([flag for flag in FLAGS if flag in argument])
            argument[flag] = self.random.random() < 0.5
        else:
            attr = op["Attrs"][self.pick(op["Attrs"])]
            if act == 5:
                attr["type"] = self.random.randrange(18)
            else:
                attr["default_value"] = self.value()

    def versions(self, _, versions):
        checkpoints = versions[self.pick(versions)]["checkpoints"]
        checkpoint = self.random.choice(checkpoints) if checkpoints else {"note": "", "updates": []}
        act = self.random.randrange(8)
        if act == 0:
            checkpoints.insert(self.random.randint(0, len(checkpoints)), {"note": "n", "updates": [self.update()]})
        elif act == 1 and checkpoints:
            checkpoints.pop(self.random.randrange(len(checkpoints)))
        elif act == 2:
            checkpoint["note"] = self.random.choice(["", "another note"])
        elif act == 3:
            checkpoint["updates"].append(self.update())
        elif checkpoint["updates"]:
            update = self.random.choice(checkpoint["updates"])
            fields = {"type", "name", "remark", "default"} if update["type"] in UPDATES else {"remark"}
            field = self.random.choice(sorted(fields & update.keys()))
            update[field] = {**self.update(), "default": self.value()}[field]

    def update(self):
        kind = self.random.choice(UPDATES)
        return {
            "type": kind,
            "name": self.random.choice("XYab"),
            "remark": self.random.choice(["", "why"]),
            "default": 0,
        }

    def shuffle(self, ops, _):
        """Reorder arguments, which is no difference to Paddle."""
        op = ops[self.pick(ops)]
        section = self.random.choice(SECTIONS)
        names = list(op[section])
        self.random.shuffle(names)
        op[section] = {name: op[section][name] for name in names}


@pytest.mark.parametrize("seeds", [range(120), pytest.param(range(120, 720), marks=pytest.mark.exhaustive)], ids=str)
def test_random_mutations(seeds):
    seen = set()
    for seed in seeds:
        base, head = Mutator(seed).pair()
        seen.add(agree(base, head))
    assert seen == {True, False}


def test_the_mutations_are_of_every_sort():
    events = set()
    for seed in range(360):
        base, head = Mutator(seed).pair()
        events |= {change.event for change in diff(spec(*base), spec(*head))}
    assert {"op_removed", "op_added", "attr_default_changed", "attr_type_changed", "attr_removed"} <= events
    assert {"op_version_extended", "op_version_lost", "op_version_rewritten", "op_version_reworded"} <= events
    assert {f"{flag}_set" for flag in FLAGS} | {"dispensable_cleared", "extra_cleared"} <= events


def with_default(value):
    attr = {"type": 0, "generated": False, "default_value": value, "extra": False, "quant": False}
    return {"f": {"Inputs": {}, "Outputs": {}, "Attrs": {"a": attr}}}, {}


@settings(max_examples=200)
@given(VALUES, VALUES)
def test_defaults_of_every_json_type(old, new):
    agree(with_default(old), with_default(new))
    assert not agree(with_default(old), with_default(copy.deepcopy(old)))


@pytest.mark.parametrize(
    ("old", "new", "differ"),
    [
        (True, 1, True),
        (1, 1.0, True),
        (0, False, True),
        ([1], [True], True),
        ([[1.0]], [[1]], True),
        ([1, 2], [2, 1], True),
        ([], None, True),
        ("", None, True),
        ({"a": 1}, {"a": True}, True),
        (float("nan"), -float("nan"), False),
        ([float("nan")], [float("inf") - float("inf")], False),
        (0.1 + 0.2, 0.3, True),
        (9223372036854775807, 9223372036854775806, True),
        (9223372036854775807, 9223372036854775807.0, True),
    ],
)
def test_defaults_that_are_easily_confused(old, new, differ):
    assert agree(with_default(old), with_default(new)) is differ


def registered(default):
    update = {"type": "kNewAttr", "name": "a", "remark": "", "default": default}
    return with_default(0)[0], {"f": {"version_id": 1, "checkpoints": [{"note": "", "updates": [update]}]}}


@settings(max_examples=100)
@given(VALUES, VALUES)
def test_registered_defaults_of_every_json_type(old, new):
    agree(registered(old), registered(new))
    assert not agree(registered(old), registered(copy.deepcopy(old)))


def test_two_releases():
    """On a part of the ops that both have, since DeepDiff takes seconds for all."""
    names = sorted(released("2.6.2")[0].keys() & released("3.0.0")[0].keys())[::8]
    base, head = (
        tuple({name: table[name] for name in names if name in table} for table in released(version))
        for version in ("2.6.2", "3.0.0")
    )
    assert agree(base, head)
    assert not agree(base, copy.deepcopy(base))
