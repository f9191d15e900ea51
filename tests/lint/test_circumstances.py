from __future__ import annotations

import re
import string

import pytest

from opspec_lint.lint import rulebook, waivers
from opspec_lint.lint.check import check as compare
from opspec_lint.lint.check import too_small
from opspec_lint.lint.circumstances import Circumstance
from opspec_lint.lint.examples import parse as parse_spec
from opspec_lint.lint.profile import PROFILES
from opspec_lint.lint.remarks import news
from opspec_lint.report.findings import Finding, Report
from opspec_lint.report.versions import Versions, parse
from opspec_lint.spec.model import Origin, Provenance, Remark, Spec
from tests.support.events import CIRCUMSTANCES, OF_MODELS
from tests.support.judging import apply, judge
from tests.support.projects import FILE, TODAY, check, config, text
from tests.support.repositories import Repository

TEMPLATES = {"message": "message", "witness": "breaks", "advice": "advice"}
FINDING = Finding(
    rule="op_removed",
    level="error",
    directions=("backward",),
    kind="op",
    op="relu",
    name="relu",
    message="m",
    breaks="b",
    advice="a",
)
ATTR = {"rule": "attr_default_changed", "kind": "attr", "name": "a", "field": "default_value"}


def of_waiver(findings=(), **entry):
    complete = {"rule": "op_removed", "op": "relu", "reason": "r", "owner": "o"} | entry
    fields = {key: value for key, value in complete.items() if value is not None}
    waiver = waivers.Waiver(fields=fields, origin=Origin(file="w.yaml", line=3, column=1))
    return judge(apply([waiver], findings, TODAY)[1], {})


def of_checkout(folder, files):
    repository = Repository.make(folder / "project", files)
    repository.git("checkout", "-q", "--detach")
    return check(repository).general


def of_project(folder, base, head):
    repository = Repository.make(folder / "project", base)
    repository.stage(head)
    return check(repository).general


def of_reading(event, *, before=False):
    facts = {"reason": "r", "problem": "matches no op", "file": "f.yaml", "actions": "add_attr"}
    said = Remark(event=event, name="f", op="f", digest="d", facts=facts, origin=Origin(file="f.cc", line=3))
    base, head = (
        Spec(file="f", provenance=Provenance(framework="paddle"), ops={}, remarks=remarks)
        for remarks in ((said,) if before else (), (said,))
    )
    return judge(news(base, head), {})


def of_loaders(base, head):
    add = "elementwise_add(X, Y) -> (Out) [axis: INT = -1]"
    specs = [parse_spec(add, framework="paddle") for _ in range(2)]
    specs = [
        spec.but(provenance=spec.provenance.but(version=version))
        for spec, version in zip(specs, (base, head), strict=True)
    ]
    return compare(*specs, PROFILES.load("saved-model")).findings


def of_translation(event, **facts):
    facts = {"remedy": "export such models again", "kind": "op", "own": "f"} | facts
    return judge([Circumstance(event=event, kind="op", op="f", name="f", facts=facts, origin=Origin(file="f.cc"))], {})


SCENES = {
    "compat_key_unread": lambda _: of_reading("compat_key_unread"),
    "generated_schema_stale": lambda _: of_reading("generated_schema_stale"),
    "versioning_unread": lambda _: of_reading("versioning_unread"),
    "op_still_unresolved": lambda _: of_reading("op_unresolved", before=True),
    "op_unresolved": lambda _: of_reading("op_unresolved"),
    "op_version_dropped": lambda _: of_reading("op_version_dropped"),
    "patch_names_nothing": lambda _: of_reading("patch_names_nothing"),
    "patch_missing": lambda _: of_reading("patch_missing"),
    "patch_not_applied": lambda _: of_reading("patch_not_applied"),
    "patch_of_other_dialect": lambda _: of_reading("patch_of_other_dialect"),
    "patch_unread": lambda _: of_reading("patch_unread"),
    "patches_untold": lambda _: of_reading("patches_untold"),
    "translation_argument_dropped": lambda _: of_translation("translation_argument_dropped"),
    "translation_argument_rebound": lambda _: of_translation("translation_argument_rebound", instead="Y"),
    "translation_attr_absent": lambda _: of_translation("translation_attr_absent"),
    "translation_attr_filled": lambda _: of_translation("translation_attr_filled", value="false"),
    "translation_attr_type": lambda _: of_translation("translation_attr_type", given="INT", declared="pir::X"),
    "translation_input_absent": lambda _: of_translation("translation_input_absent"),
    "translation_not_told": lambda _: of_translation("translation_not_told"),
    "translation_op_missing": lambda _: of_translation("translation_op_missing"),
    "translation_output_absent": lambda _: of_translation("translation_output_absent"),
    "yaml_entry_wrong": lambda _: of_reading("yaml_entry_wrong"),
    "yaml_generator_unknown": lambda _: of_reading("yaml_generator_unknown"),
    "nothing_compared": lambda folder: of_checkout(folder, {FILE: text("relu() -> ()")}),
    "policy_changed": lambda folder: of_project(
        folder,
        {FILE: text("relu() -> ()"), "opspec-lint.yaml": config(profile="strict")},
        {"opspec-lint.yaml": config(profile="paddle")},
    ),
    "predictor_broadcast_changed": lambda _: of_loaders("2.6.2", "3.0.0"),
    "release_too_small": lambda _: judge(
        too_small(
            Report(comparisons=(), general=(FINDING,)),
            Versions(released=parse("1.0.0", "x"), next=parse("1.1.0", "x")),
        ),
        {},
    ),
    "spec_added": lambda folder: of_project(folder, {"a": ""}, {FILE: text("relu() -> ()")}),
    "spec_removed": lambda folder: of_project(folder, {FILE: text("relu() -> ()")}, {FILE: None}),
    "waiver_expired": lambda _: of_waiver([FINDING], expires="2026-05-14"),
    "waiver_incomplete": lambda _: of_waiver([FINDING], reason=None, owner=" "),
    "waiver_outdated": lambda _: of_waiver([FINDING.but(**ATTR, old=1, new=2)], rule=ATTR["rule"], new=3),
    "waiver_too_broad": lambda _: of_waiver([FINDING, FINDING.but(name="b")]),
    "waiver_unknown_rule": lambda _: of_waiver([FINDING], rule="op_remove"),
    "waiver_unused": lambda _: of_waiver(),
}


NOWHERE = ("nothing_compared", "predictor_broadcast_changed", "release_too_small", "spec_removed")
"""The events that no file of head shows."""


@pytest.mark.parametrize("event", sorted(CIRCUMSTANCES - OF_MODELS))
def test_every_event_occurs_and_speaks_plainly(event, tmp_path):
    """A new event needs a scene here, as a rule about ops needs an example."""
    found = [each for each in SCENES[event](tmp_path) if each.rule == event]
    rule = rulebook.load(event)
    assert found
    for finding in found:
        assert rule.level in (finding.level, "off")
        assert finding.directions == rule.directions
        assert (finding.head_origin is None) is (event in NOWHERE)
        assert (finding.base_origin is not None) is (event == "spec_removed")
        assert finding.name
        for template, field in TEMPLATES.items():
            shown = getattr(finding, field)
            assert shown.isprintable()
            assert shown.strip() == shown != ""
            assert not shown.endswith(".")
            assert not re.search(r"\{\w*\}", shown)
            fixed = [literal for literal, *_ in string.Formatter().parse(getattr(rule, template))]
            assert all(part in shown for part in fixed)


def test_no_profile_has_a_say_in_circumstances_unless_they_have_to_be_asked_for():
    everywhere = {event for event in CIRCUMSTANCES if rulebook.load(event).level != "off"}
    for name in PROFILES.names():
        assert everywhere.isdisjoint(PROFILES.load(name).levels)


ADDED = Circumstance(event="spec_added", kind="source", name="a.json", facts={"ops": "1 op", "what": "spec file"})
REMOVED = Circumstance(event="spec_removed", kind="source", name="b.json", facts={"ops": "1 op"})


def test_levels_can_be_set_and_the_order_stays():
    assert [each.level for each in judge([ADDED, REMOVED], {})] == ["note", "error"]
    found = judge([ADDED, REMOVED], {"spec_added": "error", "spec_removed": "warning"})
    assert [(each.rule, each.level) for each in found] == [("spec_added", "error"), ("spec_removed", "warning")]
    assert [each.rule for each in judge([ADDED, REMOVED], {"spec_added": "off"})] == ["spec_removed"]


def test_all_facts_arrive():
    origin = Origin(file="w.yaml", line=3, column=1)
    (found,) = judge([REMOVED.but(op="relu", old=[1], new={"a": 2}, origin=origin)], {})
    assert (found.kind, found.name, found.op, found.old, found.new) == ("source", "b.json", "relu", [1], {"a": 2})
    assert (found.head_origin, found.base_origin, found.waived) == (origin, None, None)
    assert found.message == "the spec file 'b.json' was deleted"


def test_hostile_names_stay_on_their_line():
    (found,) = judge([REMOVED.but(name="a\n::error::b\x1b[31m {op} {0}")], {})
    assert found.name == "a\n::error::b\x1b[31m {op} {0}"
    assert found.message == r"the spec file 'a\n::error::b\x1b[31m {op} {0}' was deleted"
