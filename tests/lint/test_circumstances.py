from __future__ import annotations

from opspec_lint.lint import rulebook
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.model import Origin
from tests.support.events import CIRCUMSTANCES
from tests.support.judging import judge


def test_no_profile_has_a_say_in_circumstances_unless_they_have_to_be_asked_for():
    everywhere = {event for event in CIRCUMSTANCES if rulebook.load(event).level != "off"}
    for name in PROFILES.names():
        assert everywhere.isdisjoint(PROFILES.load(name).levels)


ADDED = circumstance("spec_added", "source", "a.json", {"ops": "1 op", "what": "spec file"})
REMOVED = circumstance("spec_removed", "source", "b.json", {"ops": "1 op", "lost": ""})


def test_levels_can_be_set_and_the_order_stays():
    assert [finding.level for finding in judge([ADDED, REMOVED], {})] == ["note", "error"]
    findings = judge([ADDED, REMOVED], {"spec_added": "error", "spec_removed": "warning"})
    assert [(finding.rule, finding.level) for finding in findings] == [
        ("spec_added", "error"),
        ("spec_removed", "warning"),
    ]
    assert [finding.rule for finding in judge([ADDED, REMOVED], {"spec_added": "off"})] == ["spec_removed"]


def test_all_facts_arrive():
    origin = Origin(file="w.yaml", line=3, column=1)
    (finding,) = judge([REMOVED.replace(op="relu", old=[1], new={"a": 2}, origins=(None, origin))], {})
    assert (finding.kind, finding.name, finding.op, finding.old, finding.new) == (
        "source",
        "b.json",
        "relu",
        [1],
        {"a": 2},
    )
    assert (finding.head_origin, finding.base_origin, finding.waived) == (origin, None, None)
    assert finding.message == "the spec file 'b.json' was deleted"


def test_hostile_names_stay_on_their_line():
    (finding,) = judge([REMOVED.replace(name="a\n::error::b\x1b[31m {op} {0}")], {})
    assert finding.name == "a\n::error::b\x1b[31m {op} {0}"
    assert finding.message == r"the spec file 'a\n::error::b\x1b[31m {op} {0}' was deleted"
