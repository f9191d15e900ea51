from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from opspec_lint.kit.text import one_line
from opspec_lint.report.findings import Report, Waived
from opspec_lint.report.reporters.junit import render
from opspec_lint.spec.model import Origin
from tests.support.nasty import REPORTS, TEXTS, comparison, every_report, finding, report

SCHEMA = {
    "testsuites": ({"testsuite"}, set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"testsuite", "properties", "testcase", "system-out", "system-err"},
        {"name", "tests", "failures", "errors"},
        {"name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"},
    ),
    "properties": ({"property"}, set(), set()),
    "property": (set(), {"name", "value"}, {"name", "value"}),
    "testcase": (
        {"skipped", "error", "failure", "system-out", "system-err"},
        {"name"},
        {"name", "time", "classname", "group"},
    ),
    "failure": (set(), set(), {"type", "message"}),
    "skipped": (set(), set(), {"type", "message"}),
    "system-out": (set(), set(), set()),
}
"""What the schema of Jenkins (junit-10.xsd) allows: an element's children, its required and its known attributes."""

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no document of XML 1.0 may hold (production 2)."""


def parsed(report_):
    return ElementTree.fromstring(render(report_).encode())  # noqa: S314 - it is our own


def cases(report_):
    return parsed(report_).findall("testsuite/testcase")


@pytest.mark.parametrize("item", every_report())
def test_every_report_is_well_formed_and_agrees_with_the_schema(item):
    text = render(item)
    assert not ILLEGAL.search(text)
    root = ElementTree.fromstring(text.encode())  # noqa: S314 - it is our own
    check_counts(root, item)
    assert root.tag == "testsuites"
    for element in root.iter():
        children, required, known = SCHEMA[element.tag]
        assert {child.tag for child in element} <= children
        assert required <= element.attrib.keys() <= known
        assert len(element) == 0 or not (element.text or "").strip()
        assert not (element.tail or "").strip()


def check_counts(root, finding):
    """The counts are those of the test cases."""
    matches = root.findall(".//testcase")
    failures = root.findall(".//failure")
    assert len(matches) == max(len(finding.findings), 1)
    assert len(failures) == finding.count("error")
    for element in (root, root[0]):
        assert element.get("tests") == str(len(matches))
        assert element.get("failures") == str(len(failures))
        assert element.get("errors") == "0"
    assert (
        root[0].get("skipped")
        == str(len(root.findall(".//skipped")))
        == str(len(finding.waived) + len(finding.approved))
    )
    assert len({(case.get("classname"), case.get("name")) for case in matches}) == len(matches)


def test_an_error_is_a_failure():
    first = finding(
        "x",
        op="trace",
        name="axis",
        message="the attr 'axis' was removed",
        breaks="old models",
        advice="keep it",
        head_origin=Origin(file="specs/a.json", line=3, column=5),
    )
    (case,) = cases(report("p", findings=[first]))
    assert case.attrib == {"classname": "trace", "name": "attr_default_changed: trace, attr axis"}
    (failure,) = case
    assert failure.tag == "failure"
    assert failure.attrib == {"type": "attr_default_changed", "message": "the attr 'axis' was removed"}
    assert failure.text.split("\n") == [
        "the attr 'axis' was removed",
        "breaks: old models",
        "instead: keep it",
        "at: specs/a.json:3:5",
        f"fingerprint: {first.fingerprint}",
    ]


@pytest.mark.parametrize("level", ["warning", "note"])
def test_what_is_no_error_passes_and_states_what_it_is(level):
    (case,) = cases(report("p", findings=[finding("x", level=level)]))
    (output,) = case
    assert output.tag == "system-out"
    assert output.text.startswith(f"{level}: x\n")


def test_a_clean_report_is_a_test_that_passed():
    (case,) = cases(REPORTS["empty"])
    assert case.attrib == {"classname": "opspec-lint", "name": "no findings"}
    assert len(case) == 0


def test_the_properties_state_what_was_compared():
    properties = {char.get("name"): char.get("value") for char in parsed(report("p", findings=[])).iter("property")}
    assert properties == {"base": "p", "head": "p", "profile": "p"}
    several = Report(base="main", comparisons=(comparison("a", []), comparison("b", [])))
    assert [(char.get("name"), char.get("value")) for char in parsed(several).iter("property")] == [
        ("revision of base", "main"),
        *((key, "a") for key in ("base", "head", "profile")),
        *((key, "b") for key in ("base", "head", "profile")),
    ]


def test_what_concerns_no_op_is_of_its_kind():
    (case,) = cases(report("p", findings=[finding("x", kind="waiver", op=None, name=None)]))
    assert case.attrib == {"classname": "waiver", "name": "attr_default_changed: waiver"}


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_comes_through(text):
    (case,) = cases(report("p", findings=[finding(text, message=text)]))
    assert case.get("classname") == (one_line(text) or "attr")
    assert case[0].get("message") == one_line(text)[:2000] or len(text) > 1999


@pytest.mark.parametrize("level", ["error", "warning", "note"])
def test_what_is_waived_is_skipped(level):
    waiver = Waived(reason="r", owner="ann", expires="2030-01-01", is_new=True)
    item = report("p", findings=[finding("x", level=level, waived=waiver), finding("y")])
    skipped, failed = sorted(cases(item), key=lambda case: case.get("classname"))
    assert [element.tag for element in skipped] == ["skipped"]
    assert skipped[0].attrib == {"message": "waived by ann until 2030-01-01: r (new in this change)"}
    assert skipped[0].text.startswith(f"{level}: x\n")
    assert [element.tag for element in failed] == ["failure"]
    (suite,) = parsed(item)
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("2", "1", "1")
