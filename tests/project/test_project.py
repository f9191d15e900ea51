from __future__ import annotations

import json

import pytest

from opspec_lint.git.repository import INDEX, WORK_TREE
from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.project import waiver_file
from opspec_lint.project.check import check_project, check_specs
from opspec_lint.project.check_context import Request
from opspec_lint.report.entries import entries
from opspec_lint.report.versions import parse_versions
from opspec_lint.sources.reading import Reading
from tests.support.projects import FILE, TODAY, WAIVERS, check, config, facts, levels, loaded, text, waivers
from tests.support.repositories import Repository
from tests.support.trees.paddle_trees import BASE as TREE_BASE
from tests.support.trees.paddle_trees import CLASS, OPERATORS

BASE, BROKEN, GROWN = (
    text("f(X) -> ()", "g() -> ()"),
    text("f() -> ()", "g() -> ()"),
    text("f(X) -> ()", "g() -> ()", "h() -> ()"),
)
ANOTHER = "specs/other.json"
CONFIG = "opspec-lint.yaml"
TREE = TREE_BASE | {
    f"{OPERATORS}/f_op.cc": CLASS.format(name="FOpMaker", body='AddInput("X", "x");')
    + "\nclass FOp : public framework::OperatorWithKernel {};\nREGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
}


def made(folder, **files):
    return Repository.make(folder / "top", {FILE: BASE, **files})


def configured(folder, **settings):
    return Repository.make(folder / "top", {FILE: BASE, CONFIG: config(**settings)})


# --- without a configuration


@pytest.mark.parametrize("head", [WORK_TREE, INDEX, "HEAD"])
def test_what_changed_is_compared_with_base(tmp_path, head):
    repository = made(tmp_path)
    first = repository.head
    repository.commit({FILE: BROKEN})
    report = check(repository, head=head, base=first, is_exact=True)
    assert facts(report) == [("error", "input_removed", "f")]
    assert report.base == first[:10]
    assert report.comparisons[0].base.file == f"{first[:10]}:{FILE}"


def test_nothing_has_changed(tmp_path):
    repository = made(tmp_path)
    repository.stage({"README": "x"})
    report = check(repository)
    assert (report.comparisons, report.findings, report.unchanged) == ((), (), (FILE,))


@pytest.mark.parametrize("request_", [{}, {"head": INDEX}, {"base": "HEAD"}, {"base": "main"}])
def test_a_fresh_checkout_that_is_compared_with_itself_is_no_check(tmp_path, request_):
    repository = made(tmp_path)
    assert check(repository, **request_).findings == ()
    repository.git("checkout", "-q", "--detach")
    report = check(repository, **request_)
    assert [(finding.level, finding.rule) for finding in report.findings] == [("error", "nothing_compared")]
    assert report.failed
    repository.write({"README": "x"})
    repository.git("add", "README")
    assert check(repository, **request_).findings == ()


@pytest.mark.parametrize(
    "request_", [{}, {"head": INDEX}, {"head": "HEAD", "base": "HEAD"}, {"head": "main", "base": "main"}]
)
def test_a_ci_that_compares_a_commit_with_itself_has_compared_nothing(tmp_path, request_):
    repository = made(tmp_path)
    assert check(repository, **request_).findings == ()
    assert facts(check(repository, is_ci=True, **request_)) == [("error", "nothing_compared", "base")]
    repository.commit({"opspec-lint.yaml": config(levels={"nothing_compared": "note"})})
    assert facts(check(repository, is_ci=True, **request_)) == [("note", "nothing_compared", "base")]
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({"README": "x", "opspec-lint.yaml": config(levels={"nothing_compared": "off"})})
    assert facts(check(repository, is_ci=True, base="topic", head="topic")) == []


@pytest.mark.parametrize("head", [WORK_TREE, INDEX, "HEAD"])
def test_a_source_tree_that_is_compared_with_itself_is_nothing_compared(tmp_path, head):
    repository = Repository.make(tmp_path / "top", {**TREE, "opspec-lint.yaml": config(source="paddle-source:.")})
    nothing = [("error", "nothing_compared", "base")]
    assert facts(check(repository, head=head)) == []
    assert facts(check(repository, head=head, is_ci=True)) == nothing
    repository.git("checkout", "-q", "--detach")
    assert facts(check(repository, head=head)) == nothing
    repository.write({"written by the job": "x"})
    assert facts(check(repository, head=head, is_ci=True)) == nothing
    op = f"{OPERATORS}/f_op.cc"
    repository.stage({op: f"// a comment\n{TREE[op]}"})
    assert facts(check(repository, head=head, is_ci=True)) == ([] if head != "HEAD" else nothing)


def test_a_ci_that_writes_a_file_has_compared_nothing(tmp_path):
    repository = made(tmp_path)
    repository.write({"written by the job": "x"})
    assert facts(check(repository)) == []
    assert facts(check(repository, is_ci=True)) == [("error", "nothing_compared", "base")]


def test_a_release_that_is_compared_with_is_something_compared(tmp_path):
    repository = made(tmp_path)
    repository.commit({"opspec-lint.yaml": config(against=[FILE])})
    assert facts(check(repository, is_ci=True)) == [("error", "nothing_compared", "base")]
    repository.commit({"opspec-lint.yaml": config(against=[f"{repository.head}:{FILE}"])})
    assert facts(check(repository, is_ci=True)) == []


@pytest.mark.parametrize("only", [None, ("f",), ("g",)])
def test_a_copy_under_another_name_is_no_cover_for_what_is_in_its_place(tmp_path, only):
    """git takes the exact copy for the renamed file, and the broken one for a new file."""
    repository = made(tmp_path)
    repository.stage({FILE: None, "specs/decoy.json": BASE, "specs/ops.yaml": BROKEN})
    report = check(repository, only=only)
    result = [finding for finding in report.findings if finding.rule == "input_removed"]
    assert [(finding.level, finding.op) for finding in result] == ([] if only == ("g",) else [("error", "f")])


def test_ops_that_move_to_another_file_are_compared(tmp_path):
    repository = made(tmp_path)
    repository.commit({FILE: text("f(X) -> ()", "g(X) -> ()")})
    repository.stage({FILE: text("f(X) -> ()"), ANOTHER: text("g(X, Y) -> ()")})
    report = check(repository)
    assert facts(report) == [("error", "input_added_not_dispensable", "g"), ("note", "spec_added", ANOTHER)]
    (added,) = report.general
    assert f"it takes over 1 op of '{FILE}', and is compared with that" in added.message


def test_new_deleted_and_renamed(tmp_path):
    repository = made(tmp_path)
    repository.stage({ANOTHER: text("k() -> ()")})
    assert facts(check(repository)) == [("note", "spec_added", ANOTHER)]
    repository.git("commit", "-qm", "two")
    repository.git("mv", FILE, "specs/renamed.json")
    assert facts(check(repository)) == []
    repository.git("rm", "-q", ANOTHER)
    assert facts(check(repository)) == [("error", "spec_removed", ANOTHER)]


def test_on_an_unborn_branch_all_is_new(tmp_path):
    repository = Repository.make(tmp_path / "top")
    repository.stage({FILE: BASE})
    for head in (WORK_TREE, INDEX):
        report = check(repository, head=head)
        assert facts(report) == [("note", "spec_added", FILE)]
        assert report.base == "the empty tree, as there is no commit yet"


def test_schemas_histories_and_different_files_are_no_specs(tmp_path):
    versions = {"f": {"version_id": 1, "checkpoints": []}}
    repository = made(tmp_path)
    repository.stage({"specs/x.schema.json": "{", "specs/versions.json": json.dumps(versions), "specs/README": "x"})
    assert check(repository).findings == ()
    repository.stage({"specs/bad.json": "{"})
    with pytest.raises(InputError, match=r"^specs/bad.json: "):
        check(repository)


def test_nothing_to_check_states_what_to_do(tmp_path):
    with pytest.raises(UsageError, match="no configuration, and no spec file under specs/") as caught:
        check(Repository.make(tmp_path / "top", {"README": ""}))
    assert "opspec-lint extract" in caught.value.advice
    with pytest.raises(UsageError, match="not a git repository"):
        check_project(Request(reading=Reading(environment={"PATH": "/usr/bin"}), folder=str(tmp_path), today=TODAY))


@pytest.mark.parametrize("change", [{"README": "x"}, {FILE: GROWN}])
def test_only_some_ops(tmp_path, change):
    """Also where no spec file changed: that an op is the same is no reason not to know it."""
    repository = made(tmp_path)
    repository.stage(change)
    assert check(repository, only=("f",)).findings == ()
    with pytest.raises(UsageError, match="unknown op 'ff'") as caught:
        check(repository, only=("f", "ff"))
    assert caught.value.advice == "did you mean 'f'?"


def test_only_some_ops_of_two_specs_that_are_named():
    request = Request(reading=Reading(), only=("ff",), today=TODAY)
    with pytest.raises(UsageError, match="unknown op 'ff'"):
        check_specs(loaded("f(X) -> ()"), loaded("f() -> ()"), request)


# --- the policy is base's


CHANGES = {
    "profile": (None, "strict"),
    "levels": ({"input_removed": "error"}, {"input_removed": "off"}),
    "ignore": (None, ["f"]),
    "against": (["old.json"], None),
    "specs": ([FILE, ANOTHER], [ANOTHER]),
    "source": (None, "paddle-runtime"),
    "base": (None, "HEAD"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_a_setting_is_named_and_not_in_force(tmp_path, name):
    old, new = CHANGES[name]
    common = {"specs": [FILE, ANOTHER]}
    before, after = ({**common, name: value} for value in (old, new))
    before, after = ({key: value for key, value in side.items() if value is not None} for side in (before, after))
    files = {FILE: BASE, ANOTHER: BASE, "old.json": BASE, CONFIG: config(**before)}
    repository = Repository.make(tmp_path / "top", files)
    repository.stage({CONFIG: config(**after), FILE: BROKEN})
    report = check(repository)
    assert facts(report) == [("error", "input_removed", "f"), ("warning", "policy_changed", name)]
    (changed,) = report.general
    assert (changed.kind, changed.name, changed.head_origin.file) == ("config", name, CONFIG)
    assert (changed.old, changed.new) == (old, new)
    assert "this check" in changed.message.rpartition("; ")[2]


def test_every_setting_has_its_own_finding_and_the_order_is_the_same(tmp_path):
    repository = configured(tmp_path, profile="strict", ignore=["x"])
    repository.stage({CONFIG: config(base="HEAD", levels={"op_removed": "note"})})
    names = [item.name for item in check(repository).general]
    assert names == ["base", "profile", "levels", "ignore"]


def test_the_same_settings_in_another_file_are_no_change(tmp_path):
    repository = configured(tmp_path, profile="strict", specs=[FILE])
    toml = f'[tool.opspec-lint]\nprofile = "strict"\nspecs = ["{FILE}"]\n'
    repository.stage({CONFIG: None, "pyproject.toml": toml})
    assert check(repository).findings == ()


def test_a_configuration_that_is_taken_out_stays_in_force(tmp_path):
    repository = configured(tmp_path, profile="strict", levels={"input_removed": "warning"})
    repository.stage({CONFIG: None, FILE: BROKEN})
    report = check(repository)
    assert report.comparisons[0].profile == "strict"
    assert facts(report) == [
        ("warning", "input_removed", "f"),
        ("warning", "policy_changed", "levels"),
        ("warning", "policy_changed", "profile"),
    ]


def test_a_release_that_the_base_branch_names_since_is_read_there(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: text("f(X, Y) -> (Out)")})
    fork = repository.head
    old = {"releases/1.json": text("f(X, Y, Z) -> (Out)"), "opspec-lint.yaml": config(against=["releases/1.json"])}
    repository.commit(old)
    repository.git("checkout", "-q", "-b", "topic", fork)
    repository.commit({FILE: text("f(X) -> (Out)")})
    report = check(repository, base="main", head="HEAD")
    assert {finding.name for finding in report.findings if finding.rule == "input_removed"} == {"Y", "Z"}


def test_spec_files_are_those_that_the_base_branch_names_now_however_old_the_commit_that_a_change_starts_from(tmp_path):
    repository = Repository.make(tmp_path / "top", {FILE: BASE, "ops/f.json": BASE})
    fork = repository.head
    repository.commit({CONFIG: config(specs=["ops/*.json"])})
    repository.git("checkout", "-q", "-b", "topic", fork)
    repository.commit({"ops/f.json": BROKEN, CONFIG: config(specs=[FILE])})
    assert ("error", "input_removed", "f") in facts(check(repository, base="main", head="HEAD"))


def test_a_new_configuration_is_not_yet_in_force(tmp_path):
    repository = made(tmp_path)
    new = config(levels={"input_removed": "off", "policy_changed": "off"}, ignore=["*"])
    repository.stage({CONFIG: new, FILE: BROKEN})
    assert facts(check(repository)) == [
        ("error", "input_removed", "f"),
        ("warning", "policy_changed", "ignore"),
        ("warning", "policy_changed", "levels"),
    ]


def test_a_configuration_that_is_named_by_hand_is_in_force_at_once(tmp_path):
    repository = configured(tmp_path, profile="strict")
    repository.stage({FILE: BROKEN})
    by_hand = tmp_path / "other.yaml"
    by_hand.write_text(config(levels={"input_removed": "note"}, profile="paddle"))
    report = check(repository, config=str(by_hand))
    assert facts(report) == [("note", "input_removed", "f")]
    assert report.comparisons[0].profile == "paddle"


def test_a_spec_that_is_taken_out_of_specs_and_deleted_is_an_error(tmp_path):
    repository = configured(tmp_path, specs=[FILE, ANOTHER])
    repository.commit({ANOTHER: BASE})
    repository.stage({CONFIG: config(specs=[ANOTHER]), FILE: None})
    assert ("error", "spec_removed", FILE) in facts(check(repository))


def test_the_branch_that_base_names_is_the_one_to_compare_with(tmp_path):
    """A pull request that names its own past as base would be compared with nothing."""
    repository = configured(tmp_path, base="main")
    repository.git("checkout", "-qb", "topic")
    repository.commit({FILE: BROKEN})
    repository.git("branch", "hidden")
    repository.commit({CONFIG: config(base="hidden")})
    assert facts(check(repository)) == [("error", "input_removed", "f"), ("warning", "policy_changed", "base")]
    assert facts(check(repository, base="hidden")) == [("warning", "policy_changed", "base")]


@pytest.mark.parametrize(
    ("rule", "level"),
    [("spec_removed", "warning"), ("spec_removed", "off"), ("policy_changed", "error"), ("waiver_unused", "error")],
)
def test_the_level_of_a_circumstance_can_be_set(tmp_path, rule, level):
    unused = waivers({"rule": "op_removed", "op": "nowhere"})
    files = {FILE: BASE, ANOTHER: BASE, WAIVERS: unused, CONFIG: config(levels={rule: level})}
    repository = Repository.make(tmp_path / "top", files)
    repository.stage({ANOTHER: None, CONFIG: config(levels={rule: level}, profile="strict")})
    assert levels(check(repository)).get(rule, "off") == level


# --- which files


def test_patterns_that_match_nothing_are_wrong(tmp_path):
    repository = configured(tmp_path, specs=["specs/opps.json"])
    with pytest.raises(UsageError, match=r"specs: there is no file 'specs/opps.json'") as caught:
        check(repository)
    assert caught.value.advice == f"did you mean '{FILE}'?"


def test_a_configuration_further_down_holds_there(tmp_path):
    repository = configured(tmp_path, profile="paddle")
    repository.commit({"sub/opspec-lint.yaml": config(specs=["own.json"], profile="strict"), "sub/own.json": BASE})
    repository.stage({"sub/own.json": GROWN, FILE: GROWN})
    below = check(repository, folder=str(repository.top / "sub"))
    assert [(comparison.head.file, comparison.profile) for comparison in below.comparisons] == [
        ("sub/own.json", "strict")
    ]
    above = check(repository)
    assert [(comparison.head.file, comparison.profile) for comparison in above.comparisons] == [(FILE, "paddle")]


def test_what_moves_in_and_out_of_the_pattern(tmp_path):
    repository = configured(tmp_path, specs=["specs/*.json"])
    repository.commit({ANOTHER: text("k() -> ()"), "old/x.json": text("m() -> ()")})
    repository.git("mv", ANOTHER, "old/other.json")
    assert facts(check(repository)) == [("error", "spec_removed", ANOTHER)]
    repository.git("mv", "old/x.json", "specs/x.json")
    assert facts(check(repository)) == [("error", "spec_removed", ANOTHER)]


def test_a_single_source_cannot_be_compared_with_a_base_it_has_not(tmp_path):
    repository = configured(tmp_path, source="paddle-runtime")
    with pytest.raises(UsageError, match="paddle-runtime has no revisions"):
        check(repository)


@pytest.mark.parametrize("base", [None, {"README": "x"}], ids=["no commit", "no tree"])
@pytest.mark.parametrize("folder", ["", "framework/"])
def test_a_source_that_base_has_not_is_new(tmp_path, base, folder):
    repository = Repository.make(tmp_path / "top", base, XDG_CACHE_HOME=str(tmp_path / "cache"))
    settings = {CONFIG: config(source=f"paddle-source:{folder.rstrip('/') or '.'}")}
    repository.stage(settings | {f"{folder}{path}": body for path, body in TREE.items()})
    for head in (INDEX, WORK_TREE):
        report = check(repository, head=head)
        assert [(finding.rule, finding.level, finding.head_origin) for finding in report.findings] == [
            ("spec_added", "note", None)
        ]
        assert report.findings[0].message.startswith("the source 'paddle-source:")


def test_a_source_that_is_lost_is_not_new(tmp_path):
    settings = {CONFIG: config(source="paddle-source:."), "README": "x"}
    repository = Repository.make(tmp_path / "top", settings, XDG_CACHE_HOME=str(tmp_path / "cache"))
    repository.stage(TREE)
    assert [(finding.rule, finding.level) for finding in check(repository).findings] == [("base_unreadable", "error")]


@pytest.mark.parametrize("folder", ["framework", "framework/below"])
def test_a_source_in_a_submodule_has_different_revisions(tmp_path, folder):
    repository = configured(tmp_path, source=f"paddle-source:{folder}")
    inside = Repository.make(repository.top / "framework", {f"below/{path}": body for path, body in TREE.items()})
    assert inside.head
    with pytest.raises(UsageError, match=f"paddle-source:{folder} is in another repository"):
        check(repository)


# --- waivers


INPUT = {"rule": "input_removed", "op": "f"}


def test_a_waived_error_does_not_count_and_stays(tmp_path):
    repository = made(tmp_path)
    repository.stage({FILE: BROKEN, WAIVERS: waivers(INPUT)})
    report = check(repository)
    assert not report.failed
    (finding,) = report.findings
    assert (finding.rule, finding.level, finding.waived.reason, finding.waived.is_new) == (
        "input_removed",
        "error",
        "nobody uses it",
        True,
    )
    assert report.waived == (finding,)


def test_a_waiver_that_base_has_is_not_new(tmp_path):
    repository = made(tmp_path, **{WAIVERS: waivers(INPUT)})
    repository.stage({FILE: BROKEN})
    assert [finding.waived.is_new for finding in check(repository).findings] == [False]
    repository.stage({WAIVERS: waivers({**INPUT, "expires": "2030-01-01"})})
    assert [finding.waived.is_new for finding in check(repository).findings] == [True]


def test_after_the_merge_it_is_unused(tmp_path):
    repository = made(tmp_path)
    repository.commit({FILE: BROKEN, WAIVERS: waivers(INPUT)})
    repository.stage({"README": "x"})
    report = check(repository)
    assert facts(report) == [("warning", "waiver_unused", "f")]
    assert not report.failed
    (unused,) = report.findings
    assert (unused.head_origin.file, unused.head_origin.line) == (WAIVERS, 1)


def test_a_waiver_of_a_single_finding_in_several_spec_files(tmp_path):
    repository = made(tmp_path, **{ANOTHER: BASE})
    repository.stage({FILE: BROKEN, ANOTHER: BROKEN, WAIVERS: waivers(INPUT)})
    broken = [("error", "input_removed", "f")] * 2
    assert facts(check(repository)) == [*broken, ("error", "waiver_incomplete", "f")]
    repository.stage({WAIVERS: waivers({**INPUT, "file": ANOTHER})})
    assert facts(check(repository)) == broken[1:]
    repository.stage({WAIVERS: waivers({**INPUT, "covers": 2})})
    assert facts(check(repository)) == []
    repository.stage({WAIVERS: waivers({**INPUT, "covers": 1})})
    assert facts(check(repository)) == [*broken, ("error", "waiver_too_broad", "f")]
    repository.stage({WAIVERS: waivers(*({**INPUT, "file": file} for file in (FILE, ANOTHER)))})
    report = check(repository)
    assert (facts(report), len(report.waived)) == ([], 2)


def test_a_waiver_of_a_single_file_does_not_let_a_later_break_of_another_pass(tmp_path):
    """Only the second file changes then; that there is a first one is enough for a waiver to have to name its file."""
    repository = made(tmp_path, **{ANOTHER: BASE})
    repository.commit({FILE: BROKEN, WAIVERS: waivers({**INPUT, "file": FILE})})
    repository.stage({ANOTHER: BROKEN})
    assert facts(check(repository)) == [("error", "input_removed", "f"), ("warning", "waiver_unused", "f")]
    repository.stage({WAIVERS: waivers(INPUT)})
    assert facts(check(repository)) == [("error", "input_removed", "f"), ("error", "waiver_incomplete", "f")]


def test_of_a_single_spec_file_a_waiver_need_not_name_it(tmp_path):
    repository = made(tmp_path)
    repository.stage({FILE: BROKEN, WAIVERS: waivers(INPUT)})
    assert facts(check(repository)) == []


def test_a_finding_is_in_a_file_that_head_has_whatever_it_is_called(tmp_path):
    odd = "specs/a:b.spec"
    repository = made(tmp_path, **{odd: BASE, ANOTHER: BASE, CONFIG: config(profile="paddle")})
    repository.stage({odd: BROKEN, ANOTHER: None, CONFIG: "# one\n\n" + config(profile="strict")})
    report = check(repository, wants_lines=True)
    places = {entry.finding.rule: (entry.place.path, entry.place.line) for entry in entries(report)}
    assert places["input_removed"][0] == odd
    assert places["spec_removed"] == (odd, 1)
    assert places["policy_changed"] == (CONFIG, 3)


def test_a_release_that_is_too_small_is_in_a_file(tmp_path):
    repository = made(tmp_path)
    repository.stage({FILE: BROKEN})
    report = check(repository, versions=parse_versions("1.0.0", "1.0.1", ("a", "b")))
    (place,) = (entry.place for entry in entries(report) if entry.finding.rule == "release_too_small")
    assert (place.path, place.line) == (FILE, 1)


def test_an_unused_waiver_that_is_new_states_what_is_so(tmp_path):
    repository = made(tmp_path)
    repository.stage({WAIVERS: waivers(INPUT)})
    (unused,) = check(repository).findings
    assert unused.message.startswith("the new waiver of input_removed f")
    assert "no finding matches" in unused.advice
    repository.commit({})
    (unused,) = check(repository).findings
    assert unused.message.startswith("the waiver of input_removed f")
    assert "base contains the change now" in unused.advice


@pytest.mark.parametrize("day", ["2030-02-30", "2029-02-29", "2030-04-31"])
def test_a_last_day_that_there_is_not_is_a_fault_of_the_file(tmp_path, day):
    repository = made(tmp_path)
    repository.stage({FILE: BROKEN, WAIVERS: waivers({**INPUT, "expires": day})})
    with pytest.raises(UsageError, match=rf"waivers\[0\].expires: '{day}' is not a calendar date"):
        check(repository)


@pytest.mark.parametrize(
    ("entry", "event"),
    [
        ({**INPUT, "reason": ""}, "waiver_incomplete"),
        ({**INPUT, "expires": "2026-05-14"}, "waiver_expired"),
        ({**INPUT, "new": {}}, "waiver_outdated"),
        ({"rule": "input_remove", "op": "f"}, "waiver_unknown_rule"),
    ],
)
def test_a_faulty_waiver_is_an_error_next_to_the_finding(tmp_path, entry, event):
    repository = made(tmp_path)
    repository.stage({FILE: BROKEN, WAIVERS: waivers(entry)})
    report = check(repository)
    assert facts(report) == [("error", "input_removed", "f"), ("error", event, "f")]
    repository.stage({WAIVERS: waivers(entry, {"fingerprint": report.general[0].fingerprint})})
    assert ("error", event, "f") in facts(check(repository))


def test_files_and_settings_can_be_waived_by_fingerprint(tmp_path):
    repository = configured(tmp_path, profile="strict", specs=["specs/*.json"])
    repository.commit({ANOTHER: BASE})
    repository.stage({ANOTHER: None, CONFIG: config(specs=["specs/*.json"])})
    report = check(repository)
    assert facts(report) == [("error", "spec_removed", ANOTHER), ("warning", "policy_changed", "profile")]
    entries = [waiver_file.make_entry(finding, "r", "o", None) for finding in report.findings]
    repository.stage({WAIVERS: waivers(*entries)})
    report = check(repository)
    assert (facts(report), len(report.waived)) == ([], 2)


def test_a_revert_leaves_a_waiver_unused(tmp_path):
    """The waiver of the change is in force; what takes the change back is none of its business, nor an error."""
    pinned = {"rule": "attr_default_changed", "op": "f", "old": 0, "new": 1}
    zero, first = (text(f"f() -> () [a: INT = {value}]") for value in (0, 1))
    settings = config(specs=[FILE], against=["v1.json"])
    repository = Repository.make(
        tmp_path / "top", {FILE: first, "v1.json": zero, CONFIG: settings, WAIVERS: waivers(pinned)}
    )
    assert facts(check(repository)) == []
    repository.stage({FILE: zero})
    assert facts(check(repository)) == [("note", "attr_default_changed", "f"), ("warning", "waiver_unused", "f")]


def test_the_file_of_the_waivers(tmp_path):
    repository = configured(tmp_path, waivers="w/all.yaml")
    repository.stage({FILE: BROKEN})
    with pytest.raises(UsageError, match=r"waivers: there is no file 'w/all\.yaml'"):
        check(repository)
    repository.stage({"w/all.yaml": waivers(INPUT), WAIVERS: "not looked at"})
    assert not check(repository).failed
    assert check(repository, waivers="").failed
    repository.stage({"w/all.yaml": "{"})
    with pytest.raises(UsageError, match=r"^w/all.yaml: "):
        check(repository)
    by_hand = tmp_path / "mine.yaml"
    by_hand.write_text(waivers(INPUT))
    assert not check(repository, waivers=str(by_hand)).failed


def test_wrong_waivers_of_base_do_not_stop_who_mends_them(tmp_path):
    repository = made(tmp_path, **{WAIVERS: "rubbish"})
    with pytest.raises(UsageError, match=f"^{WAIVERS}: "):
        check(repository)
    repository.stage({FILE: BROKEN, WAIVERS: waivers(INPUT)})
    assert [finding.waived.is_new for finding in check(repository).findings] == [True]
    repository.stage({WAIVERS: None})
    assert facts(check(repository)) == [("error", "input_removed", "f")]


def test_waivers_of_two_specs_that_are_named(tmp_path):
    file = tmp_path / "w.yaml"
    file.write_text(waivers(INPUT))
    request = Request(reading=Reading(), waivers=str(file), today=TODAY)
    report = check_specs(loaded("f(X) -> ()"), loaded("f() -> ()"), request)
    assert (report.failed, len(report.waived)) == (False, 1)
    expired = check_specs(loaded("f(X) -> ()"), loaded("f() -> ()"), request.replace(today="2099-01-01", waivers=""))
    assert expired.failed


# --- where findings stand that are of no spec


OF_NO_SPEC = ("spec_removed", "release_too_small", "nothing_compared")


@pytest.mark.parametrize(
    ("has_another", "has_configuration", "expected"),
    [(True, True, CONFIG), (True, False, ANOTHER), (False, True, CONFIG), (False, False, FILE)],
)
@pytest.mark.parametrize("head", [WORK_TREE, INDEX])
def test_findings_of_no_spec_are_at_a_file_of_the_change(tmp_path, has_another, has_configuration, expected, head):
    repository = made(tmp_path, **({ANOTHER: BASE} if has_another else {}))
    if has_configuration:
        repository.commit({CONFIG: config(levels={"op_added": "note"})})
    repository.stage({FILE: None})
    report = check(repository, head=head, versions=parse_versions("1.0.0", "1.0.1", ("a", "b")))
    placed = {entry.finding.rule: entry.place.path for entry in entries(report) if entry.finding.rule in OF_NO_SPEC}
    assert placed == dict.fromkeys(("spec_removed", "release_too_small"), expected)


def test_findings_of_no_spec_are_at_the_configuration_of_a_source_tree(tmp_path):
    repository = Repository.make(tmp_path / "top", {**TREE, CONFIG: config(source="paddle-source:.")})
    op = f"{OPERATORS}/f_op.cc"
    repository.stage({op: TREE[op].replace('AddInput("X", "x")', 'AddOutput("X", "x")')})
    report = check(repository, head=INDEX, versions=parse_versions("1.0.0", "1.0.1", ("a", "b")))
    places = {entry.finding.rule: entry.place.path for entry in entries(report)}
    assert places["release_too_small"] == CONFIG
    assert {path for rule, path in places.items() if rule != "release_too_small"} == {op}
    idle = check(repository, base="HEAD", head="HEAD", is_ci=True)
    assert [(entry.finding.rule, entry.place.path) for entry in entries(idle)] == [("nothing_compared", CONFIG)]
