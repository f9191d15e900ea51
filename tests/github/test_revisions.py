from __future__ import annotations

import base64
import os
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest

from opspec_lint.project import check as project
from tests.github.runner import SPEC, TODAY, TOKEN, PullRequest, Runner, git, spec

BREAK = ({SPEC: spec("relu", "gelu")}, {SPEC: spec("relu")})
FIXED = {SPEC: spec("relu", "gelu", "abs")}
ZERO = "0" * 40


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITHUB_", "INPUT_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def requested(monkeypatch):
    """The requests that were made of the project's check."""
    requests, check = [], project.check_project

    def record(request):
        requests.append(request)
        return check(request)

    monkeypatch.setattr(project, "check_project", record)
    return requests


def is_shallow(runner):
    return git("rev-parse", "--is-shallow-repository", cwd=runner.workspace) == "true"


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_merge_that_github_made_is_compared_with_the_base_it_was_made_with(origin, runner, requested, depth):
    moved = {SPEC: spec("relu", "gelu"), "README": "main has moved"}
    change = PullRequest(origin, *BREAK, moved=moved)
    runner.checkout(origin, change.merge, depth=depth)
    ran = runner.of_pull_request(change).run()
    (request,) = requested
    assert TOKEN not in request.reading.environment.values()
    assert (request.base, request.head, request.is_exact) == (change.base, change.merge, True)
    assert (request.reading.may_fetch, request.wants_lines, request.today) == (True, True, TODAY)
    assert ran.code == 1
    assert is_shallow(runner) is (depth > 0)


def test_what_the_base_branch_did_in_the_meantime_is_not_laid_at_the_door_of_the_merge(origin, runner):
    change = PullRequest(origin, {SPEC: spec("relu")}, {SPEC: spec("relu"), "README": "x"}, moved=FIXED)
    change.merge = origin.commit("refs/pull/7/merge", {**FIXED, "README": "x"}, change.base, change.head)
    runner.checkout(origin, change.merge)
    assert runner.of_pull_request(change).run().outputs["verdict"] == "clean"


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("since", [0, 1, 100], ids=lambda since: f"{since} commits since")
def test_the_merge_may_be_with_a_later_commit_of_the_base_than_the_event_knows(origin, runner, requested, depth, since):
    change = PullRequest(origin, *BREAK)
    later = origin.commit("main", FIXED, origin.follow(change.base, 2))
    merge = origin.commit(None, {SPEC: spec("relu", "abs")}, later, change.head)
    origin.point("refs/heads/main", origin.follow(later, since))
    origin.point("refs/pull/7/merge", merge)
    runner.checkout(origin, merge, depth=depth)
    ran = runner.of_pull_request(change).run()
    (request,) = requested
    assert (request.base, request.head, request.is_exact) == (later, merge, True)
    assert (ran.code, ran.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("what", ["a commit of its own", "a commit on top of the base", "itself"])
def test_a_merge_with_anything_else_is_not_what_the_pull_request_changes(origin, runner, requested, depth, order, what):
    """A user who may push to the branch could merge it with a base in which nothing is left to break."""
    change = PullRequest(origin, *BREAK)
    another = origin.commit(None, BREAK[1], *([change.base] if "base" in what else []))
    parents = [change.head, change.head] if what == "itself" else [another, change.head][::order]
    lines = "\n".join(f"parent {parent}" for parent in parents)
    tree = git("rev-parse", f"{change.head}^{{tree}}", cwd=origin.folder)
    text = f"tree {tree}\n{lines}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n"
    made = subprocess.run(
        ["git", "hash-object", "-w", "-t", "commit", "--stdin"],
        cwd=origin.folder,
        input=text.encode(),
        capture_output=True,
        check=True,
    )
    merge = made.stdout.decode().strip()
    origin.point("refs/heads/topic", merge)
    runner.checkout(origin, merge, depth=depth)
    ran = runner.of_pull_request(change).run()
    (request,) = requested
    assert (request.base, request.head, request.is_exact) == (change.base, change.head, False)
    assert (ran.code, ran.outputs["errors"]) == (1, "1")
    assert f"the head {change.head} is checked" in ran.log or f"its head {change.head} is checked" in ran.log


@pytest.mark.parametrize("ref", [None, 7, "", "a:b", "a b", "*", "--upload-pack=x", "none"])
def test_a_merge_that_cannot_be_held_against_the_base_branch(origin, runner, requested, ref):
    change = PullRequest(origin, *BREAK)
    later = origin.commit("main", FIXED, change.base)
    merge = origin.commit("refs/pull/7/merge", {SPEC: spec("relu", "abs")}, later, change.head)
    runner.checkout(origin, merge)
    runner.of_pull_request(change)
    runner.event["pull_request"]["base"]["ref"] = ref
    ran = runner.run()
    if ref == "none":
        assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
        return
    (request,) = requested
    assert (request.base, request.head) == (change.base, change.head)
    assert ran.code == 1


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("commits", [1, 100])
def test_the_tip_of_the_branch_is_compared_with_where_it_left_the_base(origin, runner, requested, depth, commits):
    change = PullRequest(origin, *BREAK, moved=FIXED, commits=commits)
    runner.checkout(origin, change.head, depth=depth)
    ran = runner.of_pull_request(change).run()
    (request,) = requested
    assert (request.base, request.head, request.is_exact) == (change.base, change.head, False)
    assert git("merge-base", change.base, change.head, cwd=runner.workspace) == change.fork
    assert (ran.code, ran.outputs["errors"]) == (1, "1")  # gelu is gone; abs has never been there
    assert depth or not is_shallow(runner)


def test_no_more_history_is_fetched_than_is_needed(origin, runner):
    change = PullRequest(origin, *BREAK, moved=FIXED, history=200)
    runner.checkout(origin, change.head)
    assert runner.of_pull_request(change).run().outputs["errors"] == "1"
    assert is_shallow(runner)
    assert int(git("rev-list", "--count", change.head, cwd=runner.workspace)) < 100


def test_an_ancestor_that_is_only_the_nearest_for_want_of_history_is_not_taken(origin, runner):
    """Both sides have merged the first commit again; that they have a later one in common lies beyond the depth."""
    first = origin.commit(None, {SPEC: spec("relu")})
    later = origin.commit(None, BREAK[0], first)
    base = origin.commit("main", BREAK[0], later, first)
    merged = origin.commit(None, BREAK[1], origin.follow(later, 1), first)
    change = PullRequest(origin, *BREAK)
    change.base, change.head = base, origin.commit("refs/pull/7/head", BREAK[1], merged)
    runner.checkout(origin, change.head, depth=3)
    git("fetch", "-q", "--depth=2", "origin", base, cwd=runner.workspace)
    assert git("merge-base", base, change.head, cwd=runner.workspace) == first
    ran = runner.of_pull_request(change).run()
    assert git("merge-base", base, change.head, cwd=runner.workspace) == later
    assert (ran.code, ran.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("name", ["pull_request_target", "pull_request"])
def test_a_checkout_of_the_base_is_not_compared_with_itself(origin, runner, requested, name):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.base)
    ran = runner.of_pull_request(change, name=name).run()
    (request,) = requested
    assert request.head == change.head
    assert (ran.code, ran.outputs["verdict"]) == (1, "findings")
    assert f"does not belong to the pull request; its head {change.head} is checked" in dict(ran.commands)["notice"]


def test_a_pull_request_that_has_gone_cannot_be_checked(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.base)
    change.head = "1" * 40
    ran = runner.of_pull_request(change, name="pull_request_target").run()
    assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
    assert "1" * 40 in dict(ran.commands)["error"]


def test_a_link_in_the_head_is_not_followed(origin, runner):
    secret = runner.folder / "secret.json"
    secret.write_text(spec("relu", "very_secret"))
    change = PullRequest(origin, {SPEC: spec("relu")}, {SPEC: (str(secret),)})
    runner.checkout(origin, change.merge)
    ran = runner.of_pull_request(change).run()
    assert ran.code != 0
    assert "very_secret" not in ran.log + ran.summary


def test_what_lies_in_the_work_tree_does_not_count(origin, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    (runner.workspace / SPEC).write_text(spec("relu", "gelu"))
    assert runner.of_pull_request(change).run().code == 1


def test_a_merge_group_is_compared_with_its_base(origin, runner, requested):
    base = origin.commit("main", BREAK[0])
    head = origin.commit("gh-readonly-queue/main/pr-7", BREAK[1], base)
    runner.checkout(origin, head)
    runner.event_name, runner.event = "merge_group", {"merge_group": {"base_sha": base, "head_sha": head}}
    assert runner.run().code == 1
    assert (requested[0].base, requested[0].head, requested[0].is_exact) == (base, head, True)


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("is_forced", [False, True])
def test_a_push_is_compared_with_what_it_replaced(origin, runner, requested, is_forced, depth):
    before = origin.commit("main", BREAK[0])
    after = origin.commit("main", BREAK[1], *([] if is_forced else [before]))
    runner.checkout(origin, after, depth=depth)
    runner.event_name, runner.event = "push", {"before": before, "after": after}
    assert runner.run().code == 1
    assert (requested[0].base, requested[0].head, requested[0].is_exact) == (before, after, True)
    assert depth or not is_shallow(runner)


def test_a_push_of_something_else_than_what_is_checked_out_is_what_counts(origin, runner, requested):
    before = origin.commit("main", BREAK[0])
    after = origin.commit("main", BREAK[1], before)
    runner.checkout(origin, before)
    runner.event_name, runner.event = "push", {"before": before, "after": after}
    assert runner.run().code == 1
    assert requested[0].head == after


@pytest.mark.parametrize(
    ("name", "event"), [("push", {"before": ZERO}), ("workflow_dispatch", {}), ("schedule", {}), ("", {})]
)
def test_where_the_event_names_no_base_that_is_reported(origin, runner, requested, name, event):
    before = origin.commit("main", BREAK[0])
    after = origin.commit("main", BREAK[1], before)
    runner.checkout(origin, after)
    runner.event_name, runner.event = name, {**event, "after": after}
    ran = runner.run()
    assert (requested[0].base, requested[0].head) == (None, after)
    assert "has no base" in dict(ran.commands)["notice"]
    assert (ran.code, ran.outputs["errors"]) == (1, "1")  # nothing was compared
    assert "nothing_compared" in ran.summary


def test_a_branch_that_is_new_is_compared_with_the_configured_base(origin, runner):
    before = origin.commit("main", {**BREAK[0], "opspec-lint.yaml": "base: origin/main\n"})
    after = origin.commit("topic", {**BREAK[1], "opspec-lint.yaml": "base: origin/main\n"}, before)
    runner.checkout(origin, after, depth=0)
    runner.event_name, runner.event = "push", {"before": ZERO, "after": after}
    ran = runner.run()
    assert ran.code == 1
    assert "op_removed" in ran.summary


@pytest.mark.parametrize("depth", [0, 1])
@pytest.mark.parametrize("name", ["main", "develop"])
def test_a_branch_that_is_new_is_compared_with_the_default_branch(origin, runner, depth, name):
    before = origin.commit(name, BREAK[0])
    git("symbolic-ref", "HEAD", f"refs/heads/{name}", cwd=origin.folder)
    broken = origin.commit("topic", BREAK[1], before)
    after = origin.commit("topic", {**BREAK[1], "README": "x"}, broken)
    runner.checkout(origin, after, depth=depth)
    runner.event_name, runner.event = "push", {"before": ZERO, "after": after}
    ran = runner.run()
    assert ran.code == 1
    assert "op_removed" in ran.summary


def test_the_base_branch_may_lower_the_level_of_nothing_compared(origin, runner):
    after = origin.commit("main", {**BREAK[1], "opspec-lint.yaml": "levels: {nothing_compared: note}\n"})
    runner.checkout(origin, after)
    runner.event_name, runner.event = "push", {"before": ZERO, "after": after}
    ran = runner.run()
    assert (ran.code, ran.outputs["notes"]) == (0, "1")


@pytest.mark.parametrize("name", ["main", "origin/main", "v1", "refs/heads/main", "release/1.0", "SHA"])
@pytest.mark.parametrize("depth", [0, 1])
def test_the_base_that_the_user_names_wins(origin, runner, requested, name, depth):
    change = PullRequest(origin, *BREAK)
    named = origin.commit("main", {SPEC: spec("relu", "gelu", "named")}, change.base)
    git("branch", "release/1.0", named, cwd=origin.folder)
    git("tag", "-a", "-m", "one", "v1", named, cwd=origin.folder)
    runner.checkout(origin, change.merge, depth=depth)
    runner.inputs["BASE"] = named if name == "SHA" else name
    ran = runner.of_pull_request(change).run()
    assert (requested[0].base, requested[0].head, requested[0].is_exact) == (named, change.merge, False)
    assert (ran.code, ran.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("is_here", [False, True])
@pytest.mark.parametrize("name", ["main", "origin/main"])
def test_a_tag_does_not_hide_the_branch_that_the_input_names(origin, runner, name, is_here, request):
    """Everybody who may push a tag could otherwise replace the base."""
    change = PullRequest(origin, *BREAK)
    git("tag", name, change.head, cwd=origin.folder)
    runner.checkout(origin, change.merge, depth=1)
    git("fetch", "-q", "origin", f"refs/tags/{name}:refs/tags/{name}", cwd=runner.workspace)
    if is_here:
        git("fetch", "-q", "origin", "refs/heads/main:refs/remotes/origin/main", cwd=runner.workspace)
    runner.inputs["BASE"] = name
    requests = request.getfixturevalue("requested")
    runner.of_pull_request(change).run()
    assert requests[0].base == git("rev-parse", "refs/heads/main", cwd=origin.folder)


@pytest.mark.parametrize("name", ["nowhere", "--upload-pack=touch pwned", "+main:main", "main:refs/heads/x", "^main"])
def test_a_base_that_is_nowhere_is_a_failure(origin, runner, name):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge)
    runner.inputs["BASE"] = name
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
    assert not (runner.workspace / "pwned").exists()
    assert git("for-each-ref", cwd=runner.workspace) == ""


def test_a_base_that_is_the_head_is_reported_to_be(origin, runner):
    head = origin.commit("main", BREAK[0])
    runner.checkout(origin, head)
    runner.inputs["BASE"] = "main"
    ran = runner.run()
    assert "there is nothing to compare" in dict(ran.commands)["notice"]
    assert (ran.code, ran.outputs["errors"]) == (1, "1")
    assert "nothing_compared" in ran.summary


def test_a_checkout_without_the_contents_of_files_is_no_clean_one(origin, runner):
    """actions/checkout with `sparse-checkout` or `filter` leaves out files that nobody looked at."""
    git("config", "uploadpack.allowFilter", "true", cwd=origin.folder)
    change = PullRequest(origin, *BREAK)
    url = origin.folder.as_uri()
    git(
        "clone", "-q", "--filter=blob:none", "--no-checkout", "--depth=1", url, str(runner.workspace), cwd=runner.folder
    )
    git("fetch", "-q", "--depth=1", "--filter=blob:none", "origin", change.merge, cwd=runner.workspace)
    git("update-ref", "--no-deref", "HEAD", change.merge, cwd=runner.workspace)
    ran = runner.of_pull_request(change).run()
    assert ran.outputs["verdict"] != "clean", ran.log


class PrivateServer:
    """A git server over HTTP that lets nobody in without the token."""

    def __init__(self, folder):
        self.refused = self.served = 0
        self.redirect = None
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                server.serve(self, folder)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def serve(self, request, folder):
        decoded = base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        if request.headers.get_all("Authorization") != [f"basic {decoded}"]:
            self.refused += 1
            request.send_response(401)
            request.send_header("WWW-Authenticate", 'Basic realm="x"')
            request.end_headers()
            return
        self.served += 1
        if self.redirect:
            request.send_response(302)
            request.send_header("Location", self.redirect + request.path)
            request.end_headers()
            return
        url = urlsplit(request.path)
        length = int(request.headers.get("Content-Length") or 0)
        done = subprocess.run(
            ["git", "http-backend"],
            input=request.rfile.read(length),
            capture_output=True,
            check=True,
            env={
                "PATH": os.environ["PATH"],
                "GIT_PROJECT_ROOT": str(folder),
                "GIT_HTTP_EXPORT_ALL": "1",
                "GIT_CONFIG_GLOBAL": os.devnull,
                "PATH_INFO": url.path,
                "QUERY_STRING": url.query,
                "REQUEST_METHOD": request.command,
                "CONTENT_TYPE": request.headers.get("Content-Type", ""),
                "CONTENT_LENGTH": str(length),
                "HTTP_CONTENT_ENCODING": request.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": request.headers.get("Git-Protocol", ""),
            },
        ).stdout
        head, _, body = done.partition(b"\r\n\r\n")
        request.send_response(200)
        for line in head.decode().splitlines():
            name, _, value = line.partition(": ")
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)


@pytest.fixture
def private(origin):
    server = PrivateServer(origin.folder)
    yield server
    server.close()


@pytest.mark.parametrize("kept", [False, True])
def test_a_private_repository_is_fetched_from_with_the_token(origin, private, runner, kept):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge, url=f"{private.address}/.git")
    runner.environment["GITHUB_SERVER_URL"] = private.address
    if kept:  # persist-credentials leaves a header, of a token that has expired; two headers would be refused
        git("config", f"http.{private.address}/.extraheader", "AUTHORIZATION: basic b2xk", cwd=runner.workspace)
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (1, "findings"), ran.log
    assert private.refused
    assert private.served
    config = (runner.workspace / ".git" / "config").read_text()
    secrets = (TOKEN, base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode())
    assert all(secret not in ran.log + ran.summary + config for secret in secrets)


def test_a_release_that_the_configuration_names_is_fetched_with_the_token_too(origin, private, runner):
    release = origin.commit("release", {SPEC: spec("relu", "gelu", "released")})
    git("tag", "v1", release, cwd=origin.folder)
    settings = {"opspec-lint.toml": f'specs = ["{SPEC}"]\nagainst = ["v1:{SPEC}"]\n'}
    change = PullRequest(origin, {**BREAK[0], **settings}, {**BREAK[1], **settings})
    runner.checkout(origin, change.merge, url=f"{private.address}/.git")
    runner.environment["GITHUB_SERVER_URL"] = private.address
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs.get("errors")) == (1, "2"), ran.log


@pytest.mark.parametrize("token", ["", "wrong", "wr\nong"])
def test_without_a_token_that_serves_it_is_a_failure_that_does_not_ask(origin, private, runner, token):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge, url=f"{private.address}/.git")
    runner.environment["GITHUB_SERVER_URL"] = private.address
    runner.inputs["TOKEN"] = token
    ran = runner.of_pull_request(change).run()
    assert (ran.code, ran.outputs["verdict"]) == (3, "failed")
    assert "a `token` that may read" in dict(ran.commands)["error"]


def test_git_takes_the_token_to_no_other_server(origin, private, runner):
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge, url=f"{private.address}/.git")
    runner.environment["GITHUB_SERVER_URL"] = "https://github.com"
    assert runner.of_pull_request(change).run().code == 3
    assert private.served == 0
    another = PrivateServer(origin.folder)
    try:
        runner.environment["GITHUB_SERVER_URL"] = private.address
        private.redirect = another.address.replace("127.0.0.1", "localhost")
        assert runner.run().code == 3
        assert private.served
        assert another.served + another.refused == 0
    finally:
        another.close()


def test_a_runner_of_its_own_has_its_own_settings_of_git(origin, private, tmp_path):
    runner = Runner(tmp_path / "other")
    change = PullRequest(origin, *BREAK)
    runner.checkout(origin, change.merge, url=f"{private.address}/.git")
    runner.environment = {
        "GITHUB_SERVER_URL": private.address,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "http.proxy",
        "GIT_CONFIG_VALUE_0": "",
    }
    assert runner.of_pull_request(change).run().code == 1
