"""Thirty pull requests against a GitHub that refuses what GitHub refuses: nothing that the action writes is refused.

Each is a base and a head, and the verdict, from a change of the README to three thousand spec files.
The larger ones are marked `exhaustive`.
"""

from __future__ import annotations

import json
import re

import pytest

from tests.github import strict
from tests.github.runner import SPEC, PullRequest, git, spec

SCHEMA = "namespace a;\n\n" + "".join(f"table T{number} {{\n  a:int;\n  b:int;\n}}\n\n" for number in range(60))
FBS = {"opspec-lint.toml": 'specs = ["m.fbs"]\n'}
LONG = "x" * 3000
WIDE = "算子" * 200


def many(count, prefix="op"):
    return [f"{prefix}_{number:04}" for number in range(count)]


def files(count, *names):
    """Return spec files with an op each, and further ops in every file."""
    return {f"specs/{number:04}.json": spec(f"f{number:04}", *names) for number in range(count)}


def valued(value):
    """Return a spec whose op has an attr with that default value."""
    attr = {"type": 2, "default_value": value}
    return json.dumps({"f": {"Inputs": {}, "Outputs": {}, "Attrs": {"a": attr}}})


def config(**settings):
    return {"opspec-lint.yaml": json.dumps({"specs": [SPEC], **settings})}


RELEASES = config(against=["releases/1.0.json"]) | {"releases/1.0.json": spec("relu", *many(300))}
WAIVER = {"rule": "op_removed", "op": "op_0000", "reason": "nobody uses it", "owner": "ann"}
WAIVERS = {"opspec-waivers.yaml": json.dumps({"version": 1, "waivers": [WAIVER]})}
UNUSED = [{**WAIVER, "op": f"gone_{number}"} for number in range(40)]
TWO_OPS = {SPEC: spec("relu", "abs")}

CHANGES = {
    "README only": (TWO_OPS | {"README": "1"}, TWO_OPS | {"README": "2"}, "clean"),
    "README only, with breaks against a release": (
        TWO_OPS | RELEASES,
        TWO_OPS | RELEASES | {"README": "2"},
        "findings",
    ),
    "a new op": (TWO_OPS, {SPEC: spec("relu", "abs", "new")}, "clean"),
    "a removed op": (TWO_OPS, {SPEC: spec("relu")}, "findings"),
    "a new attr": ({SPEC: spec(f=["a"])}, {SPEC: spec(f=["a", "b"])}, "clean"),
    "nothing but space": (TWO_OPS, {SPEC: TWO_OPS[SPEC] + "\n"}, "clean"),
    "a first spec": ({"README": "1"}, TWO_OPS, "clean"),
    "the spec is deleted": (TWO_OPS | files(1), files(1), "findings"),
    "the spec is renamed": ({SPEC: spec(*many(20))}, {"specs/other.json": spec(*many(20))}, "clean"),
    "the spec is split": (
        {SPEC: spec(*many(20))},
        {"specs/a.json": spec(*many(10)), "specs/b.json": spec(*many(20)[10:])},
        "clean",
    ),
    "a setting": (TWO_OPS | config(), TWO_OPS | config(profile="paddle"), "clean"),
    "thirty settings of rules": (
        TWO_OPS | config(levels={}),
        TWO_OPS | config(levels={"op_removed": "off"}, ignore=many(500)),
        "clean",
    ),
    "a new waiver": ({SPEC: spec("relu", *many(1))}, {SPEC: spec("relu")} | WAIVERS, "clean"),
    "forty waivers of nothing": (
        TWO_OPS,
        TWO_OPS | {"opspec-waivers.yaml": json.dumps({"version": 1, "waivers": UNUSED})},
        "clean",
    ),
    "ten errors": ({SPEC: spec("relu", *many(10))}, {SPEC: spec("relu")}, "findings"),
    "eleven errors": ({SPEC: spec(**{name: ["a"] for name in many(11)})}, {SPEC: spec(*many(11))}, "findings"),
    "a thousand removed ops": ({SPEC: spec("relu", *many(1000))}, {SPEC: spec("relu")}, "findings"),
    "a thousand new ops": ({SPEC: spec("relu")}, {SPEC: spec("relu", *many(1000))}, "clean"),
    "removed ops with long names": ({SPEC: spec("relu", *many(300, LONG))}, {SPEC: spec("relu")}, "findings"),
    "removed ops with wide names": ({SPEC: spec("relu", *many(300, WIDE))}, {SPEC: spec("relu")}, "findings"),
    "removed attrs of one op": ({SPEC: spec(f=many(900))}, {SPEC: spec("f")}, "findings"),
    "a long default value": ({SPEC: valued("a" * 200_000)}, {SPEC: valued("b" * 200_000)}, "findings"),
    "names that are markup": (
        {SPEC: spec(**{f"<b>@team `{name}` ](x) ::error::": ["a|b"] for name in many(50)})},
        {SPEC: spec("relu")},
        "findings",
    ),
    "fixes on fifty lines": (FBS | {"m.fbs": SCHEMA}, FBS | {"m.fbs": SCHEMA.replace("  a:int;\n", "")}, "findings"),
    "fixes in a file whose diff is too large": (
        FBS | {"m.fbs": SCHEMA},
        FBS | {"m.fbs": SCHEMA.replace("  a:int;\n", "", 1) + "// x\n" * 30_000},
        "findings",
    ),
    "breaks and three hundred more against a release": (
        {SPEC: spec("relu", "abs")} | RELEASES,
        {SPEC: spec("relu")} | RELEASES,
        "findings",
    ),
    "an attr of each of two thousand ops": (
        {SPEC: spec(**{name: ["a"] for name in many(2000)})},
        {SPEC: spec(*many(2000))},
        "findings",
    ),
    "three hundred spec files": (files(300, "gone"), files(300), "findings"),
    "ten thousand attrs": (
        {SPEC: spec(**{name: ["a", "b", "c", "d"] for name in many(2500)})},
        {SPEC: spec(*many(2500))},
        "findings",
    ),
    "three thousand spec files": (files(3000, "gone"), files(3000), "findings"),
}
LARGE = ("an attr of each of two", "three hundred spec", "ten thousand", "three thousand", "fixes in a file")
CASES = [
    pytest.param(*change, id=name, marks=[pytest.mark.exhaustive] if name.startswith(LARGE) else [])
    for name, change in CHANGES.items()
]


@pytest.fixture
def api():
    made = strict.StrictApi()
    yield made
    made.close()


def test_they_are_thirty():
    assert len(CHANGES) == 30


@pytest.mark.parametrize(("base", "head", "verdict"), CASES)
def test_nothing_is_refused(origin, runner, api, base, head, verdict):
    change = PullRequest(origin, base, head)
    change.merge = origin.commit("refs/pull/7/merge", head, change.base, change.head)
    api.head, api.files = change.head, strict.files_of(git("diff", "-M", change.fork, change.head, cwd=origin.folder))
    runner.checkout(origin, change.merge, depth=2)
    for _ in range(2):  # the second run updates what the first one wrote
        ran = runner.of_pull_request(change).run()
        assert ran.outputs["verdict"] == verdict, ran.log
        assert (api.refused, strict.refusals(ran, runner)) == ([], [])
        troubles = [
            text for _, text in ran.commands if re.search(r"no (comment|suggestions) on|not written|no room", text)
        ]
        assert troubles == []
    assert len(api.comments) <= 1
    if api.comments:
        _check_comment(api.comments[0]["body"], ran)


def _check_comment(comment, ran):
    """The comment begins with the worst finding of the report, and says what it leaves out and where that is."""
    with open(ran.outputs["report"], encoding="utf-8") as stream:
        findings = json.load(stream)["findings"]
    errors = [finding for finding in findings if finding["level"] == "error" and finding["waived"] is None]
    if errors:
        assert re.search(r"^## \S+ .*break", comment, re.MULTILINE)
        assert comment.index("<table>") < 400
        assert "<tr><td>" in comment
    if "to save space" in comment:
        assert re.search(r"Left out here, to save space: .*\. `--format html` and `json` have ", comment)
        assert "[the page with everything]" in comment
    assert comment.count("<details>") == comment.count("</details>")
    assert comment.count("<table>") == comment.count("</table>")


def test_a_message_of_the_step_is_not_dropped_after_the_annotations_of_findings(origin, runner, api):
    change = PullRequest(origin, {SPEC: spec("relu")}, {SPEC: spec("relu", *many(30))})
    api.refuse["POST", "/comments"] = (403, {})
    runner.checkout(origin, change.merge, depth=2)
    runner.inputs["COMMENT"] = "always"
    ran = runner.of_pull_request(change).run()
    assert strict.refusals(ran, runner) == []
    assert "no comment on the pull request" in strict.annotations(ran.log, "notice")[0]
    assert "21 not annotated" in ran.summary
