"""The very steps of action.yml, run by bash as a runner does, and what the workflows may not do."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from opspec_lint.github import inputs
from opspec_lint.github.inputs import Inputs
from tests.github.runner import SPEC, PullRequest, Ran, git, spec
from tests.hooks.committing import NOT_COMPILED
from tests.support import paths

ROOT = paths.TOP
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
INSTALL, RESTORE, CHECK, PAGE, KEEP = ACTION["runs"]["steps"]
OF_STEPS = {"cache"}
"""The inputs that decide which steps there are."""
BREAK = ({SPEC: spec("relu", "gelu")}, {SPEC: spec("relu")})
TRAPS = ("json.py", "pip/__init__.py", "venv.py", "sitecustomize.py", "argparse.py", "opspec_lint/__init__.py")


@pytest.fixture(scope="module")
def _virtual_environments():
    """Skip a test where Python makes no virtual environments: Debian has the module `ensurepip` in python3-venv."""
    if importlib.util.find_spec("ensurepip") is None:
        pytest.skip("this Python makes no virtual environments")


def step(runner, which, **given):
    """Run a step in its shell (`bash --noprofile --norc -eo pipefail {0}`), and return it with its outputs."""
    for name in ("output", "summary"):
        (runner.folder / name).unlink(missing_ok=True)
    script = runner.folder / "script.sh"
    script.write_text(which["run"], encoding="utf-8")
    environment = {name: text for name, text in runner.env().items() if not name.startswith("INPUT_")}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
        cwd=runner.workspace,
        env={**environment, "PYTHONPATH": str(runner.workspace), "GITHUB_ACTION_PATH": str(ROOT), **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert which is INSTALL or "Traceback" not in done.stderr, done.stderr
    print(done.stderr)  # noqa: T201 - for whoever reads of a failure
    return Ran(done.returncode, done.stdout, runner)


def check_environment(runner, python):
    """The environment of the second step, with its expressions put in as GitHub does."""

    def value(expression):
        (name,) = re.fullmatch(r"\$\{\{ (\S+) \}\}", expression).groups()
        if name.startswith("steps.install.outputs."):
            return {"python": python, "cache": str(runner.folder / "cache")}[name.rpartition(".")[2]]
        kind, _, key = name.partition(".")
        assert kind == "inputs"
        default = ACTION["inputs"][key]["default"]
        return runner.inputs.get(key.upper().replace("-", "_"), default)

    return {name: value(expression) for name, expression in CHECK["env"].items()}


@pytest.mark.usefixtures("_virtual_environments")
def test_the_steps_install_and_check_whatever_is_checked_out(origin, runner, api):
    traps = dict.fromkeys(TRAPS, "raise SystemExit('a module of the pull request was run')")
    change = PullRequest(origin, BREAK[0], {**BREAK[1], **traps})
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change)
    # As on a runner, the work is done by whichever python3 comes first.
    runner.environment["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for name in [name for name in os.environ if name.startswith(("PIP_", "SSL_")) or name.lower().endswith("_proxy")]:
        runner.environment[name] = os.environ[name]
    runner.environment |= NOT_COMPILED
    installed = step(runner, INSTALL)
    assert installed.code == 0, installed.log
    python = installed.outputs["python"]
    assert Path(python).is_relative_to(runner.folder / "temp")

    checked = step(runner, CHECK, **check_environment(runner, python))
    assert (checked.code, checked.outputs["verdict"], checked.outputs["errors"]) == (1, "findings", "1")
    assert "op_removed" in checked.summary
    assert len(api.comments) == 1
    assert git("status", "--porcelain", cwd=runner.workspace) == ""

    runner.inputs["BASE"] = change.merge
    again = step(runner, CHECK, **check_environment(runner, python))
    assert (again.code, again.outputs["verdict"]) == (1, "findings")
    assert "nothing_compared" in api.comments[0]["body"]

    runner.inputs["BASE"] = "$(touch pwned)`touch pwned`\";touch pwned;'"
    failed = step(runner, CHECK, **check_environment(runner, python))
    assert (failed.code, failed.outputs["verdict"]) == (3, "failed")
    assert not (runner.workspace / "pwned").exists()

    runner.inputs = {"COMMENT": "sometimes"}
    assert step(runner, CHECK, **check_environment(runner, python)).code == 2


def test_the_page_for_reviewers_is_an_artifact_and_no_failure_of_its_own():
    assert PAGE["uses"].startswith("actions/upload-artifact@")
    assert PAGE["with"]["path"] == ACTION["outputs"]["html"]["value"]
    assert PAGE["continue-on-error"] is True


def test_an_old_python_is_reported_so(runner, tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("python3", "python"):
        (folder / name).write_text("#!/bin/sh\nexit 1\n")
        (folder / name).chmod(0o755)
    os.symlink("/bin/bash", folder / "bash")
    ran = step(runner, INSTALL, PATH=str(folder))
    assert (ran.code, ran.outputs) == (3, {})
    assert "Python 3.10" in dict(ran.commands)["error"]


@pytest.mark.usefixtures("_virtual_environments")
def test_an_installation_that_fails_is_a_failure(runner, tmp_path):
    (tmp_path / "pyproject.toml").write_text("not toml")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = step(runner, INSTALL, PATH=path, GITHUB_ACTION_PATH=str(tmp_path))
    assert (ran.code, ran.outputs) == (3, {})
    assert "cannot be installed" in dict(ran.commands)["error"]


def test_no_script_is_written_by_an_expression():
    for path in (ROOT / "action.yml", *WORKFLOWS):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        jobs = document.get("jobs", {"": document.get("runs")})
        steps = [step for job in jobs.values() for step in job["steps"]]
        assert steps, path
        for step in steps:
            assert "${{" not in step.get("run", ""), path
            assert "shell" in step or "run" not in step or path in WORKFLOWS, path


def test_every_input_is_handed_over_and_read_and_has_the_default_that_is_documented():
    handed = {name for name in CHECK["env"] if name.startswith("INPUT_")}
    assert handed == {f"INPUT_{name.upper().replace('-', '_')}" for name in ACTION["inputs"].keys() - OF_STEPS}
    defaults = {
        f"INPUT_{name.upper().replace('-', '_')}": facts["default"]
        for name, facts in ACTION["inputs"].items()
        if name not in {"token", *OF_STEPS}
    }
    assert inputs.read(defaults) == inputs.read({}) == Inputs()
    odd = inputs.read(dict.fromkeys(handed, "always"))
    assert all(getattr(odd, field) in ("always", ("always",)) for field in Inputs._fields)
    lines = inputs.read({"INPUT_PROFILE": " a:.=strict\n\n b:.=paddle \n"})
    assert lines.profiles == ("a:.=strict", "b:.=paddle")


@pytest.mark.parametrize("name", [name for name in ACTION["outputs"] if name != "verdict"])
def test_every_output_comes_from_the_check(name):
    assert ACTION["outputs"][name]["value"] == f"${{{{ steps.check.outputs.{name} }}}}"


UNTRUSTED = ("pull_request", "pull_request_review", "issue_comment", "workflow_run")


def holds(condition, event, *, is_fork):
    """Tell whether a step is made, as far as its condition asks for the event."""
    allowed = json.loads(re.search(r"fromJSON\('(.*?)'\)", condition)[1])
    requests_fork = "head.repo.full_name == github.repository ||" in condition
    return event in allowed or (requests_fork and event == "pull_request" and not is_fork)


@pytest.mark.parametrize("event", UNTRUSTED)
def test_a_fork_restores_no_cache_that_its_workflow_may_have_written(event):
    assert not holds(RESTORE["if"], event, is_fork=True)


@pytest.mark.parametrize("event", [*UNTRUSTED, "pull_request_target", "merge_group"])
def test_a_change_that_is_not_merged_writes_no_cache(event):
    assert not holds(KEEP["if"], event, is_fork=False)


def test_what_a_push_keeps_is_what_a_pull_request_restores():
    assert holds(KEEP["if"], "push", is_fork=False)
    assert holds(RESTORE["if"], "pull_request_target", is_fork=True)
    assert holds(RESTORE["if"], "pull_request", is_fork=False)
    (kept, restored) = (item["with"]["key"] for item in (KEEP, RESTORE))
    prefix = RESTORE["with"]["restore-keys"]
    assert kept == f"{prefix}${{{{ github.sha }}}}"
    assert restored.startswith(f"{prefix}${{{{ github.event.pull_request.base.sha ||")
    assert KEEP["with"]["path"] == RESTORE["with"]["path"] == CHECK["env"]["XDG_CACHE_HOME"]


def test_the_page_on_the_action_names_every_input_and_output():
    page = (ROOT / "docs" / "how-to" / "check-pull-requests-on-github.md").read_text(encoding="utf-8")
    for name in (*ACTION["inputs"], *ACTION["outputs"]):
        assert f"| `{name}` |" in page


def test_zizmor_finds_nothing_in_the_action_and_the_workflows():
    zizmor = Path(sys.executable).parent / "zizmor"
    done = subprocess.run(
        [zizmor, "--offline", "--pedantic", "--quiet", "action.yml", ".github/workflows"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
