from __future__ import annotations

import json

import pytest
from nasty import REPORTS, finding, report

from opspec_lint import schema
from opspec_lint.model import Origin
from opspec_lint.plain import one_line
from opspec_lint.reporters.json import VERSION, render

FIELDS = [
    *("rule", "level", "directions", "relaxation", "kind", "op", "name", "new_name", "confidence", "field", "old"),
    *("new", "message", "breaks", "advice", "review", "base_origin", "head_origin", "fingerprint"),
]


def decoded(rendered):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(rendered, parse_constant=refuse)


def as_judged(each):
    """What the judge writes is one line: names and values come to it with all that is not printable written out."""
    lines = {field: one_line(getattr(each, field)) for field in ("message", "breaks", "advice")}
    return each.but(**lines)


@pytest.mark.parametrize("each", REPORTS.values(), ids=REPORTS)
def test_every_report_is_strict_json_and_agrees_with_its_schema(each):
    each = each.but(findings=tuple(map(as_judged, each.findings)))
    document = decoded(render(each))
    assert schema.faults(document, "report") == []
    assert len(document["findings"]) == len(each.findings)


@pytest.mark.parametrize("name", [name for name in REPORTS if name.startswith(("paddle, ", "strict, "))])
def test_what_the_judge_finds_is_one_line_already(name):
    assert schema.faults(decoded(render(REPORTS[name])), "report") == []


def test_what_it_holds():
    origin = Origin(file="a.cc", line=3)
    one = finding(
        "X",
        op="slice",
        kind="input",
        rule="input_renamed",
        directions=("backward", "forward"),
        field=None,
        old={"dispensable": True},
        new={"dispensable": False},
        new_name="Y",
        confidence=0.8,
        review="inference",
        base_origin=origin,
        head_origin=Origin(file="b.cc"),
    )
    document = decoded(render(report("2.6.2", findings=[one, finding("z", level="note", directions=("forward",))])))
    side = {"file": "2.6.2", "framework": "2.6.2", "version": "2.6.2", "commit": "2.6.2"}
    assert document["version"] == VERSION == 1
    assert document["base"] == {**side, "ops": 3}
    assert document["head"] == {**side, "ops": 1}
    assert document["profile"] == "2.6.2"
    assert document["summary"] == {"error": 1, "warning": 0, "note": 1}
    first, second = document["findings"]
    assert list(first) == list(second) == FIELDS
    assert first == {
        "rule": "input_renamed",
        "level": "error",
        "directions": ["backward", "forward"],
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
        "base_origin": {"file": "a.cc", "line": 3, "column": None},
        "head_origin": {"file": "b.cc", "line": None, "column": None},
        "fingerprint": one.fingerprint,
    }
    assert (second["relaxation"], second["base_origin"], second["new_name"]) == (True, None, None)


def valid():
    return decoded(render(report("p", findings=[finding("x")])))


def test_the_schema_knows_every_field_and_requires_it():
    assert schema.faults(valid(), "report") == []
    definition = schema.load("report")["$defs"]["finding"]
    assert definition["required"] == list(definition["properties"]) == FIELDS
    for key in FIELDS:
        document = valid()
        del document["findings"][0][key]
        assert schema.faults(document, "report"), key
    for key in list(valid()):
        document = valid()
        del document[key]
        assert schema.faults(document, "report"), key


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
        {"base_origin": {"file": "a"}},
        {"base_origin": {"file": "a", "line": 0, "column": None}},
        {"head_origin": "a:1"},
        {"extra": 1},
        {"rule": "Attr Removed"},
    ],
)
def test_the_schema_is_strict(change):
    document = valid()
    document["findings"][0].update(change)
    assert schema.faults(document, "report")


@pytest.mark.parametrize("kind", ["registration", "source", "waiver"])
def test_what_concerns_no_op_has_none(kind):
    document = valid()
    document["findings"][0].update(kind=kind, op=None, name=None)
    assert schema.faults(document, "report") == []


@pytest.mark.parametrize("change", [{"version": 2}, {"version": 1.0}, {"summary": {}}, {"profile": None}, {"x": 1}])
def test_the_schema_of_the_whole_is_strict(change):
    assert schema.faults({**valid(), **change}, "report")
