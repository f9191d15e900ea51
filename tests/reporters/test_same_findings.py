"""Every format that lists findings lists the same ones: each is read back from the text that it renders."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from nasty import REPORTS, finding

from opspec_lint import catalogue, files
from opspec_lint.check import check
from opspec_lint.check import report as report_of
from opspec_lint.findings import Report, Waived
from opspec_lint.profile import load

SPECS = os.path.join(os.path.dirname(__file__), os.pardir, os.pardir, "specs")
LEVELS = ("error", "warning", "note")


def from_json(text):
    return [(each["rule"], each["op"], each["name"]) for each in json.loads(text)["findings"]]


def from_sarif(text):
    (run,) = json.loads(text)["runs"]
    return [(each["ruleId"], each["properties"]["op"], each["properties"]["name"]) for each in run["results"]]


def from_gitlab(text):
    descriptions = ((each["check_name"], re.sub(r"^\[.*?\] ", "", each["description"])) for each in json.loads(text))
    return [told(f"{rule}: {description}") for rule, description in descriptions]


def from_junit(text):
    root = ElementTree.fromstring(text)  # noqa: S314 - it is our own
    return [told(re.sub(r"-\d+$", "", case.get("name"))) for case in root.iter("testcase")]


def from_github(text):
    titles = re.findall(r"^::\w+ .*?title=([^:]*)::", text, re.MULTILINE)
    return [
        told(unquote(title).removeprefix("newly waived, ").removeprefix("waived, ").removeprefix("approved, "))
        for title in titles
    ]


def from_markdown(text):
    found, op = [], None
    for line in text.partition("\nWhat the rules say")[0].splitlines():
        if header := re.fullmatch(r"- (?:`([\w@]+)`|about no single op)(?: in `.*`)?", line):
            op = header[1]
        elif item := re.fullmatch(r"  - `(\w+)`(, \w+(?: `([\w@./]+)`)?)?: .* \(.*; `\w{16}`\)", line):
            found.append((item[1], op, item[3] if item[2] else op))
    return found


def from_html(text):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1])
    shown = re.findall(r'<details id="(\w+(?:-\d+)?)" class="finding ', text)
    assert Counter(each["id"] for each in data) == Counter(shown)
    return [(each["rule"], each["op"], each["name"]) for each in data]


def told(text):
    """Rule, op and name from `RULE: OP`, `RULE: OP, KIND NAME`, `RULE: KIND` or `RULE: KIND NAME`."""
    rule, op, argument, name = re.match(r"(\w+): (\w+)(, \w+(?: ([\w@]+))?)?", text).groups()
    if op in ("registration", "source", "config", "waiver") and not argument:
        general = re.match(r"\w+: \w+ ([\w./]+)", text)
        return rule, None, general and general[1]
    return rule, op, name if argument else op


READERS = {
    "json": from_json,
    "sarif": from_sarif,
    "gitlab": from_gitlab,
    "junit": from_junit,
    "markdown": from_markdown,
    "html": from_html,
}


def render(name, report):
    return catalogue.module("reporters", name).render(report, color=False)


def expected(findings):
    return Counter((each.rule, each.op, each.name) for each in findings)


@pytest.fixture(scope="module", params=["paddle", "paddle-2021", "strict"])
def releases(request):
    base, head = (files.read_spec(os.path.join(SPECS, f"paddle-{version}.json")) for version in ("2.6.2", "3.0.0"))
    return report_of(check(base, head, load(request.param)))


@pytest.fixture(scope="module")
def everything(releases):
    """Three comparisons with findings in common, some of them waived, and general findings."""
    (only,) = releases.comparisons
    waived = (
        None,
        None,
        Waived(reason="r", owner="o"),
        Waived(reason="r", owner="o", expires="2030-01-01", is_new=True),
    )
    part = tuple(each.but(waived=waived[number % 4], also=("b.json",)) for number, each in enumerate(only.findings))
    none = {"op": None, "old": None, "new": None, "field": None}
    general = (
        finding("specs/a.json", kind="source", rule="spec_removed", **none),
        finding("profile", kind="config", rule="policy_changed", level="warning", **none),
        finding("specs/b.json", kind="source", rule="spec_added", level="note", **none),
        finding("specs/c.json", kind="source", rule="spec_removed", **none | {"waived": waived[3]}),
    )
    other = only.but(head=only.head.but(file="specs/other.json"), findings=part)
    return Report(base="main", general=general, comparisons=(only, other, other.but(findings=part[:7])))


@pytest.mark.parametrize("name", READERS)
def test_the_findings_of_several_comparisons(name, everything):
    assert len(everything.findings) > 600
    assert len(everything.waived) > 100
    assert Counter(READERS[name](render(name, everything))) == expected(everything.findings)


@pytest.mark.parametrize("name", READERS)
def test_the_findings_of_a_real_pair(name, releases):
    assert len(releases.findings) > 300
    assert Counter(READERS[name](render(name, releases))) == expected(releases.findings)


def test_workflow_commands_hold_the_first_ten_of_each_level(releases):
    shown = [each for level in LEVELS for each in [one for one in releases.findings if one.level == level][:10]]
    assert Counter(from_github(render("github", releases))) == expected(shown)


def test_workflow_commands_of_several_comparisons_show_what_is_newly_waived_before_the_notes(everything):
    counted = [each for each in everything.findings if each.waived is None]
    shown = [each for level in ("error", "warning") for each in [one for one in counted if one.level == level][:10]]
    shown += [each for each in everything.waived if each.waived.is_new][:10]
    assert Counter(from_github(render("github", everything))) == expected(shown)


@pytest.mark.parametrize("name", ["sarif", "gitlab", "junit", "markdown", "html"])
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_the_fingerprints_of_nasty_reports(name, report):
    text = render(name, report)
    patterns = {
        "sarif": r'"opspecLint/v1": "(\w{16})"',
        "gitlab": r'"fingerprint": "(\w{16})(?:-\d+)?"',
        "junit": r"^fingerprint: (\w{16})</",
        "markdown": r"; `(\w{16})`\)$",
        "html": r'^<details id="(\w{16})(?:-\d+)?"',
    }
    found = re.findall(patterns[name], text, re.MULTILINE)
    assert Counter(found) == Counter(each.fingerprint for each in report.findings)


def test_no_format_is_forgotten():
    told_in_part = {"github", "paddle", "text"}
    assert set(catalogue.names("reporters")) == READERS.keys() | told_in_part
