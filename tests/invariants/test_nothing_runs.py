"""No command runs a program that a repository names, by its configuration, its attributes or its hooks."""

from __future__ import annotations

import os
import random
import shutil

import pytest

from tests.github.runner import Runner
from tests.invariants.rigged import Rigged
from tests.support.repositories import SPEC, spec
from tests.support.trees import paddle_trees

OPS = [f"op{number}" for number in range(20)]
BASE, CHANGED = spec(*OPS, gelu=["axis"]), spec(*OPS, gelu=["axes"])
MOVED = "specs/moved.json"
TREE = {
    f"{paddle_trees.OPERATORS}/f_op.cc": paddle_trees.CLASS.format(name="FOpMaker", body='AddInput("X", "");')
    + "REGISTER_OPERATOR(f, ops::FOp, ops::FOpMaker);\n"
}
SYNC = 'specs = [{ file = "specs/ops.json", source = "paddle-source:." }]\n'


NO_FILTER = [text for key in ("process", "clean", "smudge", "required") for text in ("-c", f"filter.evil.{key}=")]


def untouched(_repository):
    pass


def changed(repository):
    repository.write({SPEC: CHANGED, "specs/new.json": BASE, "specs/other.json": None})


def renamed(repository):
    """The file has moved in the index, changed, and changed again since; its old name is free."""
    repository.stage({SPEC: None, MOVED: CHANGED})
    repository.write({MOVED: CHANGED + "\n"})


@pytest.fixture
def make(tmp_path):
    """Return the maker of a rigged repository that is in a state."""

    def make(state):
        files = paddle_trees.BASE | TREE | {SPEC: BASE, "specs/other.json": BASE, "README": "one\n"}
        made = Rigged.make(tmp_path / "top", files)
        made.git("tag", "v1")
        made.commit({"README": "two\n"})
        state(made)
        return made.rig()

    return make


def ran(repository, *args):
    done = repository.opspec(*args)
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("command", "trap"),
    [
        (("status",), "core.fsmonitor"),
        (("diff",), "filter.evil.process"),
        ((*NO_FILTER, "diff", "v1", "HEAD"), "diff.evil.command"),
        ((*NO_FILTER, "diff", "--no-ext-diff", "v1", "HEAD"), "diff.evil.textconv"),
        (("fetch",), "remote.origin.url"),
        (("cat-file", "blob", ":README"), "core.fsmonitor"),
        (("update-ref", "refs/heads/y", "HEAD"), "hook-reference-transaction"),
    ],
)
def test_the_traps_work(make, command, trap):
    rigged = make(changed)
    rigged.run("git", *command)
    assert trap in rigged.marked()


CHECKS = {
    "the work tree": ("check",),
    "what is staged": ("check", "--staged"),
    "against a tag": ("check", "--base", "v1"),
    "a revision": ("check", "--base", "v1", "--head", "HEAD"),
    "two revisions": ("check", f"v1:{SPEC}", f"HEAD:{SPEC}"),
    "a revision and the index": ("check", f"v1:{SPEC}", ":specs/other.json"),
    "a file": ("check", f"v1:{SPEC}", "specs/new.json", "--format", "sarif"),
    "a missing revision": ("check", "--base", "origin/none"),
    "the settings": ("config",),
    "the settings of the index": ("config", "--staged"),
    "the files": ("validate", "specs/new.json", MOVED, SPEC),
    "a tree at a revision": ("extract", "paddle-source:.@HEAD", "--no-cache"),
    "the PIR ops of a tree": ("extract", "paddle-pir-source:.@HEAD", "--no-cache"),
    "the PIR ops of a folder": ("extract", "paddle-pir-wheel:."),
    "the staged tree": ("extract", "paddle-source:.@:index", "--no-cache"),
    "the tree as it lies": ("extract", "paddle-source:.", "--no-cache"),
    "waivers": ("waive", "--baseline", "--owner", "o"),
    "what a repository needs": ("init",),
    "the spec files and their source": ("sync",),
    "the staged spec files and their source": ("sync", "--staged"),
}


def every_command_in_every_state():
    """Return the commands and states as parameters: each command where git has the most to do, the others drawn."""
    chance = random.Random("states")  # noqa: S311 - no secret
    return [
        pytest.param(
            command,
            state,
            id=f"{state.__name__}-{name}",
            marks=() if state is renamed or chance.random() < 0.25 else pytest.mark.exhaustive,
        )
        for name, command in CHECKS.items()
        for state in (untouched, changed, renamed)
    ]


@pytest.mark.parametrize(("command", "state"), every_command_in_every_state())
def test_no_command_sets_off_a_trap(make, command, state):
    rigged = make(state)
    if command[0] == "sync":
        rigged.write({"opspec-lint.toml": SYNC})
    done = ran(rigged, *command)
    assert rigged.marked() == []
    assert "internal error" not in done.stderr


def test_a_renamed_file_is_compared_with_what_it_was(make):
    rigged = make(renamed)
    done = ran(rigged, "check")
    assert (done.returncode, "attr_removed" in done.stdout or "attr_renamed" in done.stdout) == (1, True), done.stdout
    assert "spec_removed" not in done.stdout.replace("specs/other.json", "")


@pytest.mark.parametrize(
    "command", [("check",), ("check", "--staged"), ("extract", "paddle-source:.@HEAD", "--no-cache")]
)
def test_an_object_that_is_not_here_is_not_fetched(make, command):
    """In a partial clone git would fetch it by itself, with whatever the configuration names for that."""

    def lacking(repository):
        renamed(repository)
        for what in (f"HEAD:{SPEC}", "HEAD:paddle/fluid/framework/framework.proto"):
            name = repository.git("rev-parse", what)
            (repository.top / ".git" / "objects" / name[:2] / name[2:]).unlink()

    rigged = make(lacking)
    assert ran(rigged, *command).returncode == 3
    assert rigged.marked() == []


def test_the_action_sets_off_none(tmp_path, make, monkeypatch):
    rigged = make(renamed)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    runner = Runner(tmp_path / "runner")
    runner.workspace.rmdir()
    shutil.copytree(rigged.top, runner.workspace)
    runner.event_name, runner.event = "push", {"before": rigged.git("rev-parse", "v1"), "after": rigged.head}
    runner.environment |= rigged.environment | {"HOME": str(tmp_path)}
    done = runner.run()
    assert (done.code, done.outputs["verdict"]) == (0, "clean"), done.log
    assert rigged.marked() == []


def test_to_fetch_is_to_run_what_the_user_has_configured(make):
    """The documented exception; even so no hook runs."""
    rigged = make(untouched)
    ran(rigged, "check", "--base", "origin/none", "--fetch")
    assert rigged.marked() == ["remote.origin.url"]
