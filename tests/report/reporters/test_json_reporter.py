from __future__ import annotations

import json

import pytest

from opspec_lint.documents import schema
from opspec_lint.kit.text import one_line
from opspec_lint.report.findings import Report, Waived
from opspec_lint.report.reporters.json import VERSION, render
from opspec_lint.spec.model import Origin
from tests.support.events import schema_named
from tests.support.nasty import REPORTS, comparison, every_report, finding, report

FIELDS = [
    *("comparison", "rule", "level", "directions", "consequence", "relaxation", "kind", "op", "name", "new_name"),
    "confidence",
    *("field", "old", "new", "message", "breaks", "advice", "review", "callers", "before", "after"),
    *("base_origin", "head_origin", "also", "waived"),
    *("approval", "proofs", "since", "usage", "fixes", "fingerprint"),
]


def decoded(rendered):
    def refuse(text):
        raise AssertionError(f"{text} is not JSON")

    return json.loads(rendered, parse_constant=refuse)


def as_judged(finding):
    """The judge writes one line: names and values come to it with all characters that are not printable written out."""
    lines = {field: one_line(getattr(finding, field)) for field in ("message", "breaks", "advice")}
    return finding.replace(**lines, waived=finding.waived and as_accepted(finding.waived))


def as_accepted(waived):
    """A waiver without reason or owner, or with a day that is none, waives nothing."""
    expires = None if waived.expires is None else "2030-12-31"
    return waived.replace(reason=waived.reason or "because", owner=waived.owner or "somebody", expires=expires)


@pytest.mark.parametrize("item", every_report())
def test_every_report_is_strict_json_and_agrees_with_its_schema(item):
    item = item.replace(
        general=tuple(map(as_judged, item.general)),
        comparisons=tuple(
            comparison.replace(findings=tuple(map(as_judged, comparison.findings))) for comparison in item.comparisons
        ),
    )
    document = decoded(render(item))
    assert schema.faults(document, schema_named("report")) == []
    assert len(document["findings"]) == len(item.findings)


@pytest.mark.parametrize("name", [name for name in REPORTS if name.startswith(("paddle, ", "strict, "))])
def test_what_the_judge_finds_is_a_single_line_already(name):
    assert schema.faults(decoded(render(REPORTS[name])), schema_named("report")) == []


def test_what_it_holds():
    origin = Origin(file="a.cc", line=3)
    item = finding(
        "X",
        op="slice",
        kind="input",
        rule="input_renamed",
        directions=("backward", "forward"),
        consequence="misread",
        field=None,
        old={"dispensable": True},
        new={"dispensable": False},
        new_name="Y",
        confidence=0.8,
        review="inference",
        base_origin=origin,
        head_origin=Origin(file="b.cc"),
    )
    document = decoded(render(report("2.6.2", findings=[item, finding("z", level="note", directions=("forward",))])))
    side = {"file": "2.6.2", "framework": "2.6.2", "version": "2.6.2", "commit": "2.6.2"}
    assert document["version"] == VERSION == 1
    assert (document["base"], document["unchanged"]) == (None, [])
    assert document["comparisons"] == [
        {
            "base": {**side, "ops": 3},
            "head": {**side, "ops": 1},
            "profile": "2.6.2",
            "only": None,
            "ignored": 0,
            "summary": {"error": 1, "warning": 0, "note": 1},
        }
    ]
    assert document["summary"] == {"error": 1, "warning": 0, "note": 1, "waived": 0, "approved": 0}
    first, second = document["findings"]
    assert list(first) == list(second) == FIELDS
    assert first == {
        "comparison": 0,
        "rule": "input_renamed",
        "level": "error",
        "directions": ["backward", "forward"],
        "consequence": "misread",
        "relaxation": False,
        "kind": "input",
        "op": "slice",
        "name": "X",
        "new_name": "Y",
        "confidence": 0.8,
        "field": None,
        "old": {"dispensable": True},
        "new": {"dispensable": False},
        "message": "X",
        "breaks": "X",
        "advice": "X",
        "review": "inference",
        "callers": [],
        "before": None,
        "after": None,
        "base_origin": {"file": "a.cc", "line": 3, "column": None},
        "head_origin": {"file": "b.cc", "line": None, "column": None},
        "also": [],
        "waived": None,
        "approval": None,
        "proofs": [],
        "since": None,
        "usage": None,
        "fixes": [],
        "fingerprint": item.fingerprint,
    }
    assert (second["relaxation"], second["base_origin"], second["new_name"]) == (True, None, None)


def test_several_comparisons_general_findings_and_waivers():
    waivers = (Waived(reason="r", owner="o", expires="2030-01-01", is_new=True), Waived(reason="r", owner="o"))
    document = decoded(
        render(
            Report(
                base="main",
                general=(finding("specs/c.json", kind="source", op=None, level="warning"),),
                comparisons=(
                    comparison("a", [finding("x"), finding("y", waived=waivers[0], also=("b.json", "c.json"))]),
                    comparison("b", [], ignored=2),
                    comparison("c", [finding("z", level="note", waived=waivers[1])], only=("z",)),
                ),
                unchanged=("specs/d.json",),
            )
        )
    )
    assert list(document) == ["version", "base", "comparisons", "unchanged", "summary", "release", "findings"]
    assert (document["base"], document["unchanged"]) == ("main", ["specs/d.json"])
    assert document["summary"] == {"error": 1, "warning": 1, "note": 0, "waived": 2, "approved": 0}
    rows = [
        (comparison["head"]["file"], comparison["only"], comparison["ignored"], comparison["summary"])
        for comparison in document["comparisons"]
    ]
    assert rows == [
        ("a", None, 0, {"error": 1, "warning": 0, "note": 0}),
        ("b", None, 2, {"error": 0, "warning": 0, "note": 0}),
        ("c", ["z"], 0, {"error": 0, "warning": 0, "note": 0}),
    ]
    result = [
        (finding["comparison"], finding["name"], finding["also"], finding["waived"]) for finding in document["findings"]
    ]
    assert result == [
        (None, "specs/c.json", [], None),
        (0, "x", [], None),
        (0, "y", ["b.json", "c.json"], {"reason": "r", "owner": "o", "expires": "2030-01-01", "new": True}),
        (2, "z", [], {"reason": "r", "owner": "o", "expires": None, "new": False}),
    ]


def valid():
    return decoded(render(report("p", findings=[finding("x")])))


def faults_with(key, change):
    """Return the errors of a valid report after one of its comparisons, or findings, got something else in it."""
    document = valid()
    document[key][0].update(change)
    return schema.faults(document, schema_named("report"))


def test_the_schema_knows_every_field_and_requires_it():
    assert schema.faults(valid(), schema_named("report")) == []
    definition = schema_named("report")["$defs"]["finding"]
    assert definition["required"] == list(definition["properties"]) == FIELDS
    for part in ("findings", "comparisons"):
        for key in list(valid()[part][0]):
            document = valid()
            del document[part][0][key]
            assert schema.faults(document, schema_named("report")), (part, key)
    for key in list(valid()):
        document = valid()
        del document[key]
        assert schema.faults(document, schema_named("report")), key


@pytest.mark.parametrize(
    "change",
    [
        {"level": "off"},
        {"level": "fatal"},
        {"kind": "opp"},
        {"directions": ["sideways"]},
        {"directions": ["backward", "backward"]},
        {"directions": "backward"},
        {"op": None},
        {"name": None},
        {"new_name": "y"},
        {"confidence": 0.7},
        {"confidence": 0.2, "new_name": "y"},
        {"fingerprint": "0123456789ABCDEF"},
        {"fingerprint": "0123456789abcdef0"},
        {"message": "two\nlines"},
        {"message": ""},
        {"relaxation": True},
        {"consequence": "garbled"},
        {"base_origin": {"file": "a"}},
        {"base_origin": {"file": "a", "line": 0, "column": None}},
        {"head_origin": "a:1"},
        {"extra": 1},
        {"rule": "Attr Removed"},
        {"comparison": "a.json"},
        {"comparison": -1},
        {"also": "b.json"},
        {"also": None},
        {"waived": True},
        {"waived": {"reason": "r", "owner": "o", "expires": None}},
        {"waived": {"reason": "", "owner": "o", "expires": None, "new": True}},
        {"waived": {"reason": "r", "owner": "", "expires": None, "new": True}},
        {"waived": {"reason": "r", "owner": "o", "expires": "soon", "new": True}},
    ],
)
def test_the_schema_is_strict(change):
    assert faults_with("findings", change)


@pytest.mark.parametrize("kind", ["registration", "source", "config", "waiver"])
def test_what_concerns_no_op_has_none(kind):
    assert faults_with("findings", {"kind": kind, "op": None, "name": None}) == []


@pytest.mark.parametrize("change", [{"profile": None}, {"only": "a"}, {"ignored": -1}, {"summary": {}}, {"x": 1}])
def test_the_schema_of_a_comparison_is_strict(change):
    assert faults_with("comparisons", {}) == []
    assert faults_with("comparisons", change)


@pytest.mark.parametrize(
    "change",
    [{"version": 2}, {"version": 1.0}, {"summary": {}}, {"base": {}}, {"comparisons": {}}, {"unchanged": 3}, {"x": 1}],
)
def test_the_schema_of_the_whole_is_strict(change):
    assert schema.faults({**valid(), **change}, schema_named("report"))
