"""The verdict of the hook on a commit, in each situation in which git starts it; each test checks that it touches
nothing.
"""

from __future__ import annotations

import os
import sys

import pytest

from tests.hooks.committing import BASE, BROKEN, CONFIG, GROWN, OPS, PRE_COMMIT, Committing
from tests.support.repositories import SPEC, spec
from tests.support.samples import sampled

BOTH = spec(*OPS[1:], "tanh")
RUBBISH = "rubbish\n"
ANOTHER = "specs/other.json"
CHECK = (sys.executable, "-m", "opspec_lint", "check", "--staged")


def passes(committed):
    assert (committed.code, committed.verdict) == (0, "Passed"), committed.out


def refused(committed, *rules):
    assert (committed.code, committed.verdict) == (1, "Failed"), committed.out
    assert committed.rules.issuperset(rules or {"op_removed"}), committed.out


# --- what is staged


def test_a_commit_that_breaks_nothing(repository):
    repository.stage({SPEC: GROWN})
    passes(repository.try_commit())
    assert repository.git("show", f"HEAD:{SPEC}") == GROWN.strip()


def test_a_commit_that_breaks_something(repository):
    repository.stage({SPEC: BROKEN})
    refused(repository.try_commit())


def test_all_of_the_work_tree(repository):
    repository.write({SPEC: BROKEN})
    refused(repository.try_commit("-a", "-m", "x"))
    repository.write({SPEC: GROWN})
    passes(repository.try_commit("-am", "x"))


@pytest.mark.parametrize("answers", ["y\nn\n", "n\ny\n"], ids=["the break", "the addition"])
def test_a_single_hunk_of_two(repository, answers):
    repository.write({SPEC: BOTH})
    committed = repository.try_commit("-p", "-m", "x", input=answers)
    if answers.startswith("y"):
        refused(committed)
    else:
        passes(committed)
        assert repository.git("show", f"HEAD:{SPEC}") == GROWN.strip()


def test_a_single_path_of_two(repository):
    repository.commit({ANOTHER: BASE})
    repository.stage({SPEC: BROKEN, ANOTHER: GROWN})
    refused(repository.try_commit(SPEC, "-m", "x"))
    passes(repository.try_commit(ANOTHER, "-m", "x"))
    assert repository.git("diff", "--cached", "--name-only") == SPEC


@pytest.mark.parametrize("lies_there", sampled([RUBBISH, BROKEN, BASE], [BROKEN]))
def test_what_is_staged_counts_and_not_what_lies_there(repository, lies_there):
    repository.stage({SPEC: GROWN})
    repository.write({SPEC: lies_there})
    passes(repository.try_commit())
    repository.stage({SPEC: BROKEN})
    repository.write({SPEC: GROWN})
    refused(repository.try_commit())


def test_what_lies_there_untracked_does_not_count(repository):
    repository.stage({SPEC: GROWN})
    repository.write({ANOTHER: RUBBISH, "opspec-lint.toml": RUBBISH, "opspec-waivers.yaml": RUBBISH})
    passes(repository.try_commit())


def test_an_intent_to_add_is_no_file_yet(repository):
    repository.write({ANOTHER: RUBBISH})
    repository.git("add", "-N", ANOTHER)
    repository.stage({SPEC: GROWN})
    passes(repository.try_commit())


def test_an_amended_commit_is_held_against_the_default_branch(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: BROKEN})
    work.stage({SPEC: BOTH})
    refused(work.try_commit("--amend", "-m", "x"))
    work.stage({SPEC: GROWN})
    passes(work.try_commit("--amend", "-m", "x"))


def test_on_the_default_branch_an_amended_commit_is_held_against_itself(repository):
    repository.commit({SPEC: GROWN})
    repository.stage({SPEC: BROKEN})
    refused(repository.try_commit("--amend", "--no-edit"))
    repository.stage({SPEC: spec(*OPS, "tanh", "sin")})
    passes(repository.try_commit("--amend", "--no-edit"))


# --- where it is committed


def test_a_linked_work_tree(repository, tmp_path):
    repository.git("worktree", "add", "-q", "-b", "topic", tmp_path / "linked")
    repository.stage({SPEC: RUBBISH})
    linked = repository.elsewhere(tmp_path / "linked")
    linked.stage({SPEC: BROKEN})
    refused(linked.try_commit())
    linked.stage({SPEC: GROWN})
    passes(linked.try_commit())


def test_a_work_tree_of_a_bare_repository(repository, tmp_path):
    repository.git("clone", "-q", "--bare", repository.top, tmp_path / "bare.git")
    repository.install_in(tmp_path / "bare.git")
    repository.git("-C", tmp_path / "bare.git", "worktree", "add", "-q", tmp_path / "work")
    work = repository.elsewhere(tmp_path / "work")
    work.stage({SPEC: BROKEN})
    refused(work.try_commit())
    work.write({SPEC: GROWN})
    passes(work.try_commit("-am", "x"))


def test_a_submodule(repository, tmp_path):
    outer = Committing.make(tmp_path / "outer", {"README": "outer\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository.top, "inner")
    repository.install_in(outer.top / ".git/modules/inner")
    inner = repository.elsewhere(outer.top / "inner")
    inner.stage({SPEC: BROKEN})
    refused(inner.try_commit())
    inner.write({SPEC: GROWN})
    passes(inner.try_commit("-am", "x"))


def test_a_folder_below_the_top(repository):
    repository.stage({SPEC: BROKEN})
    refused(repository.try_commit(folder="specs"))
    assert repository.run(*CHECK, folder="specs").returncode == 1
    repository.stage({SPEC: GROWN})
    assert repository.run(*CHECK, folder="specs").returncode == 0
    passes(repository.try_commit(folder="specs"))


def test_the_first_commit_of_all(unborn):
    unborn.stage({SPEC: BASE})
    passes(unborn.try_commit())


def test_the_first_commit_of_all_has_to_be_readable(unborn):
    unborn.stage({SPEC: RUBBISH})
    committed = unborn.try_commit()
    assert (committed.code, committed.verdict) == (1, "Failed")
    assert f"{SPEC}: " in committed.out
    assert unborn.head is None


def test_a_detached_head(repository):
    repository.git("checkout", "-q", "--detach")
    repository.stage({SPEC: BROKEN})
    refused(repository.try_commit())
    repository.stage({SPEC: GROWN})
    passes(repository.try_commit())


@pytest.mark.parametrize("what", sampled(["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "all"], ["GIT_DIR", "all"]))
def test_variables_that_lead_to_another_repository(repository, tmp_path, what):
    another = Committing.make(tmp_path / "other", {SPEC: GROWN})
    another.stage({SPEC: BASE})
    there = {
        "GIT_DIR": str(another.top / ".git"),
        "GIT_INDEX_FILE": str(another.top / ".git" / "index"),
        "GIT_WORK_TREE": str(another.top),
    }
    variables = there if what == "all" else {what: there[what]}
    repository.stage({SPEC: GROWN})
    before = repository.state(), another.state()
    assert repository.run(*CHECK, env=variables).returncode == 0
    repository.stage({SPEC: BROKEN})
    assert repository.run(*CHECK, env=variables).returncode == 1
    assert another.run(*CHECK).returncode == 1
    assert another.state() == before[1]


def test_a_commit_that_is_made_in_a_hook_of_another_repository(repository, tmp_path):
    """git hands its hooks an index of its own, and GIT_DIR in a linked work tree."""
    outer = Committing.make(tmp_path / "outer", {SPEC: GROWN})
    outer.git("worktree", "add", "-q", "-b", "topic", tmp_path / "linked")
    text = f"cd '{repository.top}' && '{sys.executable}' -m opspec_lint check --staged"
    hook = outer.top / ".git/hooks/pre-commit"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\nenv | grep ^GIT_INDEX_FILE=\n{text}\n")
    hook.chmod(0o755)
    linked = Committing(tmp_path / "linked")
    repository.stage({SPEC: BROKEN})
    linked.write({SPEC: GROWN.replace("tanh", "cosh")})
    ran = linked.run("git", "commit", "-am", "x")
    assert (ran.returncode, "GIT_INDEX_FILE" in ran.stdout + ran.stderr) == (1, True)
    assert "abs" in ran.stdout + ran.stderr
    repository.stage({SPEC: GROWN})
    assert linked.run("git", "commit", "-am", "x").returncode == 0


# --- what it is checked against


def clone(repository, tmp_path, name="clone"):
    """Return a clone with a branch `topic`, which was pushed."""
    repository.git("clone", "-q", repository.top.as_uri(), tmp_path / name)
    repository.install_in(tmp_path / name / ".git")
    work = repository.elsewhere(tmp_path / name)
    work.git("checkout", "-q", "-b", "topic")
    work.git("push", "-q", "-u", "origin", "topic")
    return work


def test_a_break_two_commits_ago_is_still_seen(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: BROKEN})
    work.commit({"README": "two\n"})
    work.git("push", "-q")
    work.stage({SPEC: BOTH})
    refused(work.try_commit())
    work.stage({SPEC: GROWN})
    passes(work.try_commit())


def test_what_the_default_branch_has_done_since_is_not_held_against_us(repository, tmp_path):
    work = clone(repository, tmp_path)
    repository.commit({SPEC: spec(*OPS, "sin")})
    work.git("fetch", "-q")
    work.stage({SPEC: GROWN})
    passes(work.try_commit())


def merge(work, reference):
    """Begin a merge of the default branch that conflicts in the spec file."""
    work.git("fetch", "-q")
    assert work.run("git", "merge", "--no-edit", reference).returncode == 1
    assert "UU" in work.git("status", "--porcelain")


def test_the_breaks_of_a_default_branch_that_is_merged_are_not_ours(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: GROWN})
    repository.commit({SPEC: spec(*OPS[1:], "sin")})
    merge(work, "origin/main")
    work.stage({SPEC: spec(*OPS[1:], "sin", "tanh")})
    passes(work.try_commit())


def test_a_merge_that_breaks_what_the_default_branch_has(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: GROWN})
    repository.commit({SPEC: spec(*OPS, "sin")})
    merge(work, "origin/main")
    work.stage({SPEC: GROWN})
    refused(work.try_commit())
    work.stage({SPEC: spec(*OPS, "sin", "tanh")})
    passes(work.try_commit())


def test_a_merge_into_the_default_branch_is_held_against_head(repository):
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit({SPEC: spec(*OPS[1:], "sin")})
    repository.git("checkout", "-q", "main")
    repository.commit({SPEC: GROWN})
    assert repository.run("git", "merge", "topic").returncode == 1
    repository.stage({SPEC: spec(*OPS[1:], "sin", "tanh")})
    refused(repository.try_commit())
    repository.stage({SPEC: spec(*OPS, "sin", "tanh")})
    passes(repository.try_commit())


def rebase_with_conflict(repository, tmp_path):
    """Return a work tree in the middle of a rebase: their op and ours stand in the same place."""
    work = clone(repository, tmp_path)
    work.commit({SPEC: GROWN})
    repository.commit({SPEC: spec(*OPS, "sin")})
    work.git("fetch", "-q")
    assert work.run("git", "rebase", "origin/main").returncode == 1
    return work


def test_a_conflict_in_a_rebase(repository, tmp_path):
    work = rebase_with_conflict(repository, tmp_path)
    work.stage({SPEC: GROWN})
    refused(work.try_commit())
    work.stage({SPEC: spec(*OPS, "sin", "tanh")})
    passes(work.try_commit())
    work.git("rebase", "--continue")
    assert work.git("symbolic-ref", "--short", "HEAD") == "topic"


def test_a_rebase_that_is_continued(repository, tmp_path):
    """Git decides whether it starts the hook there; we see what the next commit would be."""
    work = rebase_with_conflict(repository, tmp_path)
    work.stage({SPEC: GROWN})
    assert work.run(*CHECK).returncode == 1
    work.stage({SPEC: spec(*OPS, "sin", "tanh")})
    before = work.state()
    assert work.run(*CHECK).returncode == 0
    assert work.state() == before
    work.git("rebase", "--continue")
    work.stage({SPEC: GROWN})
    refused(work.try_commit())


def test_a_commit_that_a_rebase_stops_at(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: GROWN})
    work.commit({"README": "two\n"})
    work.git("rebase", "-q", "-i", "HEAD~2", env={"GIT_SEQUENCE_EDITOR": "sed -i 1s/pick/edit/"})
    assert work.run("git", "symbolic-ref", "-q", "HEAD").returncode == 1
    work.stage({SPEC: BOTH})
    refused(work.try_commit("--amend", "--no-edit"))
    work.stage({SPEC: spec(*OPS, "tanh", "sin")})
    passes(work.try_commit("--amend", "--no-edit"))
    work.git("rebase", "--continue")


def test_a_cherry_pick_and_a_revert(repository, tmp_path):
    work = clone(repository, tmp_path)
    broken = work.commit({SPEC: BROKEN})
    work.git("revert", "--no-commit", broken)
    passes(work.try_commit())
    work.git("cherry-pick", "--no-commit", broken)
    refused(work.try_commit())


def test_the_commits_of_a_push(repository, tmp_path):
    work = clone(repository, tmp_path)
    work.commit({SPEC: BROKEN})
    pushed = (*PRE_COMMIT, "run", "--from-ref", "origin/main", "--to-ref", "HEAD")
    refused(work.observed(*pushed))
    work.commit({SPEC: GROWN})
    passes(work.observed(*pushed))


def test_a_push_is_held_against_the_default_branch(repository, tmp_path):
    """The commits of the branch on the remote are no base for those that are pushed to it next."""
    config = repository.hooks.config("opspec-lint", stages=["pre-commit", "pre-push"])
    work = clone(repository, tmp_path)
    work.commit({SPEC: BROKEN, CONFIG: config})
    work.git("push", "-q", "--no-verify")
    work.commit({"README": "two\n"})
    assert work.run(*PRE_COMMIT, "install", "-t", "pre-push").returncode == 0
    ran = work.run("git", "push")
    assert (ran.returncode, "op_removed" in ran.stdout + ran.stderr) == (1, True)
    work.commit({SPEC: GROWN})
    ran = work.run("git", "push")
    assert ran.returncode == 0, ran.stdout + ran.stderr


# --- which files


def test_a_renamed_spec(repository):
    repository.git("mv", SPEC, "specs/renamed.json")
    repository.stage({"specs/renamed.json": BROKEN})
    refused(repository.try_commit())
    repository.stage({"specs/renamed.json": BASE})
    passes(repository.try_commit())


def test_a_spec_that_moves_to_where_nobody_looks_is_gone(repository):
    repository.commit({ANOTHER: BASE.replace("relu", "selu")})
    repository.git("mv", SPEC, "ops.json")
    repository.stage({ANOTHER: GROWN.replace("relu", "selu")})
    refused(repository.try_commit(), "spec_removed")


@pytest.mark.parametrize("path", sampled(["ops.json", "docs/x.txt", ".hidden/ops.json", "ops"], ["docs/x.txt"]))
def test_a_commit_that_only_moves_a_spec_to_where_nobody_looks(repository, path):
    """Of a file that moved, pre-commit passes the new name only."""
    (repository.top / path).parent.mkdir(exist_ok=True)
    repository.git("mv", SPEC, path)
    refused(repository.try_commit(), "spec_removed")


@pytest.mark.parametrize("path", ["ops.json", "ops.txt"])
def test_a_spec_that_leaves_its_source_is_seen_by_sync(unborn, path):
    source = f'specs = [{{ file = "{SPEC}", source = "paddle-runtime:{sys.executable}" }}]\n'
    unborn.but_config(unborn.hooks.config("opspec-lint-sync")).commit({"opspec-lint.toml": source, SPEC: BASE})
    unborn.git("mv", SPEC, path)
    committed = unborn.try_commit()
    assert (committed.code, committed.verdicts) == (1, {"opspec-lint sync": "Failed"}), committed.out


def test_a_spec_that_is_deleted_next_to_another_change(repository):
    repository.commit({ANOTHER: BASE})
    repository.stage({SPEC: None, ANOTHER: GROWN})
    refused(repository.try_commit(), "spec_removed")


def test_a_commit_that_only_deletes_a_spec(repository):
    """pre-commit passes no file that was deleted."""
    repository.stage({SPEC: None})
    refused(repository.try_commit(), "spec_removed")
    repository.git("reset", "-q", "--hard")
    repository.commit({ANOTHER: BASE})
    repository.stage({SPEC: None})
    refused(repository.try_commit(), "spec_removed")


@pytest.mark.parametrize("hook", ["opspec-lint-validate", "opspec-lint-audit"])
def test_a_hook_for_files_is_skipped_where_there_are_none(unborn, hook):
    unborn.but_config(unborn.hooks.config(hook)).commit({SPEC: BASE})
    unborn.stage({SPEC: None})
    committed = unborn.try_commit()
    assert (committed.code, committed.verdicts) == (0, {hook.replace("-lint-", "-lint "): "Skipped"}), committed.out


def test_a_new_spec(repository):
    repository.stage({ANOTHER: BASE})
    committed = repository.try_commit()
    passes(committed)
    ran = repository.run(*CHECK, "--base", "HEAD~1", "--exact")
    assert (ran.returncode, "spec_added" in ran.stdout) == (0, True)


def test_a_new_spec_has_to_be_readable(repository):
    repository.stage({ANOTHER: RUBBISH})
    committed = repository.try_commit()
    assert (committed.code, committed.verdict) == (1, "Failed")
    assert f"{ANOTHER}: " in committed.out


@pytest.mark.parametrize(
    "name",
    sampled(
        ["a b.json", "größe.json", "new\nline.json", "tab\t\"quote'.json", "-x.json", "0:a.json"],
        ["new\nline.json", "0:a.json"],
    ),
)
def test_names_of_every_kind(unborn, name):
    path = f"specs/{name}"
    unborn.commit({path: BASE})
    unborn.stage({path: BROKEN})
    committed = unborn.try_commit()
    refused(committed)
    unborn.stage({path: GROWN})
    passes(unborn.try_commit())


def test_a_name_that_is_no_utf_8(unborn):
    """pre-commit gives up at such a name, so that we are asked directly."""
    path = "specs/a\udcffb.json"
    unborn.commit({path: BASE})
    unborn.stage({path: BROKEN})
    before = unborn.state()
    assert unborn.run(*CHECK).returncode == 1
    assert unborn.state() == before
    unborn.stage({path: GROWN})
    assert unborn.run(*CHECK).returncode == 0


def test_a_spec_at_the_top_whose_name_looks_like_a_stage_of_the_index(unborn):
    unborn.commit({"opspec-lint.toml": 'specs = ["*.json"]\n', "a.json": GROWN, "0:a.json": BASE})
    unborn.stage({"0:a.json": BROKEN})
    assert unborn.run(*CHECK).returncode == 1


NO_SPECS = {
    "specs/README": "what lies here\n",
    "specs/ops.schema.json": '{"type": "object"}',
    "specs/opversions.json": '{"relu": {"checkpoints": [], "version_id": 0}}',
}


@pytest.mark.parametrize("name", sampled(NO_SPECS, ["specs/ops.schema.json"]))
def test_what_lies_among_the_specs_and_is_none(repository, name):
    repository.stage({name: NO_SPECS[name], SPEC: GROWN})
    passes(repository.try_commit())


def test_a_spec_whose_name_does_not_report_it(repository):
    repository.commit({"specs/ops": BASE})
    repository.stage({"specs/ops": BROKEN})
    refused(repository.try_commit())


@pytest.mark.parametrize("path", ["README", ".github/workflows/a.yaml"])
def test_a_commit_that_touches_nothing_of_ours(repository, path):
    repository.stage({path: "two\n"})
    passes(repository.try_commit())
    repository.commit({"opspec-lint.toml": "wrong = 1\n"})
    repository.stage({path: "three\n"})
    committed = repository.try_commit()
    assert (committed.code, committed.verdict) == (1, "Failed")
    assert "exit code: 2" in committed.out


@pytest.mark.parametrize(
    "path",
    sampled(
        ["opspec-lint.toml", "opspec-lint.yaml", "opspec-waivers.yaml", "sub/specs/a.spec"],
        ["opspec-waivers.yaml", "sub/specs/a.spec"],
    ),
)
def test_a_commit_that_touches_what_the_verdict_hangs_on_starts_us(repository, path):
    repository.stage({path: "wrong: [\n"})
    assert repository.try_commit().verdict == ("Passed" if path.startswith("sub/") else "Failed")


@pytest.mark.parametrize("more", [{}, {"files": "^nothing$"}], ids=str)
def test_specs_that_lie_elsewhere(unborn, more):
    """The `files` of a hook that always runs change nothing."""
    unborn.but_config(unborn.hooks.config("opspec-lint", **more)).commit(
        {"opspec-lint.toml": 'specs = ["ops/*.json"]\n', "ops/a.json": BASE}
    )
    unborn.stage({"ops/a.json": BROKEN})
    refused(unborn.try_commit())
    unborn.stage({"ops/a.json": GROWN})
    passes(unborn.try_commit())


# --- settings and waivers


def test_a_commit_does_not_loosen_its_own_check(repository):
    repository.stage({SPEC: BROKEN, "opspec-lint.toml": 'ignore = ["*"]\n'})
    refused(repository.try_commit(), "op_removed", "policy_changed")


def test_a_waiver_counts_in_the_commit_that_brings_it(repository):
    repository.stage({SPEC: BROKEN})
    waiver = "version: 1\nwaivers:\n- rule: op_removed\n  op: abs\n  reason: nobody has it\n  owner: me\n"
    repository.stage({"opspec-waivers.yaml": waiver.replace("  owner: me\n", "")})
    refused(repository.try_commit(), "waiver_incomplete")
    repository.stage({"opspec-waivers.yaml": waiver})
    passes(repository.try_commit())


# --- the other hooks


@pytest.fixture
def validated(unborn):
    unborn.but_config(unborn.hooks.config("opspec-lint-validate")).commit({"README": "one\n"})
    return unborn


def canonical(repository, text):
    """Return a spec as we write it."""
    repository.write({"raw": text})
    ran = repository.run(sys.executable, "-m", "opspec_lint", "extract", "raw")
    repository.write({"raw": None})
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_well_formed_files_are_valid(validated):
    own = canonical(validated, BASE)
    validated.stage({SPEC: BASE, "specs/own.json": own, "specs/ops.schema.json": RUBBISH, "specs/README": RUBBISH})
    committed = validated.try_commit()
    assert (committed.code, committed.verdicts) == (0, {"opspec-lint validate": "Passed"}), committed.out


def test_a_malformed_file_is_not_valid(validated):
    validated.stage({SPEC: '{"relu": {"Inputs": 1, "Outputs": {}, "Attrs": {}}}'})
    committed = validated.try_commit()
    assert (committed.code, committed.verdicts) == (1, {"opspec-lint validate": "Failed"}), committed.out
    assert "exit code: 3" in committed.out
    assert f"error: {SPEC}: " in committed.out


def test_a_file_that_is_not_canonical_is_named_with_the_command_that_mends_it(validated):
    own = canonical(validated, BASE)
    validated.stage({SPEC: own.replace("\n", "\n\n", 1)})
    committed = validated.try_commit()
    assert (committed.code, committed.verdicts) == (1, {"opspec-lint validate": "Failed"}), committed.out
    assert "exit code: 1" in committed.out
    mend(validated, committed)
    assert (validated.top / SPEC).read_text() == own
    validated.git("add", SPEC)
    assert validated.try_commit().code == 0


def mend(repository, committed):
    """Run the command that was printed."""
    (command,) = {part for part in committed.out.split("`") if part.startswith("opspec-lint ")}
    own = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    ran = repository.run("sh", "-c", command, env={"PATH": own})
    assert ran.returncode == 0, ran.stderr


FAKE = """\
class Proto:
    class DESCRIPTOR:
        fields_by_name = {}

    def __init__(self, **fields):
        self.__dict__.update(fields)


def get_all_op_protos():
    return [Proto(type=name, inputs=[], outputs=[], attrs=[]) for name in ("abs", "relu")]
"""
CORE = """\
def get_op_attrs_default_value(op):
    return {}


def get_op_version_map():
    return {}
"""


@pytest.fixture
def paddle(tmp_path):
    """A folder with a package named paddle, which has two ops."""
    package = tmp_path / "site" / "paddle"
    (package / "base").mkdir(parents=True)
    (package / "__init__.py").write_text("__version__ = '9.8.7'\nfrom . import version\n")
    (package / "version.py").write_text(f"commit = '{'c0ffee' * 6}0000'\n")
    (package / "base" / "__init__.py").touch()
    (package / "base" / "core.py").write_text(CORE)
    (package / "base" / "framework.py").write_text(FAKE)
    return package.parent


def test_a_spec_that_is_not_what_its_source_yields_is_named_with_the_command_that_mends_it(unborn, paddle):
    unborn.environment["PYTHONPATH"] = str(paddle)
    source = f'specs = [{{ file = "{SPEC}", source = "paddle-runtime:{sys.executable}" }}]\n'
    unborn.but_config(unborn.hooks.config("opspec-lint-sync")).commit({"opspec-lint.toml": source})
    unborn.stage({SPEC: canonical(unborn, spec("relu"))})
    committed = unborn.try_commit()
    assert (committed.code, committed.verdicts) == (1, {"opspec-lint sync": "Failed"}), committed.out
    assert SPEC in committed.out
    mend(unborn, committed)
    unborn.git("add", SPEC)
    committed = unborn.try_commit()
    assert (committed.code, committed.verdicts) == (0, {"opspec-lint sync": "Passed"}), committed.out
    unborn.write({SPEC: RUBBISH})  # it is what is staged that counts
    unborn.stage({"opspec-lint.toml": source + "\n"})
    assert unborn.try_commit().code == 0
    assert CONFIG not in unborn.git("status", "--porcelain")
