from __future__ import annotations

import json
from itertools import combinations

import pytest
from test_cli import SPECS, run
from test_entries import comparison, finding

from opspec_lint import release
from opspec_lint.errors import UsageError
from opspec_lint.findings import Approval, Report, Waived
from opspec_lint.release import Versions, is_enough, least, parse, verdict

BACK, FORWARD = ("backward",), ("forward",)
WAIVED = Waived(reason="r", owner="o")


def asked(*findings, general=()):
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
def test_what_a_finding_asks_for(fields, part):
    one = finding(**fields)
    found = asked(one)
    assert found.part == part
    assert found.finding == (None if part == "patch" else one)


def test_the_largest_decides_and_the_reason_names_it():
    added = finding(directions=FORWARD, level="note", rule="attr_added", message="new")
    gone = finding(op="relu", name="a", message="the attr 'a' was removed")
    assert asked(added, gone, gone).reason == "relu: the attr 'a' was removed (attr_removed, the first of 2 breaks)"
    assert asked(added).reason == "trace: new (attr_added)"
    held = asked(added, gone.but(waived=WAIVED))
    assert (held.part, held.finding) == ("minor", added)
    assert held.reason.endswith("; 1 break not counted, being waived or approved")


def test_nothing_changed():
    assert (asked().part, asked().reason) == ("patch", "no findings")
    assert verdict(Report(comparisons=())).reason == "nothing was compared that changed"
    assert asked(finding(directions=(), level="note")).reason == "nothing that a model depends on changed"


def test_what_the_configuration_ignores_asks_for_nothing_and_is_not_passed_over():
    one = comparison().but(ignored=2)
    said = verdict(Report(comparisons=(one, one)))
    assert (said.part, said.reason) == (
        "patch",
        "no findings, but 4 findings in ops that the configuration says to ignore",
    )


def test_files_speak_and_the_policy_does_not():
    gone = finding(kind="source", op=None, rule="spec_removed")
    assert asked(general=(gone,)).part == "major"
    assert asked(general=(gone.but(rule="spec_added", directions=(), level="note"),)).part == "minor"
    assert asked(general=(gone.but(kind="waiver"), gone.but(kind="config"))).part == "patch"


def test_the_reason_is_one_line_of_bounded_length():
    nasty = "\x1b[31m\n::error::" * 10_000
    reason = asked(finding(op=nasty, message=nasty)).reason
    assert reason.isprintable()
    assert len(reason) < 400


@pytest.mark.parametrize(
    ("released", "major", "minor", "patch"),
    [
        ("1.2.3", "2.0.0", "1.3.0", "1.2.4"),
        ("1.2.3+build.7", "2.0.0", "1.3.0", "1.2.4"),
        ("0.2.3", "0.3.0", "0.2.4", "0.2.4"),
        ("0.0.3", "0.1.0", "0.0.4", "0.0.4"),
        ("2.0.0-rc.1", "2.0.0", "2.0.0", "2.0.0"),
        ("2.1.0-rc.1", "3.0.0", "2.1.0", "2.1.0"),
        ("2.1.1-rc.1", "3.0.0", "2.2.0", "2.1.1"),
        ("0.3.0-a", "0.3.0", "0.3.0", "0.3.0"),
    ],
)
def test_the_least_version_that_is_large_enough(released, major, minor, patch):
    base = parse(released, "x")
    for part, expected in zip(release.PARTS, (major, minor, patch), strict=True):
        assert least(part, base).text == expected
        following = parse(expected, "x")
        assert is_enough(part, Versions(released=base, next=following))
        assert is_enough(part, Versions(released=base))


@pytest.mark.parametrize(
    ("part", "released", "following", "enough"),
    [
        ("patch", "1.2.3", "1.2.3", False),
        ("patch", "1.2.3", "1.2.2", False),
        ("patch", "1.2.3", "1.2.3+b", False),
        ("patch", "1.2.3", "1.2.4-rc.1", True),
        ("patch", "1.2.3", "1.2.3-rc.1", False),
        ("minor", "1.2.3", "1.2.9", False),
        ("minor", "1.2.3", "2.0.0", True),
        ("major", "1.2.3", "1.99.0", False),
        ("major", "1.2.3", "2.0.0-alpha", True),
        ("major", "1.9.0", "10.0.0", True),
        ("major", "2.0.0-rc.2", "2.0.0-rc.10", True),
        ("major", "2.0.0-rc.10", "2.0.0-rc.2", False),
        ("major", "2.0.0-rc.1", "2.0.0-1", False),
        ("major", "2.0.0-rc", "2.0.0-rc.1", True),
        ("major", "0.2.3", "0.2.4", False),
        ("major", "0.2.3", "1.0.0", True),
    ],
)
def test_whether_the_next_version_is_large_enough(part, released, following, enough):
    assert is_enough(part, Versions(released=parse(released, "x"), next=parse(following, "x"))) is enough


@pytest.mark.parametrize(
    "word",
    ["", "1", "1.2", "1.2.3.4", "v1.2.3", "01.2.3", "1.2.03", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+", " 1.2.3",
     "1.2.3\n", "1.2.x", "-1.2.3", "\u0661.2.3", "1.2.3-1.\u0661", "1.2.3-a_b", "1.2.3+a+b", "1.2.3-+b",
     "1.2.3 ", "+1.2.3", "1e1.0.0", "1." + "9" * 400 + ".0", "1.2.3-" + "a" * 400, "3.0.0rc1"],
)  # fmt: skip
def test_a_version_that_is_none_is_one_message(word):
    with pytest.raises(UsageError, match="no semantic version"):
        parse(word, "--next")
    ran = run("check", f"--released={word}", "--next=1.0.0")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 2)


ASCENDING = [
    "0.0.0-0", "0.0.0", "0.0.1", "0.1.0-9", "0.1.0-10", "0.1.0-10.0", "0.1.0--", "0.1.0-0A", "0.1.0-A", "0.1.0-a",
    "0.1.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.1.0", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2",
    "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.9.0", "1.10.0", "2.0.0", "20260101235959.0.0",
    "99999999999999999999999.0.0",
]  # fmt: skip
"""Versions in the order of item 11."""


def test_versions_are_ordered_as_item_11_says_whatever_their_build_is():
    for low, high in combinations(ASCENDING, 2):
        lower, higher = parse(f"{low}+z.9", "x"), parse(f"{high}+a-1.001", "x")
        assert lower.precedence < higher.precedence, (low, high)
        assert not is_enough("patch", Versions(released=higher, next=lower)), (low, high)
        assert not is_enough("patch", Versions(released=lower, next=parse(low, "x"))), low


@pytest.mark.parametrize("released", ASCENDING)
@pytest.mark.parametrize("part", release.PARTS)
def test_the_least_version_is_enough_and_no_lower_release_is(released, part):
    base = parse(released, "x")
    lowest = least(part, base)
    assert is_enough(part, Versions(released=base, next=lowest))
    assert not any(
        is_enough(part, Versions(released=base, next=version))
        for version in (parse(text, "x") for text in ASCENDING)
        if not version.prerelease and version.precedence < lowest.precedence
    )


# --- from the command line, with real releases

PADDLE = [f"{SPECS}/paddle-{version}.json" for version in ("2.6.2", "3.0.0")]


def test_the_next_version_of_paddle():
    ran = run("check", *PADDLE, "--released", "2.6.2", "--next", "2.7.0")
    assert ran.code == 1
    assert "the version 2.7.0 is too small after 2.6.2" in ran.out
    assert ran.out.splitlines()[-1].startswith("release: major, 3.0.0 at least after 2.6.2: ")
    ran = run("check", *PADDLE, "--released", "2.6.2", "--next", "3.0.0", "--format", "json")
    document = json.loads(ran.out)
    assert "release_too_small" not in {each["rule"] for each in document["findings"]}
    said = document["release"]
    assert (said["part"], said["released"], said["next"], said["least"]) == ("major", "2.6.2", "3.0.0", "3.0.0")
    assert said["fingerprint"] in {each["fingerprint"] for each in document["findings"]}


def test_the_text_says_nothing_of_it_unless_it_is_asked():
    assert "release:" not in run("check", *PADDLE).out
    same = run("check", PADDLE[0], PADDLE[0], "--released", "2.6.2", "--next", "2.6.3")
    assert same.code == 0
    assert same.out.splitlines()[-1] == "release: patch, 2.6.3 at least after 2.6.2: no findings"
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
    (small,) = (each for each in report["findings"] if each["rule"] == "release_too_small")
    waivers = tmp_path / "waivers.yaml"
    entry = {"fingerprint": small["fingerprint"], "reason": "r", "owner": "o"}
    waivers.write_text(json.dumps({"version": 1, "waivers": [entry]}), encoding="utf-8")
    assert run(*command, "--waivers", str(waivers)).code == 0


@pytest.mark.parametrize(
    ("base", "head", "profile", "part", "reason"),
    [
        ("paddle-1.8.5", "paddle-2.6.2", "paddle", "major", "abs: the attr 'use_cudnn' was removed (attr_removed, "),
        ("paddle-2.6.2", "paddle-3.0.0", "paddle", "major", "the op 'abs_p' was removed (op_removed, "),
        ("paddle-3.0.0", "paddle-3.3.1", "paddle", "major", "add_group_norm_silu: the type of the attr 'epsilon' "),
        ("tensorflow-1.15.0", "tensorflow-2.4.4", "tensorflow", "major", "the op 'BigQueryReader' was removed "),
        ("tensorflow-2.4.4", "tensorflow-2.8.4", "tensorflow", "major", "the op 'CompareAndBitpack' was removed "),
        ("tensorflow-2.8.4", "tensorflow-2.12.1", "tensorflow", "major", "Acos: the attr 'T' no longer allows "),
        ("tensorflow-2.12.1", "tensorflow-2.15.1", "tensorflow", "major", "CopyToMesh: the attr 'layout' seems "),
        ("tensorflow-2.15.1", "tensorflow-2.18.1", "tensorflow", "major", "CustomAggregator: the attr 'initial_"),
        ("tensorflow-1.15.0", "tensorflow-2.4.4", "tensorflow-forward", "minor", "the version of the graphs that "),
        ("tensorflow-2.4.4", "tensorflow-2.8.4", "tensorflow-forward", "minor", "the version of the graphs that "),
        ("paddle-3.3.1", "paddle-3.3.1", "strict", "patch", "no findings"),
    ],
)
def test_the_verdicts_of_real_releases(base, head, profile, part, reason):
    ran = run("check", f"{SPECS}/{base}.json", f"{SPECS}/{head}.json", "--profile", profile, "--format", "json")
    said = json.loads(ran.out)["release"]
    assert said["part"] == part
    assert said["reason"].startswith(reason)
    assert "\n" not in said["reason"]
