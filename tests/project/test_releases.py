from __future__ import annotations

import json

import pytest

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.sources.reading import Reading
from tests.support.projects import FILE, check, config, facts, text
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE as TREE_BASE
from tests.support.trees.paddle_trees import CLASS, OPERATORS

ZERO, FIRST, TWO = (text(f"f(X) -> (Out) [a: INT = {value}]") for value in range(3))
TREE = TREE_BASE | {
    f"{OPERATORS}/f_op.cc": CLASS.format(name="FOpMaker", body='AddInput("X", "x");')
    + "\nclass FOp : public framework::OperatorWithKernel {};\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
}
OLD, LATER = "specs/v1.json", "specs/v2.json"


def project(folder, released, base, head, **settings):
    """A repository with releases, a spec that has moved on at base, and another change staged."""
    files = {f"specs/{name}.json": content for name, content in released.items()}
    settings = {"specs": [FILE], "against": sorted(files), "profile": "strict"} | settings
    made = Repository.make(folder / "top", {**files, FILE: base, "opspec-lint.yaml": config(**settings)})
    made.stage({FILE: head})
    return made


def against(report):
    """The level, rule, op and base of each finding, with the further bases."""
    return [
        (finding.level, finding.rule, comparison.base.file, *finding.also)
        for comparison in report.comparisons
        for finding in comparison.findings
    ]


def ref(repository, path):
    return f"{repository.head[:10]}:{path}"


# --- a break stays


def test_a_break_stays_visible_until_the_release_is_taken_out(tmp_path):
    made = project(tmp_path, {"v1": ZERO}, ZERO, FIRST)
    assert against(check(made)) == [
        ("error", "attr_default_changed", ref(made, FILE), ref(made, OLD)),
    ]
    made.git("commit", "-qm", "merged")
    for _ in range(2):
        report = check(made)
        assert against(report) == [("error", "attr_default_changed", ref(made, OLD))]
        assert report.unchanged == (FILE,)
        made.stage({"README": "later"})
    made.stage({"opspec-lint.yaml": config(specs=[FILE], profile="strict")})
    report = check(made)
    assert facts(report) == [("error", "attr_default_changed", "f"), ("warning", "policy_changed", "against")]
    made.git("commit", "-qm", "the release is gone")
    made.stage({"README": "later still"})
    assert check(made).findings == ()


def test_the_same_of_several_releases_is_reported_once(tmp_path):
    made = project(tmp_path, {"v1": ZERO, "v2": ZERO, "v3": FIRST}, FIRST, TWO)
    assert against(check(made)) == [
        ("error", "attr_default_changed", ref(made, FILE), ref(made, "specs/v3.json")),
        ("error", "attr_default_changed", ref(made, OLD), ref(made, LATER)),
    ]


def test_a_new_spec_file_is_compared_with_the_releases(tmp_path):
    made = project(tmp_path, {"v1": ZERO}, ZERO, FIRST, specs=["specs/*.json"])
    made.stage({FILE: None})
    made.git("commit", "-qm", "gone")
    made.stage({FILE: FIRST})
    assert facts(check(made)) == [("error", "attr_default_changed", "f"), ("note", "spec_added", FILE)]


def test_a_release_is_not_compared_with_itself_or_another(tmp_path):
    made = project(tmp_path, {"v1": ZERO, "v2": FIRST}, FIRST, FIRST, specs=["specs/*.json"])
    report = check(made)
    assert against(report) == [("error", "attr_default_changed", ref(made, OLD))]
    assert set(report.unchanged) == {FILE, OLD, LATER}


def test_a_release_of_another_framework_is_none_of_it(tmp_path):
    another = text("f(X) -> (Out) [a: INT = 0]", framework="tensorflow")
    made = project(tmp_path, {"v1": another}, ZERO, FIRST)
    assert against(check(made)) == [("error", "attr_default_changed", ref(made, FILE))]


# --- a revert passes


WHOLE = "f(X, Y?) -> (Out) [a: INT = 0, b: STRING]\ng(X) -> (Out)"
HISTORY = "f(X) -> (Out) [a: INT = 0] @ +attr a"
REVERTS = {
    "a value": (WHOLE, WHOLE.replace("0", "1")),
    "an argument that was removed": (WHOLE, WHOLE.replace(", Y?", "")),
    "an attr that was removed": (WHOLE, WHOLE.replace(", b: STRING", "")),
    "an attr that was never released": (WHOLE, WHOLE.replace("b: STRING", "b: STRING, c: INT")),
    "a name": (WHOLE, WHOLE.replace("Y?", "Z?")),
    "a flag": (WHOLE, WHOLE.replace("Y?", "Y")),
    "an op that was removed": (WHOLE, WHOLE.partition("\n")[0]),
    "an op that was never released": (WHOLE, WHOLE + "\nh(X) -> (Out)"),
    "a type": (WHOLE, WHOLE.replace("b: STRING", "b: INT")),
    "all at once": (WHOLE, "f(Z) -> (Out, Mask) [a: INT = 1, c: INT]\nh(X) -> ()"),
    "a history": (HISTORY, HISTORY.replace("@ +attr a", "@ +attr a | ~attr a")),
    "a history that was rewritten": (HISTORY, HISTORY.replace("@ +attr a", "@ ~attr a")),
    "a value and its history": (HISTORY, "f(X) -> (Out) [a: INT = 1] @ +attr a | ~attr a"),
}


@pytest.mark.parametrize("what", REVERTS)
def test_what_is_again_as_it_was_released_breaks_nothing(tmp_path, what):
    released, base = (text(*item.split("\n")) for item in REVERTS[what])
    made = project(tmp_path, {"v1": released}, base, released)
    report = check(made)
    assert report.findings
    assert not report.failed
    assert {finding.level for finding in report.findings} == {"note"}
    settled = [finding for finding in report.findings if f"the same holds for {ref(made, OLD)}" in finding.message]
    assert settled == list(report.findings)
    assert check(made, config=str(made.top / "opspec-lint.yaml")).findings == report.findings
    made.write({"alone.yaml": config(specs=[FILE], profile="strict")})
    assert any(finding.level != "note" for finding in check(made, config=str(made.top / "alone.yaml")).findings)


@pytest.mark.parametrize(
    ("released", "base", "head", "left"),
    [
        ("f(X) -> () [a: INT = 0]", "f(X) -> () [a: INT = 1]", "f(X) -> () [a: INT = 2]", "attr_default_changed"),
        ("f(X) -> () [a: INT = 0, b: INT]", "f(X) -> ()", "f(X) -> () [a: INT = 1, b: INT]", "attr_default_changed"),
        (
            "f(X) -> () [a: INT = 0]",
            "g() -> ()",
            "f(X, Y) -> () [a: INT = 0]\ng() -> ()",
            "input_added_not_dispensable",
        ),
        ("f(X) -> ()", "f(Y) -> ()", "f(Z) -> ()", "input_renamed"),
        ("f(X, Y) -> ()", "f(Z, Y) -> ()", "f(X) -> ()", "input_removed"),
    ],
)
def test_half_a_revert_does_not_pass(tmp_path, released, base, head, left):
    made = project(tmp_path, {"v1": text(released)}, text(*base.split("\n")), text(*head.split("\n")))
    report = check(made)
    assert report.failed
    assert left in {finding.rule for finding in report.findings if finding.level == "error"}


def test_back_to_a_single_release_and_away_from_another_is_a_break(tmp_path):
    """Models of the later release exist. The same finding against base and against it must not be lost with base's."""
    made = project(tmp_path, {"v1": ZERO, "v2": FIRST}, FIRST, ZERO)
    report = check(made)
    assert report.failed
    assert against(report) == [("error", "attr_default_changed", ref(made, LATER), ref(made, FILE))]


def test_of_the_same_finding_the_worst_counts(tmp_path):
    """An attr that base calls extra and the release does not: a note against base, an error against the release."""
    released, base, head = (
        text(f"f(X) -> () [a: INT = {value}{extra}]") for value, extra in ((0, ""), (0, " {extra}"), (1, " {extra}"))
    )
    made = project(tmp_path, {"v1": released}, base, head, profile="paddle")
    report = check(made)
    actual = [item for item in against(report) if item[1] == "attr_default_changed"]
    assert actual == [("error", "attr_default_changed", ref(made, OLD), ref(made, FILE))]


def raw(line):
    """The text of a spec that knows of neither quant nor dispensable, from that of one that does."""
    decoded = json.loads(text(line))
    for section in decoded["knows"]:
        decoded["knows"][section] = [know for know in decoded["knows"][section] if know not in ("quant", "dispensable")]
    for op in decoded["ops"].values():
        for item in op.get("inputs", ()):
            item.pop("dispensable", None)
    return json.dumps(decoded)


def test_what_a_release_does_not_know_settles_nothing(tmp_path):
    """Such a release says neither that the input was dispensable nor that it was not."""
    made = project(tmp_path, {"v1": raw("f(X, Y?) -> (Out)")}, text("f(X, Y?) -> (Out)"), text("f(X, Y) -> (Out)"))
    assert ("error", "dispensable_cleared", ref(made, FILE)) in against(check(made))


def without(content, **fields):
    """The text of a spec that does not know some fields of its sections."""
    decoded = json.loads(content)
    for section, names in fields.items():
        decoded["knows"][section] = [item for item in decoded["knows"].get(section, ()) if item not in names]
    return json.dumps(decoded)


@pytest.mark.parametrize(
    ("unknown_to", "settled"), [((), True), (("v1",), False), (("head",), True), (("v1", "head"), True)]
)
def test_a_release_settles_what_it_knows_or_head_does_not(tmp_path, unknown_to, settled):
    """Head names the input as the release does; whether it is extra, not every spec says."""
    released, base, head = text("f(X) -> (Out)"), text("f(Z) -> (Out)"), text("f(X) -> (Out)")
    released = without(released, inputs=["extra"]) if "v1" in unknown_to else released
    head = without(head, inputs=["extra"]) if "head" in unknown_to else head
    (finding,) = [
        finding
        for finding in check(project(tmp_path, {"v1": released}, base, head)).findings
        if finding.rule == "input_renamed"
    ]
    assert (finding.level == "note") is settled


def test_a_release_without_histories_settles_none(tmp_path):
    released, base, head = "f(X) -> ()", 'f(X) -> () @ +input X | ! "x"', "f(X) -> () @ +input X"
    made = project(tmp_path, {"v1": text(released)}, text(base), text(head))
    lost = [item[:3] for item in against(check(made)) if item[1] == "op_version_lost"]
    assert lost == [("error", "op_version_lost", ref(made, FILE))]


# --- what a release is


def test_a_release_is_read_from_base(tmp_path):
    """A pull request does not write its own past."""
    made = project(tmp_path, {"v1": ZERO}, FIRST, FIRST)
    made.stage({OLD: FIRST})
    assert facts(check(made)) == [("error", "attr_default_changed", "f")]
    made.stage({OLD: None})
    assert facts(check(made)) == [("error", "attr_default_changed", "f")]


def test_a_release_that_is_no_spec_file_of_the_configuration_and_is_changed(tmp_path):
    made = project(tmp_path, {"v1": ZERO}, ZERO, ZERO, specs=["specs/*.json"])
    made.stage({OLD: FIRST})
    assert facts(check(made)) == [("error", "attr_default_changed", "f")]


def test_a_release_can_stand_at_a_revision(tmp_path):
    made = project(tmp_path, {}, ZERO, ZERO)
    made.git("tag", "v1.0")
    made.commit({FILE: FIRST, "opspec-lint.yaml": config(specs=[FILE], against=[f"v1.0:{FILE}"])})
    made.stage({"README": "x"})
    assert against(check(made)) == [("error", "attr_default_changed", f"v1.0:{FILE}")]


def test_no_file_of_the_work_tree_takes_the_place_of_a_revision(tmp_path, monkeypatch):
    """`v1.0:specs/ops.json` is a path that a pull request could bring."""
    made = project(tmp_path, {}, ZERO, ZERO)
    made.git("tag", "v1.0")
    made.commit({FILE: FIRST, "opspec-lint.yaml": config(specs=[FILE], against=[f"v1.0:{FILE}"])})
    made.stage({f"v1.0:{FILE}": FIRST})
    monkeypatch.chdir(made.top)
    assert against(check(made)) == [("error", "attr_default_changed", f"v1.0:{FILE}")]


def test_the_revision_is_of_the_repository_that_is_checked(tmp_path, monkeypatch):
    made = project(tmp_path, {}, ZERO, FIRST, against=[f"HEAD:{FILE}"])
    another = Repository.make(tmp_path / "other", {FILE: TWO})
    monkeypatch.chdir(another.top)
    assert against(check(made)) == [("error", "attr_default_changed", ref(made, FILE), f"HEAD:{FILE}")]


def test_a_release_that_opspec_lint_brings_goes_by_its_name(tmp_path):
    made = project(tmp_path, {}, ZERO, FIRST, against=["paddle@2.6.2"])
    made.stage({"paddle@2.6.2": ZERO})  # no file of the repository takes its place
    assert ("error", "op_removed", "paddle@2.6.2") in against(check(made))


def test_a_release_that_is_not_here_can_be_fetched(tmp_path):
    origin = project(tmp_path, {}, ZERO, ZERO)
    origin.git("tag", "v1.0")
    origin.commit({FILE: FIRST, "opspec-lint.yaml": config(specs=[FILE], against=[f"v1.0:{FILE}"])})
    work = origin.clone(tmp_path / "clone", "--depth=1", "--no-tags")
    with pytest.raises(InputError, match=r"^v1.0:specs/ops.json: 'v1.0' is neither a known scheme") as caught:
        check(work)
    assert "git fetch --depth=1 origin tag v1.0" in caught.value.advice
    assert facts(check(work, may_fetch=True)) == [("error", "attr_default_changed", "f")]


@pytest.mark.parametrize(
    ("name", "error", "message"),
    [
        ("specs/none.json", UsageError, "against: there is no file 'specs/none.json'"),
        ("v9:specs/ops.json", InputError, "v9:specs/ops.json: 'v9' is neither a known scheme nor a revision"),
        ("HEAD:specs/none.json", InputError, "HEAD:specs/none.json: there is no file 'specs/none.json' at HEAD"),
        ("paddle@0.1", InputError, "paddle@0.1: no released spec has this name"),
        ("paddle-runtime:/bin/sh", UsageError, "'paddle-runtime:/bin/sh' runs a program, but is named in a file"),
        ("paddle-runtime:", UsageError, "'paddle-runtime:' runs a program, but is named in a file of the repository"),
        ("--upload-pack=x:y", InputError, "'--upload-pack=x' is neither a known scheme nor a revision"),
    ],
)
def test_a_release_that_is_none_is_a_single_message(tmp_path, name, error, message):
    made = project(tmp_path, {}, ZERO, FIRST, against=[name])
    with pytest.raises(error) as caught:
        check(made, may_fetch=name.startswith("--"))
    assert message in caught.value.message
    assert caught.value.advice or name.startswith("--")


def test_releases_are_read_once_for_all_spec_files(tmp_path, monkeypatch):
    from opspec_lint.project import loading

    read = []
    load_file = loading.load_file
    monkeypatch.setattr(loading, "load_file", lambda tree, path: read.append(path) or load_file(tree, path))
    made = project(tmp_path, {"v1": ZERO, "v2": ZERO}, ZERO, FIRST, specs=["specs/*.json"])
    made.stage({f"specs/{name}.json": FIRST for name in "abc"})
    check(made)
    assert sorted(read) == [OLD, LATER]


@pytest.mark.parametrize("place", ["", "third_party/paddle/"])
@pytest.mark.parametrize("folder", [".", "docs"])
def test_a_source_tree_is_a_release_from_any_folder_with_our_environment_and_cache(
    tmp_path, monkeypatch, place, folder
):
    tree = {f"{place}{path}": content for path, content in TREE.items()}
    made = Repository.make(tmp_path / "top", {**tree, "docs/x": "x"})
    made.git("tag", "v1")
    source = f"paddle-source:{place.rstrip('/') or '.'}@v1"
    made.commit({FILE: text("f(X) -> ()"), "opspec-lint.yaml": config(specs=[FILE], against=[source])})
    made.stage({FILE: text("f() -> ()")})
    monkeypatch.chdir(made.top / folder)
    environment = {**made.environment, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    report = check(made, reading=Reading(environment=environment), folder=".")
    assert against(report)[0] == ("error", "input_removed", ref(made, FILE), source)
    assert {comparison.base.file for comparison in report.comparisons} == {ref(made, FILE), source}
    assert list((tmp_path / "cache" / "opspec-lint").iterdir())
