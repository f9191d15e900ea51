from __future__ import annotations

import pytest

from opspec_lint import remarks
from opspec_lint.config import Config
from opspec_lint.model import Op, Origin, Provenance, Remark, Spec
from opspec_lint.policy import Policy


def spec(*said):
    return Spec(file="f", provenance=Provenance(framework="paddle"), ops={}, remarks=said)


def said(event="op_unresolved", name="f", digest="1", op="f"):
    return Remark(
        event=event, name=name, op=op, digest=digest, facts={"reason": "r"}, origin=Origin(file="f.cc", line=3)
    )


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ((), (said(),), ["op_unresolved"]),
        ((said(),), (said(),), ["op_still_unresolved"]),
        ((said(digest="0"),), (said(),), ["op_unresolved"]),
        ((said(),), (), []),
        ((), (said("op_version_dropped"),), ["op_version_dropped"]),
        ((said("op_version_dropped"),), (said("op_version_dropped"),), []),
    ],
)
def test_what_base_has_as_well_is_no_news(base, head, expected):
    assert [each.event for each in remarks.news(spec(*base), spec(*head))] == expected


def test_only_some_ops_can_be_asked_for():
    head = spec(said(), said(name="g", op="g"), said("yaml_generator_unknown", op=None))
    assert [each.op for each in remarks.news(spec(), head, ["g"])] == ["g"]


def test_the_place_and_the_facts_are_handed_on():
    (found,) = remarks.news(spec(), spec(said()))
    assert (found.origin.line, found.facts, found.kind) == (3, {"reason": "r"}, "op")


@pytest.mark.parametrize(("level", "expected"), [("note", ["note"]), ("off", [])])
def test_a_configuration_sets_the_level_of_a_remark(level, expected):
    base = spec().but(ops={"g": Op(name="g")})
    head = spec(said()).but(ops=base.ops)
    config = Config(file="opspec-lint.toml", levels={"op_unresolved": level})
    assert [each.level for each in Policy(config=None).compare(base, head).findings] == ["error"]
    assert [each.level for each in Policy(config=config).compare(base, head).findings] == expected
