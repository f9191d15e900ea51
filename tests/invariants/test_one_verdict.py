"""The hook, the Action and `check` give one verdict, and every format tells of the same findings."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from opspec_lint.cli import main
from opspec_lint.lint import rulebook
from opspec_lint.report.reporter import REPORTERS
from tests.github.runner import parse_outputs
from tests.support import paths
from tests.support.reported import READERS, from_github
from tests.support.repositories import SPEC, Repository
from tests.support.samples import sampled

DATA = paths.DATA / "paddle"
RELEASES = [DATA / f"paddle-{version}.json" for version in ("1.8.5", "2.6.2", "3.0.0")]
FORMATS = sorted(REPORTERS.names())
LEVELS = ("error", "warning", "note")
OPS = 40
"""Of so many ops a pair is made."""
SEEDS = range(20)
SAMPLE = range(8)


@cache
def ops_of(path):
    return json.loads(path.read_text(encoding="utf-8"))


def pair(seed):
    """Two specs: some ops of two releases, each changed here and there, and not often the same."""
    rng = random.Random(seed)  # noqa: S311
    first, second = map(ops_of, rng.choices(RELEASES, k=2))
    names = rng.sample(sorted(first.keys() & second.keys()), OPS)
    base, head = ({name: of[name] for name in names} for of in (first, second))
    for spec in (base, head):
        for _ in range(rng.randrange(4)):
            change(rng, spec)
    return base, head


def change(rng, spec):
    name = rng.choice(sorted(spec))
    how = rng.randrange(5)
    if how == 0:
        del spec[name]
        return
    op = spec[name] = json.loads(json.dumps(spec[name]))
    section = op[rng.choice([*op])]
    arguments = sorted(section)
    if how == 1 or not arguments:
        section[f"new_{rng.randrange(9)}"] = dict(rng.choice([*section.values()])) if section else {}
        return
    argument = rng.choice(arguments)
    if how == 2:
        del section[argument]
    elif how == 3:
        section[f"{argument}_new"] = section.pop(argument)
    else:
        for key, value in section[argument].items():
            if isinstance(value, bool):
                section[argument][key] = not value


def run(repository, monkeypatch, texts, **more):
    """Run opspec-lint in a repository, in this process; return its exit code and its standard output."""
    with monkeypatch.context() as patch:
        for name in os.environ:
            patch.delenv(name)
        for name, value in (repository.environment | more).items():
            patch.setenv(name, value)
        patch.chdir(repository.top)
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main.main(list(texts))
        out.flush()
    assert len(err.getvalue().splitlines()) <= 1, "one line sums up reports in files"
    return code, out.buffer.getvalue().decode()


def findings(text, *, at_base=True):
    """Return the content of a JSON report: each finding's fingerprint, and its level where a file is compared with its
    base.
    """
    return Counter(
        (finding["fingerprint"], (at_base and rulebook.load(finding["rule"]).level_at_base) or finding["level"])
        for finding in json.loads(text)["findings"]
    )


@pytest.fixture(params=sampled(SEEDS, SAMPLE))
def ends(request, tmp_path):
    """A repository in which base is committed on main, and head is staged and then committed on a branch."""
    base, head = (json.dumps(spec, indent=1) for spec in pair(request.param))
    made = Repository.make(tmp_path / "top", {SPEC: base})
    made.git("checkout", "-q", "-b", "topic", "--track", "main")
    made.stage({SPEC: head})
    (tmp_path / "base.json").write_text(base)
    (tmp_path / "head.json").write_text(head)
    return made


def imitated(repository, folder):
    """The environment of the Action, for a pull request of what is checked out; nobody is there to take a comment."""
    base, head = repository.git("rev-parse", "main", "topic").split()
    ends = {"head": {"sha": head}, "base": {"sha": base, "ref": "main"}}
    for side in ends.values():
        side["repo"] = {"full_name": "our/ops"}
    folder.mkdir()
    (folder / "event.json").write_text(json.dumps({"number": 7, "pull_request": {"number": 7, **ends}}))
    for name in ("output", "summary"):
        (folder / name).touch()
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(repository.top),
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(folder / "event.json"),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_REPOSITORY": "our/ops",
        "RUNNER_TEMP": str(folder),
        "INPUT_COMMENT": "never",
    }


def test_a_single_verdict_everywhere(ends, tmp_path, monkeypatch):
    files = [str(tmp_path / f"{end}.json") for end in ("base", "head")]
    code, text = run(ends, monkeypatch, ["check", *files, "--format", "json"])
    assert code == any(level == "error" for _, level in findings(text, at_base=False))
    expected = findings(text)
    # That of one file is the comparison alone; a repository has nothing to say beside it.
    staged = run(ends, monkeypatch, ["check", "--staged", "--format", "json"])
    lying = run(ends, monkeypatch, ["check", "--format", "json"])
    ends.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "head")
    revisions = run(ends, monkeypatch, ["check", "--base", "main", "--head", "topic", "--format", "json"])
    code = any(level == "error" for _, level in expected)
    for another_code, another in (staged, lying, revisions):
        assert (another_code, findings(another, at_base=False)) == (code, expected)
    folder = tmp_path / "runner"
    acted, _ = run(ends, monkeypatch, ["action"], **imitated(ends, folder))
    messages = parse_outputs((folder / "output").read_text(encoding="utf-8"))
    assert (acted, messages["verdict"]) == (code, "findings" if code else "clean")
    assert findings(Path(messages["report"]).read_text(encoding="utf-8"), at_base=False) == expected
    levels = Counter(level for _, level in expected.elements())
    assert [int(messages[name]) for name in ("errors", "warnings", "notes")] == [
        levels[name] for name in ("error", "warning", "note")
    ]


def test_a_single_verdict_in_every_format(ends, tmp_path, monkeypatch):
    code, report = run(ends, monkeypatch, ["check", "--staged", "--format", "json"])
    every = [
        (finding["level"], (finding["rule"], finding["op"], finding["name"]))
        for finding in json.loads(report)["findings"]
    ]
    reports = {name: tmp_path / f"report.{name}" for name in FORMATS}
    expected = [text for name, path in reports.items() for text in ("--format", f"{name}={path}")]
    assert run(ends, monkeypatch, ["check", "--staged", *expected])[0] == code
    for name, path in reports.items():
        text = path.read_text(encoding="utf-8")
        if name in READERS and (every or name != "junit"):
            assert Counter(READERS[name](text)) == Counter(finding for _, finding in every)
        elif name == "junit":
            assert 'name="no findings"' in text
        elif name == "github":
            of_level = [[first for level, first in every if level == expected] for expected in LEVELS]
            shown = Counter(from_github(text))
            assert shown <= Counter(finding for single in of_level for finding in single)
            assert shown.total() == sum(min(len(single), 10) for single in of_level)
        elif name == "text":
            assert all(rule in text and (op or "") in text for level, (rule, op, _) in every if level == "error")


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_the_exit_code_is_the_same_in_every_format(tmp_path, monkeypatch, seed):
    base, head = (json.dumps(spec) for spec in pair(seed))
    made = Repository.make(tmp_path / "top", {SPEC: base})
    made.stage({SPEC: head})
    code, _ = run(made, monkeypatch, ["check", "--staged"])
    codes = {name: run(made, monkeypatch, ["check", "--staged", "--format", name])[0] for name in FORMATS}
    assert codes == dict.fromkeys(FORMATS, code)


@pytest.mark.parametrize("seeds", [SEEDS, SAMPLE], ids=["all", "sample"])
def test_the_pairs_are_of_every_kind(seeds):
    """Or what they agree on would be nothing."""
    pairs = [pair(seed) for seed in seeds]
    assert len({json.dumps(pair) for pair in pairs}) == len(pairs)
    assert any(base == head for base, head in pairs)
    assert sum(base != head for base, head in pairs) > len(pairs) // 2
