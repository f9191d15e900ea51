from __future__ import annotations

import json
import os
import re

import pytest
from cmarkgfm import github_flavored_markdown_to_html
from cmarkgfm.cmark import Options

from opspec_lint.github import outputs
from opspec_lint.kit.errors import InputError, OpspecError
from opspec_lint.lint.examples import parse
from opspec_lint.spec import canonical
from tests.github.runner import SPEC, TOKEN, PullRequest, git, spec

BREAK = ({SPEC: spec("relu", "gelu")}, {SPEC: spec("relu")})
QUIET = ({SPEC: spec("relu"), "README": "one"}, {SPEC: spec("relu"), "README": "two"})
SIGNATURE = 'signature serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]}'
ADDED = ({SPEC: spec("relu")}, {SPEC: spec("relu", "gelu")})


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "INPUT_"))]:
        monkeypatch.delenv(name)


def test_a_break_is_an_annotation_a_summary_outputs_and_reports(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    (error,) = [message for name, message in ran.commands if name == "error"]
    assert "gelu" in error
    assert f"file={SPEC},line=1" in ran.log
    assert ran.summary.startswith("## ❌ 1 change breaks saved models\n")
    assert "op_removed" in ran.summary
    assert "not annotated" not in ran.summary
    counts = {name: ran.outputs[name] for name in ("verdict", "errors", "warnings", "notes", "waived")}
    assert counts == {"verdict": "findings", "errors": "1", "warnings": "0", "notes": "0", "waived": "0"}
    with open(ran.outputs["report"], encoding="utf-8") as stream:
        report = json.load(stream)
    assert "op_removed" in json.dumps(report)
    with open(ran.outputs["sarif"], encoding="utf-8") as stream:
        assert [result["ruleId"] for result in json.load(stream)["runs"][0]["results"]] == ["op_removed"]
    with open(ran.outputs["markdown"], encoding="utf-8") as stream:
        assert stream.read() == ran.summary


def test_the_page_for_reviewers_lies_next_to_the_reports(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert os.path.dirname(ran.outputs["html"]) == os.path.dirname(ran.outputs["report"])
    with open(ran.outputs["html"], encoding="utf-8") as stream:
        page = stream.read()
    assert page.lower().lstrip().startswith("<!doctype html>")
    assert "gelu" in page


@pytest.mark.parametrize("fault", [ZeroDivisionError("odd\n::error::x"), MemoryError(), OpspecError("no room\n")])
@pytest.mark.parametrize(("files", "code"), [(BREAK, 1), (QUIET, 0)])
@pytest.mark.parametrize("where", ["html", "output.write"])
def test_a_page_that_cannot_be_made_is_a_warning_and_changes_no_verdict(
    origin, runner, monkeypatch, where, files, code, fault
):
    from opspec_lint.cli import output
    from opspec_lint.report.reporter import REPORTERS

    def fail(*given):
        if where == "output.write" and not given[0].endswith(".html"):
            return write(*given)
        raise fault

    write = output.write
    if where == "html":
        monkeypatch.setitem(REPORTERS._loaded, "html", REPORTERS.load("html").replace(render=fail))
    else:
        monkeypatch.setattr(output, "write", fail)
    change = PullRequest(origin, *files)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (code, "findings" if code else "clean")
    assert "html" not in ran.outputs
    (warning,) = [message for name, message in ran.commands if name == "warning"]
    assert warning.startswith("the html page was not written: ")
    assert all(os.path.isfile(ran.outputs[name]) for name in ("report", "sarif", "markdown"))


def test_what_changes_no_op_is_clean(origin, runner, api):
    change = PullRequest(origin, *QUIET)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (0, "clean")
    assert "no findings" in ran.summary
    assert api.methods() == ["GET"]
    assert api.comments == []


def test_the_report_is_in_the_log_where_no_line_of_it_is_a_command(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    names = [name for name, _ in ran.commands]
    assert names[:3] == ["group", "stop-commands", "endgroup"]
    again = runner.run()
    pauses = [re.search("::stop-commands::(.*)", item.log)[1] for item in (ran, again)]
    assert pauses[0] != pauses[1]


def test_the_comment_shows_the_signature_of_a_model_before_and_after(origin, runner, api):
    specs = [canonical.dumps(parse(text)) for text in (SIGNATURE, SIGNATURE.replace("None", "2"))]
    change = PullRequest(origin, *({SPEC: text} for text in specs))
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    (comment,) = api.comments
    assert '`serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]}`' in comment["body"]
    assert '`serving_default(x: float32[2, 4]) -> {"y": float32[2, 1]}`' in comment["body"]
    line = next(number for number, text in enumerate(specs[1].splitlines(), 1) if '"name": "x"' in text)
    assert f"file={SPEC},line={line}" in ran.log


def test_the_comment_states_whose_loader_confirms_a_finding(origin, runner, api):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    with open(runner.of_pull_request(change).run().outputs["report"], encoding="utf-8") as stream:
        finding = json.load(stream)["findings"][0]
    assert "confirmed" not in api.comments[0]["body"]
    finding_by_key = {key: finding[key] for key in ("fingerprint", "rule", "level", "kind", "op", "name")}
    shown = {"verdict": "confirmed", "how": "refused", "reason": "it is refused", "error": None, "model": None}
    proof = {**finding_by_key, **shown, "direction": "backward", "saved_by": "2.6.2", "loaded_by": "3.0.0"}
    side = {"file": SPEC, "framework": "paddle", "version": None}
    summary = {"confirmed": 1, "refuted": 0, "not_provable": 0, "not_tried": 0}
    document = {"version": 1, "loader": "legacy_executor", "base": side, "head": side, "profile": "paddle"}
    document |= {"summary": summary, "rules": [], "proofs": [proof]}
    path = runner.folder / "proofs.json"
    path.write_text(json.dumps(document))
    runner.inputs |= {"PROOFS": str(path)}
    assert runner.run().code == 1
    assert "proof: confirmed by the loader of 3.0.0 (it is refused)" in api.comments[0]["body"]


def test_the_lines_of_the_comment_are_links_to_the_head_of_the_pull_request_and_not_to_the_merge(origin, runner, api):
    specs = [canonical.dumps(parse(text)) for text in (SIGNATURE, SIGNATURE.replace("None", "2"))]
    change = PullRequest(origin, *({SPEC: text} for text in specs))
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).run()
    (comment,) = api.comments
    line = next(number for number, text in enumerate(specs[1].splitlines(), 1) if '"name": "x"' in text)
    assert f"(https://github.com/our/ops/blob/{change.head}/{SPEC}#L{line})" in comment["body"]
    assert change.merge not in comment["body"]
    assert f"<sub>commit {change.head[:10]} · [this run]" in comment["body"]
    assert "[the page with everything](https://github.com/our/ops/actions/runs/4711#artifacts)" in comment["body"]


def test_a_link_leads_to_the_line_of_the_head_where_the_merge_has_lines_of_the_base_before_it(origin, runner, api):
    old, new = (canonical.dumps(parse(text)) for text in (SIGNATURE, SIGNATURE.replace("None", "2")))
    change = PullRequest(origin, {SPEC: old}, {SPEC: new})
    change.base = origin.commit("main", {SPEC: f"\n\n{old}"}, change.base)
    change.merge = origin.commit("refs/pull/7/merge", {SPEC: f"\n\n{new}"}, change.base, change.head)
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).run()
    (comment,) = api.comments
    line = next(number for number, text in enumerate(new.splitlines(), 1) if '"name": "x"' in text)
    assert f"[`{SPEC}:{line}`](https://github.com/our/ops/blob/{change.head}/{SPEC}#L{line})" in comment["body"]


class TestComment:
    def test_is_made_once_and_then_brought_up_to_date(self, origin, runner, api):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change).run()
        assert api.methods() == ["GET", "POST"]
        (comment,) = api.comments
        assert "gelu" in comment["body"]
        assert "https://github.com/our/ops/actions/runs/4711" in comment["body"]
        api.asked.clear()
        clean = origin.commit("refs/pull/7/head", BREAK[0], change.head)
        change.head, change.merge = clean, origin.commit("refs/pull/7/merge", BREAK[0], change.base, clean)
        git("fetch", "-q", "--depth=1", "origin", change.merge, cwd=runner.workspace)
        git("checkout", "-q", change.merge, cwd=runner.workspace)
        ran = runner.of_pull_request(change).run()
        assert ran.code == 0
        assert api.methods() == ["GET", "PATCH"]
        (comment,) = api.comments
        assert "no findings" in comment["body"]
        assert "gelu" not in comment["body"]

    @pytest.mark.parametrize(
        ("when", "files", "made"),
        [("auto", BREAK, 1), ("auto", QUIET, 0), ("always", QUIET, 1), ("never", BREAK, 0), ("", BREAK, 1)],
    )
    def test_is_made_when_it_is_requested(self, origin, runner, api, when, files, made):
        change = PullRequest(origin, *files)
        runner.checkout(origin, change.merge)
        runner.inputs["COMMENT"] = when
        runner.of_pull_request(change).run()
        assert len(api.comments) == made
        assert when != "never" or api.asked == []

    def test_is_detected_on_the_second_page(self, origin, runner, api):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        for number in range(140):
            api.add(f"comment {number}", "somebody")
        runner.of_pull_request(change).run()
        assert len(api.comments) == 141
        runner.run()
        assert len(api.comments) == 141
        assert api.methods() == ["GET", "GET", "POST", "GET", "GET", "PATCH"]

    def test_of_somebody_else_with_our_mark_is_left_alone(self, origin, runner, api):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change).run()
        stolen = api.comments[0]["body"]
        api.comments[0]["user"] = {"login": "mallory"}
        for body, login in ((stolen, "github-actions"), (f"> {stolen}", None)):
            api.add(body, login)
        runner.run()
        assert [comment["body"] for comment in api.comments[:3]] == [stolen, stolen, f"> {stolen}"]
        assert len(api.comments) == 4

    @pytest.mark.parametrize("login", ["octocat", "checker[bot]"])
    def test_is_known_whosever_token_it_is(self, origin, runner, api, login):
        api.login = login
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change).run()
        runner.run()
        assert len(api.comments) == 1

    def test_is_one_for_every_job(self, origin, runner, api):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        for job in ("one", "two", "one"):
            runner.environment["GITHUB_JOB"] = job
            runner.of_pull_request(change).run()
        assert len(api.comments) == 2

    def test_stays_below_the_limit(self, origin, runner, api):
        names = [f"{'an_op_with_a_long_name' * 8}_{number}" for number in range(900)]
        change = PullRequest(origin, {SPEC: spec("relu", *names)}, {SPEC: spec("relu")})
        runner.checkout(origin, change.merge)
        ran = runner.of_pull_request(change).run()
        assert ran.outputs["errors"] == "900"
        assert len(api.comments[0]["body"]) <= 65_536
        assert "; the JSON report has the 900 fingerprints" in api.comments[0]["body"]
        assert len(ran.summary.encode()) < 1024 * 1024


def test_of_many_findings_the_worst_are_annotated_and_all_counted(origin, runner):
    names = [f"op_{number}" for number in range(60)]
    before, after = {SPEC: spec("relu", *names, old=["a"])}, {SPEC: spec("relu", "new", old=["a", "b"])}
    change = PullRequest(origin, before, after)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    names = [name for name, _ in ran.commands]
    assert names.count("error") == 10
    assert max(names.count("warning"), names.count("notice")) <= 10
    assert ran.outputs["errors"] == "60"
    assert ran.summary.startswith("## ❌ 60 changes break saved models\n")
    rest = "at most 10 of a level for each step; the HTML page and the JSON report have them all."
    assert ran.summary.endswith(f"\n50 not annotated, since GitHub shows {rest}\n")
    assert all(f"op_{number}`" in ran.summary for number in range(60))
    assert "not annotated" in ran.log


@pytest.mark.parametrize("fork", [True, False])
def test_a_token_that_may_not_write_is_a_notice(origin, runner, api, fork):
    api.refuse["POST", "/comments"] = (403, {})
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change, fork=fork).run()
    assert (ran.code, ran.outputs["verdict"]) == (1, "findings")
    (notice,) = [message for name, message in ran.commands if name == "notice"]
    assert ("from a fork" in notice) is fork
    assert ("pull-requests: write" in notice) is not fork
    assert "op_removed" in ran.summary
    assert api.comments == []


FAULTS = {
    "a crash of the server": ((500, {}), "status 500"),
    "a redirect": ((302, {"Location": "http://localhost:1/elsewhere"}), "redirects elsewhere"),
    "a rate limit": ((403, {"X-RateLimit-Remaining": "0"}), "rate limit"),
    "a long wait": ((429, {"Retry-After": "3600"}), "rate limit"),
    "no JSON": (b"HTTP/1.0 200 OK\r\n\r\n<html>::error::x", "not JSON"),
    "no list": (b'HTTP/1.0 200 OK\r\n\r\n{"::error::x": 1}', "list of comments"),
    "nested JSON": (b"HTTP/1.0 200 OK\r\n\r\n" + b"[" * 100_000, "not JSON"),
    "no HTTP": (b"::error::x\r\n\r\n", "not HTTP"),
    "half an answer": (b"HTTP/1.0 200 OK\r\nContent-Length: 99\r\n\r\n[", "not JSON"),
    "nothing": (b"", "cannot be reached|broke|not HTTP"),
    "another host's page": (
        b'HTTP/1.0 200 OK\r\nLink: <http://localhost:1/p2>; rel="next"\r\n\r\n[]',
        "the token may not be sent to this API address",
    ),
}


@pytest.mark.parametrize(("fault", "expected"), FAULTS.values(), ids=FAULTS)
def test_whatever_the_api_answers_the_verdict_is(origin, runner, api, fault, expected):
    api.refuse["GET", "/comments"] = fault
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (1, "findings")
    (warning,) = [message for name, message in ran.commands if name == "warning"]
    assert re.search(expected, warning), warning
    assert api.methods() == ["GET"]
    assert TOKEN not in ran.log + ran.summary


def test_an_api_that_is_down_is_a_warning(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    runner.api = None
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    assert "cannot be reached" in dict(ran.commands)["warning"]


@pytest.mark.parametrize("part", ["_TIMEOUT", "_BUDGET"])
def test_an_api_that_is_slow_is_waited_for_no_longer_than_that(origin, runner, api, monkeypatch, part):
    from opspec_lint.github import api as module
    from opspec_lint.github import comment

    monkeypatch.setattr(module if part == "_TIMEOUT" else comment, part, 0.2)
    api.refuse["GET", "/comments"] = 3
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    assert re.search("in time|took too long", dict(ran.commands)["warning"])


def test_a_short_wait_is_waited_once(origin, runner, api):
    api.refuse["POST", "/comments"], api.once = (403, {"Retry-After": "0"}), True
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    assert api.methods() == ["GET", "POST", "POST"]
    assert len(api.comments) == 1


def test_the_token_goes_to_no_other_host(origin, runner, api):
    from tests.github.runner import Api

    another = Api()
    try:
        for status in (301, 302, 303, 307, 308):
            for method in ("GET", "POST"):
                api.refuse = {(method, "/comments"): (status, {"Location": f"{another.address}/comments"})}
                change = PullRequest(origin, *BREAK)
                if not (runner.workspace / ".git").exists():
                    runner.checkout(origin, change.merge)
                assert runner.of_pull_request(change).run().code == 1
        assert another.asked == []
    finally:
        another.close()


@pytest.mark.parametrize(
    "address",
    ["http://api.example.org", "ftp://127.0.0.1", "file:///etc/passwd", "http://127.0.0.1@example.org", "", "nonsense"],
)
def test_an_api_that_is_not_safe_gets_no_token(origin, runner, address):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    runner.environment = {"GITHUB_API_URL": address or "x"}
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    assert "the token may not be sent to this API address" in dict(ran.commands)["warning"]


@pytest.mark.parametrize("token", ["", "a b\nc", "a\r\nX: y", "größe"])
def test_a_token_that_is_none_is_reported_to_be_and_not_shown(origin, runner, api, token):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    runner.inputs["TOKEN"] = token
    ran = runner.of_pull_request(change).run()
    assert ran.code == 1
    assert "no token" in dict(ran.commands)["warning"]
    assert not token or token not in ran.log
    assert api.asked == []


HOSTILE = (
    "a\n::error::x",
    "::set-output name=verdict::clean",
    "##[error]x",
    "%0A::error::x",
    "x<!-- -->@everyone",
    "\r::warning::y",
    "verdict=clean\nverdict<<E\nclean\nE",
)


def test_nothing_in_a_spec_becomes_a_command_or_an_output(origin, runner, api):
    change = PullRequest(origin, {SPEC: spec("relu", *HOSTILE)}, {SPEC: spec("relu")})
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.outputs["verdict"] == "findings"
    names = [name for name, _ in ran.commands]
    assert names == ["group", "stop-commands", "endgroup", *["error"] * len(HOSTILE)]
    assert all("op_removed" in line for line in ran.log.splitlines() if line.startswith("::error"))
    for markdown, own in ((ran.summary, 0), (api.comments[0]["body"], 1)):
        html = github_flavored_markdown_to_html(markdown, Options.CMARK_OPT_UNSAFE)
        assert html.count("<!--") == own


def test_nothing_in_the_name_of_a_file_or_a_branch_does_either(origin, runner):
    path = "specs/::error::x,line=7%0A::error::x%0Averdict=clean.json"
    change = PullRequest(origin, {path: spec("relu", "gelu")}, {path: spec("relu")})
    runner.checkout(origin, change.merge)
    runner.inputs["SARIF"] = str(runner.folder / "temp" / "a\nverdict=clean\nb.sarif")
    ran = runner.of_pull_request(change).run()
    assert ran.outputs["verdict"] == "findings", ran.log
    assert ran.outputs["sarif"].endswith("a\nverdict=clean\nb.sarif")
    assert "x" not in [message for _, message in ran.commands]
    runner.inputs["BASE"] = "no\n::error::such%0A::branch"
    ran = runner.run()
    assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
    assert [name for name, _ in ran.commands] == ["error"]


class TestFailure:
    def expect(self, ran, code, output):
        assert (ran.code, ran.outputs) == (code, {"verdict": "failed"})
        (error,) = [message for name, message in ran.commands if name == "error"]
        assert re.search(output, error), error
        assert re.search(output, ran.summary)

    def test_no_checkout(self, runner):
        runner.environment["GIT_CEILING_DIRECTORIES"] = str(runner.folder)
        self.expect(runner.run(), 3, "actions/checkout")

    def test_a_wrong_input(self, origin, runner):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.inputs["COMMENT"] = "allways"
        self.expect(runner.of_pull_request(change).run(), 2, "did you mean 'always'")

    @pytest.mark.parametrize(
        ("given", "message"),
        [
            ({"RELEASED": "v1.2.3"}, "the input `released`: 'v1.2.3' is not a semantic version"),
            ({"RELEASED": "1.2.3", "NEXT": "2.0"}, "the input `next`: '2.0' is not a semantic version"),
            ({"RELEASED": "1.2.3", "NEXT": "1.2.4\n::error::x"}, "the input `next`: .* is not a semantic version"),
            ({"NEXT": "1.2.4"}, "the input `next` needs the input `released`"),
        ],
    )
    def test_a_wrong_version(self, origin, runner, given, message):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change).inputs |= given
        self.expect(runner.run(), 2, message)

    def test_a_wrong_profile(self, origin, runner):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.inputs["PROFILE"] = "padle"
        self.expect(runner.of_pull_request(change).run(), 2, "padle")

    def test_a_wrong_configuration(self, origin, runner):
        files = {**BREAK[0], "opspec-lint.toml": "profil = 'paddle'\n"}
        change = PullRequest(origin, files, files)
        runner.checkout(origin, change.merge)
        self.expect(runner.of_pull_request(change).run(), 2, "profil")

    def test_an_unreadable_head(self, origin, runner):
        change = PullRequest(origin, BREAK[0], {SPEC: '{"relu": '})
        runner.checkout(origin, change.merge)
        self.expect(runner.of_pull_request(change).run(), 3, "ops.json")

    @pytest.mark.parametrize(
        "event",
        ["", "[]", "{}", "no JSON", '{"pull_request": {"number": 7, "head": {"sha": "--upload-pack=x"}}}', "[" * 99999],
    )
    def test_a_wrong_event(self, origin, runner, event):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        (runner.folder / "wrong.json").write_text(event)
        runner.environment["GITHUB_EVENT_PATH"] = str(runner.folder / "wrong.json")
        self.expect(runner.of_pull_request(change).run(), 3, "wrong.json")

    @pytest.mark.parametrize("path", ["", "missing.json", "."])
    def test_no_event(self, origin, runner, path):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.environment["GITHUB_EVENT_PATH"] = path
        self.expect(runner.of_pull_request(change).run(), 3, "the event")

    @pytest.mark.parametrize(
        ("error", "code"), [(InputError("x", "is odd"), 3), (ZeroDivisionError("odd\n::error::x"), 3)]
    )
    def test_a_crash(self, origin, runner, api, monkeypatch, error, code):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.of_pull_request(change).run()

        def crash(_):
            raise error

        monkeypatch.setattr("opspec_lint.project.check.check_project", crash)
        self.expect(runner.run(), code, "odd")
        (comment,) = api.comments
        assert "could not check" in comment["body"]

    def test_a_report_that_cannot_be_written(self, origin, runner):
        change = PullRequest(origin, *BREAK)
        runner.checkout(origin, change.merge)
        runner.inputs["SARIF"] = "no/such/folder/x.sarif"
        self.expect(runner.of_pull_request(change).run(), 3, "x.sarif")

    def test_a_full_disk(self, origin, runner):
        change = PullRequest(origin, *QUIET)
        runner.checkout(origin, change.merge)
        runner.environment["GITHUB_STEP_SUMMARY"] = "/dev/full"
        ran = runner.of_pull_request(change).run()
        assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
        assert "/dev/full: cannot be written" in dict(ran.commands)["error"]


def test_a_summary_that_others_have_filled_is_not_filled_up(origin, runner, monkeypatch):
    monkeypatch.setattr(outputs, "SUMMARY_LIMIT", 10_000)
    names = [f"op_{number}" for number in range(200)]
    change = PullRequest(origin, {SPEC: spec("relu", *names)}, {SPEC: spec("relu")})
    runner.checkout(origin, change.merge)
    summary = runner.folder / "theirs"
    runner.environment["GITHUB_STEP_SUMMARY"] = str(summary)
    for text in ("x" * 3000, "x" * 9999):
        summary.write_text(text)
        ran = runner.of_pull_request(change).run()
        assert ran.code == 1
        assert summary.read_text().startswith(text)
        assert len(summary.read_bytes()) <= 10_000
    assert "no room" in dict(ran.commands)["notice"]


RELEASES = {
    "a break": (BREAK, "2.6.2", "3.0.0", "2.7.0", "major"),
    "an addition": (ADDED, "2.6.2", "2.7.0", "2.6.3", "minor"),
    "nothing": (QUIET, "2.6.2", "2.6.3", "2.6.2", "patch"),
}


@pytest.mark.parametrize(("files", "released", "enough", "small", "part"), RELEASES.values(), ids=RELEASES)
def test_a_next_version_that_is_too_small_is_an_error(origin, runner, files, released, enough, small, part):
    change = PullRequest(origin, *files)
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).inputs |= {"RELEASED": released}
    only = runner.run()
    assert only.outputs["release"] == part
    assert f"{enough} at least after {released}" in only.summary
    runner.inputs["NEXT"] = enough
    good = runner.run()
    assert (good.code, good.outputs["errors"]) == (only.code, only.outputs["errors"])
    runner.inputs["NEXT"] = small
    bad = runner.run()
    assert (bad.code, int(bad.outputs["errors"])) == (1, int(only.outputs["errors"]) + 1)
    text = f"the version {small} is too small after {released}: the change requires a {part} release, at least {enough}"
    assert any(text in message for name, message in bad.commands if name == "error")


def test_versions_that_are_not_given_are_not_looked_at(origin, runner):
    change = PullRequest(origin, *ADDED)
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).inputs |= {"RELEASED": " ", "NEXT": ""}
    ran = runner.run()
    assert (ran.code, ran.outputs["release"]) == (0, "minor")
    assert "at least" not in ran.summary


@pytest.mark.parametrize("inside", ["out.sarif", "folder/out.sarif"])
def test_a_link_in_the_pull_request_leads_no_report_elsewhere(origin, runner, inside):
    victim = runner.folder / "victim"
    victim.mkdir()
    (victim / "out.sarif").write_text("mine")
    top = inside.split("/")[0]
    target = str(victim) if "/" in inside else str(victim / "out.sarif")
    change = PullRequest(origin, BREAK[0], {**BREAK[1], top: (target,)})
    runner.checkout(origin, change.merge)
    runner.inputs["SARIF"] = inside
    ran = runner.of_pull_request(change).run()
    assert ran.code == 2
    assert (victim / "out.sarif").read_text() == "mine"


def test_a_report_goes_where_it_is_requested(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    runner.inputs["SARIF"] = "out.sarif"
    ran = runner.of_pull_request(change).run()
    assert ran.outputs["sarif"] == "out.sarif"
    assert json.loads((runner.workspace / "out.sarif").read_text())["version"] == "2.1.0"


def test_a_working_directory_is_where_the_configuration_is_looked_for(origin, runner):
    before = {"ops/specs/ops.json": spec("relu", "gelu"), "ops/opspec-lint.toml": 'specs = ["specs/*.json"]\n'}
    change = PullRequest(origin, before, {**before, "ops/specs/ops.json": spec("relu")})
    runner.checkout(origin, change.merge)
    runner.inputs["WORKING_DIRECTORY"] = "ops"
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["errors"]) == (1, "1")


def test_neither_index_nor_work_tree_nor_head_is_written(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    head = (runner.workspace / ".git" / "HEAD").read_bytes()
    index = (runner.workspace / ".git" / "index").read_bytes()
    assert runner.of_pull_request(change).run().code == 1
    assert (runner.workspace / ".git" / "HEAD").read_bytes() == head
    assert (runner.workspace / ".git" / "index").read_bytes() == index
    assert git("status", "--porcelain", cwd=runner.workspace) == ""


RELEASES = {
    "releases/1.0.json": spec(*(f"op{number}" for number in range(40)), "relu"),
    "opspec-lint.yaml": json.dumps({"specs": [SPEC], "against": ["releases/1.0.json"]}),
}


def test_a_change_that_touches_nothing_is_quiet(origin, runner, api):
    base, head = (RELEASES | {SPEC: spec("relu"), "README": text} for text in ("one", "two"))
    change = PullRequest(origin, base, head)
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["errors"]) == (1, "40")
    assert [name for name, _ in ran.commands if name in ("error", "warning", "notice")] == []
    assert len(ran.summary.splitlines()) == 3
    assert "touches no contract and no setting; against releases there are 40 errors" in ran.summary
    assert api.comments == []


@pytest.mark.parametrize(("head", "comments"), [(spec("relu") + "\n", 0), (spec("relu", "new"), 1)])
def test_a_comment_is_only_written_for_what_the_change_brings(origin, runner, api, head, comments):
    same = RELEASES | {SPEC: spec("relu")}
    change = PullRequest(origin, same, same | {SPEC: head})
    runner.checkout(origin, change.merge)
    runner.of_pull_request(change).run()
    assert len(api.comments) == comments
