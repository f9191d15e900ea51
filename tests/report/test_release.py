from __future__ import annotations

import json

import pytest

from opspec_lint.lint.check import check, report
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Approval, Report, Waived
from opspec_lint.report.ranking import first_breaks
from opspec_lint.report.release import verdict
from opspec_lint.sources import recognise
from tests.support.findings import comparison, finding
from tests.support.paths import SPECS
from tests.support.programs import run

BACK, FORWARD = ("backward",), ("forward",)
WAIVED = Waived(reason="r", owner="o")


def requested(*findings, general=()):
    return verdict(Report(comparisons=(comparison(*findings),), general=general))


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"directions": BACK, "level": "error"}, "major"),
        ({"directions": (*BACK, *FORWARD), "level": "error"}, "major"),
        ({"directions": BACK, "level": "warning"}, "minor"),
        ({"directions": BACK, "level": "note"}, "minor"),
        ({"directions": FORWARD, "level": "error"}, "minor"),
        ({"directions": FORWARD, "level": "note"}, "minor"),
        ({"directions": (), "level": "note"}, "patch"),
        ({"directions": (), "level": "error"}, "patch"),
        ({"directions": (), "level": "note", "rule": "deprecation_changed"}, "minor"),
        ({"directions": (), "level": "note", "rule": "min_producer_lowered"}, "minor"),
        ({"directions": BACK, "level": "error", "waived": WAIVED}, "minor"),
        ({"directions": BACK, "level": "error", "review": "slim", "approval": Approval(by=("ann",))}, "minor"),
        ({"directions": BACK, "level": "error", "review": "slim", "approval": Approval(problem="no")}, "major"),
    ],
)
def test_what_a_finding_requests(fields, part):
    first = finding(**fields)
    result = requested(first)
    assert result.part == part
    assert result.finding == (None if part == "patch" else first)


def test_the_largest_decides_and_the_reason_names_it():
    added = finding(directions=FORWARD, level="note", rule="attr_added", message="new")
    gone = finding(op="relu", name="a", message="the attr 'a' was removed")
    reason = "relu: the attr 'a' was removed (attr_removed, the worst of 2 errors that break existing models)"
    assert requested(added, gone, gone).reason == reason
    assert requested(added).reason == "trace: new (attr_added, the only change)"
    held = requested(added, gone.replace(waived=WAIVED))
    assert (held.part, held.finding) == ("minor", added)
    assert held.reason.endswith("; 1 break not counted, being waived or approved: with them it is major")


def test_the_worst_break_is_named_and_not_the_first_by_the_alphabet():
    ignored = finding(op="abs", level="error", is_ignored=True)
    refused = finding(op="zeros", level="error", directions=BACK)
    assert requested(ignored, refused).finding == refused


def test_the_page_and_the_release_begin_with_the_same_break():
    specs = (recognise.read(path).spec for path in PADDLE)
    result = report(check(*specs, PROFILES.load("paddle")))
    assert verdict(result).finding == first_breaks(result.findings, 5)[0].finding


def test_breaks_of_internal_ops_alone_name_the_profile_that_exempts_them(tmp_path):
    def spec(*types):
        op = {"input_arg": [{"name": "x", "type": "DT_FLOAT"}]}
        named = zip(("_MklX", "Conv"), types, strict=True)
        ops = [{**op, "name": name, "output_arg": [{"name": "y", "type": dtype}]} for name, dtype in named]
        path = tmp_path / f"{'-'.join(types)}.json"
        path.write_text(json.dumps({"op": ops}), encoding="utf-8")
        return recognise.read(str(path)).spec

    types = (("DT_FLOAT", "DT_FLOAT"), ("DT_HALF", "DT_FLOAT"), ("DT_HALF", "DT_HALF"))
    base, internal, public = (spec(*type_name) for type_name in types)
    reasons = [verdict(report(check(base, head, PROFILES.load("tensorflow")))).reason for head in (internal, public)]
    assert reasons[0].endswith("; all are of internal ops, which the profile tensorflow-public exempts")
    assert "tensorflow-public" not in reasons[1]


def test_nothing_changed():
    assert (requested().part, requested().reason) == ("patch", "no findings")
    assert verdict(Report(comparisons=())).reason == "nothing that was compared changed"
    assert requested(finding(directions=(), level="note")).reason == "nothing that a model depends on changed"


def test_what_the_configuration_ignores_requests_nothing_and_is_not_passed_over():
    first = comparison().replace(ignored=2)
    output = verdict(Report(comparisons=(first, first)))
    assert (output.part, output.reason) == (
        "patch",
        "no findings, but 4 findings in ops that the configuration ignores",
    )


def test_files_speak_and_the_policy_does_not():
    gone = finding(kind="source", op=None, rule="spec_removed")
    assert requested(general=(gone,)).part == "major"
    assert requested(general=(gone.replace(rule="spec_added", directions=(), level="note"),)).part == "minor"
    assert requested(general=(gone.replace(kind="waiver"), gone.replace(kind="config"))).part == "patch"


def test_the_reason_is_a_single_line_of_bounded_length():
    nasty = "\x1b[31m\n::error::" * 10_000
    reason = requested(finding(op=nasty, message=nasty)).reason
    assert reason.isprintable()
    assert len(reason) < 400


# --- from the command line, with real releases

PADDLE = [f"{SPECS}/paddle-{version}.json" for version in ("2.6.2", "3.0.0")]


def test_the_next_version_of_paddle():
    ran = run("check", *PADDLE, "--released", "2.6.2", "--next", "2.7.0")
    assert ran.code == 1
    assert "the version 2.7.0 is too small after 2.6.2" in ran.out
    assert ran.out.splitlines()[-1].startswith("release: major, 3.0.0 at least after 2.6.2 (2.7.0 is too ")
    ran = run("check", *PADDLE, "--released", "2.6.2", "--next", "3.0.0", "--format", "json")
    document = json.loads(ran.out)
    assert "release_too_small" not in {finding["rule"] for finding in document["findings"]}
    release = document["release"]
    assert (release["part"], release["released"], release["next"], release["least"]) == (
        "major",
        "2.6.2",
        "3.0.0",
        "3.0.0",
    )
    assert release["fingerprint"] in {finding["fingerprint"] for finding in document["findings"]}


def test_the_text_states_nothing_of_it_unless_it_is_queried():
    assert "release:" not in run("check", *PADDLE).out
    same = run("check", PADDLE[0], PADDLE[0], "--released", "2.6.2", "--next", "2.6.3")
    assert same.code == 0
    assert same.out.splitlines()[-1] == "release: patch, 2.6.3 at least after 2.6.2 (2.6.3 is enough): no findings"
    assert run("check", *PADDLE, "--next", "2.7.0").code == 2


def test_a_level_or_a_waiver_lets_a_version_pass(tmp_path):
    base = tmp_path / "base.json"
    head = tmp_path / "head.json"
    argument = {"Inputs": {}, "Outputs": {}, "Attrs": {}}
    base.write_text(json.dumps({"f": argument}), encoding="utf-8")
    head.write_text(json.dumps({"f": argument, "g": argument}), encoding="utf-8")
    command = ["check", str(base), str(head), "--released", "1.0.0", "--next", "1.0.1"]
    assert run(*command).code == 1
    config = tmp_path / "opspec-lint.toml"
    config.write_text('[levels]\nrelease_too_small = "warning"\n', encoding="utf-8")
    assert run(*command, "--config", str(config)).code == 0
    report = json.loads(run(*command, "--format", "json").out)
    (small,) = (finding for finding in report["findings"] if finding["rule"] == "release_too_small")
    waivers = tmp_path / "waivers.yaml"
    entry = {"fingerprint": small["fingerprint"], "reason": "r", "owner": "o"}
    waivers.write_text(json.dumps({"version": 1, "waivers": [entry]}), encoding="utf-8")
    assert run(*command, "--waivers", str(waivers)).code == 0


@pytest.mark.parametrize(
    ("base", "head", "profile", "part", "reason"),
    [
        ("paddle-1.8.5", "paddle-2.6.2", "paddle", "major", "adadelta: the input 'LearningRate' was added "),
        ("paddle-2.6.2", "paddle-3.0.0", "paddle", "major", "flatten2: the output 'XShape' is no longer extra"),
        ("paddle-3.0.0", "paddle-3.3.1", "paddle", "major", "add_group_norm_silu: the type of the attr "),
        ("tensorflow-1.15.0", "tensorflow-2.4.4", "tensorflow", "major", "Max: the attr 'T' no longer allows "),
        ("tensorflow-2.4.4", "tensorflow-2.8.4", "tensorflow", "major", "the op 'CompareAndBitpack' was removed "),
        ("tensorflow-2.8.4", "tensorflow-2.12.1", "tensorflow", "major", "Acos: the attr 'T' no longer allows "),
        ("tensorflow-2.12.1", "tensorflow-2.15.1", "tensorflow", "major", "CopyToMesh: the attr 'layout' seems "),
        ("tensorflow-2.15.1", "tensorflow-2.18.1", "tensorflow", "major", "CustomAggregator: the attr 'initial_"),
        ("tensorflow-1.15.0", "tensorflow-2.4.4", "tensorflow-forward", "minor", "AddManySparseToTensorsMap: it runs "),
        ("tensorflow-2.4.4", "tensorflow-2.8.4", "tensorflow-forward", "minor", "Acos: it runs on the CPU "),
        ("paddle-3.3.1", "paddle-3.3.1", "strict", "patch", "no findings"),
    ],
)
def test_the_verdicts_of_real_releases(base, head, profile, part, reason):
    ran = run("check", f"{SPECS}/{base}.json", f"{SPECS}/{head}.json", "--profile", profile, "--format", "json")
    release = json.loads(ran.out)["release"]
    assert release["part"] == part
    assert release["reason"].startswith(reason)
    assert "\n" not in release["reason"]
