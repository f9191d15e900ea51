from __future__ import annotations

import pytest

from opspec_lint.lint import remarks
from opspec_lint.project.config import Config
from opspec_lint.project.policy import Policy
from opspec_lint.spec.model import Checkpoint, Op, Origin, Provenance, Remark, Spec, Update


def spec(*output):
    return Spec(file="f", provenance=Provenance(framework="paddle"), ops={}, remarks=output)


def message(event="op_unresolved", name="f", digest="1", op="f"):
    return Remark(
        event=event, name=name, op=op, digest=digest, facts={"reason": "r"}, origin=Origin(file="f.cc", line=3)
    )


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ((), (message(),), ["op_unresolved"]),
        ((message(),), (message(),), ["op_still_unresolved"]),
        ((message(digest="0"),), (message(),), ["op_unresolved"]),
        ((message(),), (), []),
        ((), (message("op_version_dropped"),), ["op_version_dropped"]),
        ((message("op_version_dropped"),), (message("op_version_dropped"),), []),
    ],
)
def test_what_base_has_as_well_is_no_news(base, head, expected):
    assert [new_remark.event for new_remark in remarks.new_remarks(spec(*base), spec(*head))] == expected


def test_what_is_new_concerns_the_op_and_what_is_not_on_the_source():
    kinds = [
        [new_remark.kind for new_remark in remarks.new_remarks(spec(*base), spec(message()))]
        for base in ((), (message(),))
    ]
    assert kinds == [["op"], ["source"]]


def test_only_some_ops_can_be_requested():
    head = spec(message(), message(name="g", op="g"), message("yaml_generator_unknown", op=None))
    assert [new_remark.op for new_remark in remarks.new_remarks(spec(), head, ["g"])] == ["g"]


def test_the_place_and_the_facts_are_handed_on():
    (new_remark,) = remarks.new_remarks(spec(), spec(message()))
    assert (new_remark.origins[1].line, new_remark.facts, new_remark.kind) == (3, {"reason": "r"}, "op")


@pytest.mark.parametrize(("level", "expected"), [("note", ["note"]), ("off", [])])
def test_a_configuration_sets_the_level_of_a_remark(level, expected):
    base = spec().replace(ops={"g": Op(name="g")})
    head = spec(message()).replace(ops=base.ops)
    config = Config(file="opspec-lint.toml", levels={"op_unresolved": level})
    assert [finding.level for finding in Policy(config=None).compare(base, head).findings] == ["error"]
    assert [finding.level for finding in Policy(config=config).compare(base, head).findings] == expected


@pytest.mark.parametrize("in_base", [True, False])
def test_registrations_of_an_op_that_cannot_be_evaluated_are_not_stated_to_name_nothing(in_base):
    """The op exists; nobody can say what it has."""
    old = {"g": Op(name="g")} | ({"f": Op(name="f")} if in_base else {})
    base = spec().replace(ops=old, op_versions={})
    history = {"f": (Checkpoint(updates=(Update(action="new", kind="attr", name="a"),)),)}
    head = spec(message()).replace(ops={"g": Op(name="g")}, op_versions=history)
    rules = [finding.rule for finding in Policy(config=None).compare(base, head).findings]
    assert rules == ["op_version_extended", "op_unresolved"]


@pytest.mark.parametrize("is_swapped", [False, True])
def test_ops_of_a_file_that_cannot_be_read_neither_came_nor_went(is_swapped):
    """The file is named; what it declares is unknown."""

    def op(name, file):
        return Op(name=name, origin=Origin(file=file, line=1))

    whole = spec().replace(ops={"f": op("f", "ops.yaml"), "g": op("g", "g.cc"), "h": op("h", "h.cc")})
    unreadable = spec(message(name="ops.yaml", op=None), message("op_version_dropped")).replace(
        ops={"g": whole.ops["g"]}
    )
    sides = (unreadable, whole) if is_swapped else (whole, unreadable)
    rows = [(finding.rule, finding.name) for finding in Policy(config=None).compare(*sides).findings]
    assert rows == ([("op_added", "h")] if is_swapped else [("op_unresolved", "ops.yaml"), ("op_removed", "h")])
