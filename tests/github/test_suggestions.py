"""Fixes as suggestions on a pull request: they stand on lines of its diff, apply as text, and are kept up to date."""

from __future__ import annotations

import re

import pytest

from tests.github.runner import PullRequest, git

SCHEMA = """namespace a;

enum E : byte { A, B, C }

table V { y:int; }

table T {
  a:int;
  c:E = B;
  b:string;
  d:int;
  e:int;
}

union U { T, V }

root_type T;
"""
CONFIG = {"opspec-lint.toml": 'specs = ["m.fbs"]\n'}
BROKEN = SCHEMA.replace("A, B, C", "A, X, B, C").replace("  b:string;\n", "").replace("U { T, V }", "U { V }")


@pytest.fixture
def run(origin, runner, api):
    """Run the action on a pull request that makes a schema another one, from a checkout of the merge or of its head."""

    def ran(head, *, base=SCHEMA, moved=None, fork=False):
        before, after = {**CONFIG, "m.fbs": base}, {**CONFIG, "m.fbs": head}
        pull = PullRequest(origin, before, after, moved=None if moved is None else {**CONFIG, "m.fbs": moved})
        patch = git("diff", pull.fork, pull.head, "--", "m.fbs", cwd=origin.folder)
        api.files[:] = [{"filename": "m.fbs", "patch": patch[patch.index("@@") :]}] if patch else []
        runner.checkout(origin, pull.merge, depth=2)
        made = runner.of_pull_request(pull, fork=fork).run()
        return pull, made

    return ran


def applied(text, comments):
    """A text after suggestions, as GitHub applies them together."""
    lines = text.split("\n")
    for item in sorted(comments, key=lambda item: -item["line"]):
        (block,) = re.findall(r"^(`{3,})suggestion\n(.*?)^\1$", item["body"], re.MULTILINE | re.DOTALL)
        start = (item["start_line"] or item["line"]) - 1
        lines[start : item["line"]] = block[1].split("\n")[:-1]
    return "\n".join(lines)


def test_suggestions_apply_to_the_head(run, api):
    pull, made = run(BROKEN)
    assert made.code == 1
    assert {suggestion["commit_id"] for suggestion in api.suggestions} == {pull.head}
    fixed = applied(BROKEN, api.suggestions)
    assert "  b:string (deprecated);\n" in fixed
    assert "{ A, X = 3, B = 1, C }" in fixed
    assert "U { T, V }" in fixed
    assert "+  b:string (deprecated);" in api.comments[0]["body"]


def test_a_second_run_changes_nothing(run, api, runner):
    run(BROKEN)
    before, number = [dict(suggestion) for suggestion in api.suggestions], len(api.asked)
    runner.run()
    assert api.suggestions == before
    assert not [path for method, path, _, _ in api.asked[number:] if method != "GET" and "/pulls/" in path]
    assert api.resolved == set()


def test_what_is_fixed_is_resolved_and_what_has_changed_is_written_anew(run, api, runner):
    run(BROKEN)
    api.suggestions[0]["body"] = (
        api.suggestions[0]["body"]
        .replace("opspec-lint:", "opspec-lint said:", 1)
        .replace("opspec-lint said:", "opspec-lint:", 1)
        + "more"
    )
    runner.run()
    assert not api.suggestions[0]["body"].endswith("more")
    api.suggestions[0]["line"] += 40
    runner.run()
    assert api.resolved == {api.suggestions[0]["id"]}
    assert api.suggestions[-1]["body"] == api.suggestions[0]["body"]


def test_nothing_is_suggested_on_lines_that_the_diff_does_not_show(run, api):
    _, made = run(BROKEN, moved="// a line\n" * 9 + BROKEN)
    assert api.suggestions == []
    assert made.code in {0, 1}


def test_a_read_only_token_leaves_the_patch_to_the_summary(run, api):
    api.refuse["POST", "/reviews"] = (403, {})
    _, made = run(BROKEN)
    assert api.suggestions == []
    assert "no suggestions on the pull request" in made.log
    assert "+  b:string (deprecated);" in made.summary


def test_the_token_of_a_fork_leaves_it_to_the_summary(run, api):
    api.refuse["POST", "/comments"] = (403, {})
    _, made = run(BROKEN, fork=True)
    assert api.suggestions == []
    assert "+  b:string (deprecated);" in made.summary
