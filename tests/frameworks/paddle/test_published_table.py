"""The errors of `check` under the profile `paddle` are the violations of the published table, and nothing else.

The table is computed here a second time, from its text alone and over the outputs of print_op_desc as they stand.
Outside of what is extra: inputs and outputs may be added if they are dispensable, attrs if they have a default value;
deleting or modifying anything is forbidden. An argument that base says is extra is never a violation, nor one that is
added as extra to a base that speaks of extra; one that stops being extra counts as added. An op that disappears is a
violation.
"""

from __future__ import annotations

import copy
import json
import random
from functools import cache

import pytest

from opspec_lint.documents.decode import Document
from opspec_lint.lint.check import check
from opspec_lint.lint.profile import PROFILES
from opspec_lint.sources import recognise
from tests.support import paths

DATA = paths.DATA / "paddle"
KINDS = {"Inputs": "input", "Outputs": "output", "Attrs": "attr"}
VARIABLE_FLAGS = ("duplicable", "dispensable", "intermediate", "extra", "quant")
MOVED = {"input": "output", "output": "input"}
MUTATIONS = 400


@cache
def raw(version):
    return json.loads((DATA / f"paddle-{version}.json").read_text(encoding="utf-8"))


def violations(base, head):
    """Return (op, kind, name, what) for each violation; what is a field, "added" or "removed"."""
    result = set()
    speaks = any("extra" in value for op in base.values() for section in op.values() for value in section.values())
    for op, before in base.items():
        if op not in head:
            result.add((op, "op", op, "removed"))
            continue
        for section, kind in KINDS.items():
            old, new = before[section], head[op][section]
            for name in old.keys() | new.keys():
                result |= {
                    (op, kind, name, what) for what in violated(old.get(name), new.get(name), section, speaks=speaks)
                }
    return result


def violated(old, new, section, *, speaks):
    if new is None:
        return set() if old.get("extra") else {"removed"}
    optional = new.get("default_value") is not None if section == "Attrs" else new.get("dispensable")
    if old is None:
        return set() if optional or (speaks and new.get("extra")) else {"added"}
    was = old.get("extra", False)
    now = new.get("extra", was)
    if was:
        return set() if now or optional else {"added"}
    return {field for field in old.keys() & new.keys() if differs(old, new, field)}


def differs(old, new, field):
    if json.dumps(old[field]) == json.dumps(new[field]):
        return False
    if field == "default_value" and old.get("type") != new.get("type") and {"type"} <= old.keys() & new.keys():
        return old[field] != new[field]  # 0 became 0.0 because INT became FLOAT: one modification, that of the type
    return True


def errors(base, head):
    """Return the violations that `check` finds, with a rename or move as its removal and addition."""
    specs = [recognise.spec_of(Document(file="raw", value=value)) for value in (base, head)]
    comparison = check(*specs, PROFILES.load("paddle"))
    return {error for finding in comparison.findings if finding.level == "error" for error in spelled_out(finding)}


def spelled_out(finding):
    if finding.new_name is not None:
        yield finding.op, finding.kind, finding.name, "removed"
        kind = (
            finding.kind if finding.rule.endswith("_renamed") else {"input": "output", "output": "input"}[finding.kind]
        )
        optional = finding.new.get("default_value") is not None if kind == "attr" else finding.new.get("dispensable")
        if not optional:
            yield finding.op, kind, finding.new_name, "added"
    elif finding.field == "extra" and finding.old is True:
        yield finding.op, finding.kind, finding.name, "added"
    elif finding.field is not None:
        yield finding.op, finding.kind, finding.name, finding.field
    else:
        removed = finding.new is None and finding.old is not None
        what = "removed" if removed or finding.kind == "op" else "added"
        yield finding.op, finding.kind, finding.name, what


@pytest.mark.parametrize(
    ("base", "head"), [("1.8.5", "2.6.2"), ("2.6.2", "3.0.0"), ("3.0.0", "2.6.2"), ("2.6.2", "1.8.5")]
)
def test_errors_between_releases(base, head):
    expected = violations(raw(base), raw(head))
    assert len(expected) > 100
    assert errors(raw(base), raw(head)) == expected


def test_every_kind_of_violation_occurs_between_the_releases():
    seen = {
        (kind, what)
        for base, head in (("1.8.5", "2.6.2"), ("2.6.2", "3.0.0"))
        for _, kind, _, what in violations(raw(base), raw(head))
    }
    assert {("op", "removed"), ("input", "added"), ("output", "removed"), ("attr", "added")} <= seen
    assert {("attr", "default_value"), ("attr", "type"), ("input", "dispensable"), ("input", "removed")} <= seen


DEFAULTS = [None, 0, 1, -1, True, False, 0.0, 1.5, "", "x", [], [1], [1, 2], [1.0], ["a"], float("nan"), float("inf")]


class Mutator:
    """Changes ops at random, in place."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311

    def pair(self):
        """Return some real ops, and what became of them; or the reverse."""
        ops = raw(self.random.choice(["1.8.5", "2.6.2", "3.0.0"]))
        names = self.random.sample(sorted(ops), 4)
        base = {name: copy.deepcopy(ops[name]) for name in names}
        head = copy.deepcopy(base)
        for _ in range(self.random.randint(1, 8)):
            self.mutate(head)
        return (base, head) if self.random.random() < 0.5 or not head else (head, base)

    def mutate(self, ops):
        if not ops:
            return
        op = ops[self.random.choice(sorted(ops))]
        section = self.random.choice([key for key in KINDS for _ in range(1 + bool(op[key]))])
        arguments = op[section]
        acts = [self.add]
        if arguments:
            acts += [self.modify, self.modify, self.modify, self.delete, self.rename, self.move, self.forget]
        if self.random.random() < 0.04:
            del ops[self.random.choice(sorted(ops))]
        else:
            self.random.choice(acts)(op, section, arguments)

    def any_of(self, arguments):
        return self.random.choice(sorted(arguments))

    def flag(self):
        return self.random.random() < 0.5

    def variable(self):
        return {flag: self.flag() for flag in VARIABLE_FLAGS}

    def attr(self):
        flags = {flag: self.flag() for flag in ("generated", "extra", "quant")}
        return {"type": self.random.randrange(18), "default_value": self.random.choice(DEFAULTS), **flags}

    def add(self, _, section, arguments):
        name = self.random.choice(["X", "Y", "Extra", "axis", "Axis", "new_thing", "NewThing"])
        arguments[name] = self.attr() if section == "Attrs" else self.variable()

    def modify(self, _, section, arguments):
        argument = arguments[self.any_of(arguments)]
        another = self.attr() if section == "Attrs" else self.variable()
        field = self.random.choice(sorted(argument.keys() & another.keys()) or ["extra"])
        argument[field] = another[field]

    def delete(self, _, __, arguments):
        del arguments[self.any_of(arguments)]

    def rename(self, _, __, arguments):
        name = self.any_of(arguments)
        new = self.random.choice([f"{name}s", name.lower(), name.upper(), f"{name}_", "Else"])
        arguments[new] = arguments.pop(name)

    def move(self, op, section, arguments):
        if section != "Attrs":
            name = self.any_of(arguments)
            text = "Outputs" if section == "Inputs" else "Inputs"
            op[text][name] = arguments.pop(name)

    def forget(self, _, __, arguments):
        """Make a field of an argument unknown."""
        argument = arguments[self.any_of(arguments)]
        argument.pop(self.random.choice(["extra", "quant", self.any_of(argument) if argument else ""]), None)


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, MUTATIONS, 50)], ids=str)
def test_errors_of_random_mutations(seeds):
    for seed in seeds:
        base, head = Mutator(seed).pair()
        assert errors(base, head) == violations(base, head), f"seed {seed}"


def test_random_mutations_bring_forth_violations_of_every_sort():
    seen = set()
    for seed in range(MUTATIONS):
        base, head = Mutator(seed).pair()
        seen |= {(kind, what) for _, kind, _, what in violations(base, head)}
    fields = {
        "input": VARIABLE_FLAGS,
        "output": VARIABLE_FLAGS,
        "attr": ("type", "default_value", "generated", "extra"),
    }
    for kind, names in fields.items():
        assert {(kind, what) for what in (*names, "added", "removed")} <= seen


def test_renames_and_moves_are_among_the_errors():
    """Otherwise nothing above would have tried how a rename or move is taken apart."""
    rules = set()
    for seed in range(MUTATIONS):
        base, head = Mutator(seed).pair()
        specs = [recognise.spec_of(Document(file="raw", value=value)) for value in (base, head)]
        rules |= {
            finding.rule for finding in check(*specs, PROFILES.load("paddle")).findings if finding.level == "error"
        }
    assert {f"{kind}_renamed" for kind in KINDS.values()} | {"input_moved", "output_moved"} <= rules
