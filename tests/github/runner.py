"""A GitHub of one's own: repositories, the checkout of a runner, its environment and files, and an API on loopback."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import threading
import time
import zlib
from argparse import Namespace
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opspec_lint.cli.commands import action
from tests.support.paths import GITCONFIG
from tests.support.repositories import copy_of_a_new_repository

SPEC = "specs/ops.json"
TOKEN = "ghs_0123456789abcdefghijklmnopqrstuvwxyz"  # noqa: S105 - nobody's
TODAY = "2030-01-01"
BOT = "github-actions[bot]"
REMOTE = '[remote "origin"]\n\turl = {url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n'


def spec(*names, **attrs):
    """The text of a spec file: ops without arguments, and `op=[attr, ...]`."""
    ops = {name: {"Inputs": {}, "Outputs": {}, "Attrs": {}} for name in (*names, *attrs)}
    for op, of_op in attrs.items():
        ops[op]["Attrs"] = {attr: {"type": 0, "default_value": 1} for attr in of_op}
    return json.dumps(ops)


def git(*args, cwd, **environment):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    result = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *args],
        cwd=cwd,
        env={**clean, **who, "GIT_CONFIG_GLOBAL": str(GITCONFIG), "GIT_CONFIG_SYSTEM": os.devnull, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


class Origin:
    """A repository as GitHub has it: commits are made here, and any of them may be fetched.

    Its objects and refs are written as git writes them, without a process for each.
    """

    def __init__(self, folder):
        self.folder = folder
        self._trees = {}
        copy_of_a_new_repository(folder)
        with open(folder / ".git" / "config", "a", encoding="utf-8") as config:
            config.write("[uploadpack]\n\tallowAnySHA1InWant = true\n")

    def commit(self, branch, files, *parents):
        """Make a commit with exactly these files; a value that is a tuple is the target of a symbolic link."""
        made = self._commit(self._tree(files), parents, f"{branch} {len(parents)}")
        if branch:
            self.point(branch if branch.startswith("refs/") else f"refs/heads/{branch}", made)
        return made

    def follow(self, parent, count):
        """Make that many commits which change nothing."""
        for number in range(count):
            parent = self._commit(self._trees[parent], (parent,), f"{number}")
        return parent

    def point(self, ref, commit):
        """Have a ref name a commit."""
        path = self.folder / ".git" / ref
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{commit}\n", encoding="ascii")

    def _commit(self, tree, parents, message):
        who = f"a@b <a@b> {int(time.time())} +0000"
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents), f"author {who}", f"committer {who}"]
        made = self._write("commit", "\n".join([*lines, "", message, ""]).encode())
        self._trees[made] = tree
        return made

    def _tree(self, files):
        entries, folders = [], defaultdict(dict)
        for path, text in files.items():
            name, _, rest = path.partition("/")
            if rest:
                folders[name][rest] = text
                continue
            is_link = isinstance(text, tuple)
            blob = self._write("blob", (text[0] if is_link else text).encode())
            entries.append((name, "120000" if is_link else "100644", blob))
        entries += [(f"{name}/", "40000", self._tree(inside)) for name, inside in folders.items()]
        written = (
            f"{mode} {name.rstrip('/')}\0".encode() + bytes.fromhex(made) for name, mode, made in sorted(entries)
        )
        return self._write("tree", b"".join(written))

    def _write(self, kind, content):
        data = f"{kind} {len(content)}\0".encode() + content
        name = hashlib.sha1(data, usedforsecurity=False).hexdigest()
        path = self.object_file(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(data, 1))
        return name

    def object_file(self, name):
        return self.folder / ".git" / "objects" / name[:2] / name[2:]

    def reachable(self, commit, depth):
        """Return the objects that a fetch of a commit brings, and the commits whose parents it leaves out.

        `depth` 0 brings all commits. A last commit without parents counts as well, as it does for git.
        """
        names, level, reached = set(), {commit}, 0
        while level and not (depth and reached == depth):
            names |= level
            last, level, reached = level, set(), reached + 1
            for name in last:
                tree, *parents = re.findall(rb"^(?:tree|parent) (\w+)$", self._read(name), re.MULTILINE)
                self._add_tree(tree.decode(), names)
                level.update(parent.decode() for parent in parents)
            level -= names
        return names, last if depth and reached == depth else set()

    def _add_tree(self, tree, names):
        names.add(tree)
        for mode, name in re.findall(rb"(\d+) [^\0]+\0(.{20})", self._read(tree), re.DOTALL):
            if mode == b"40000":
                self._add_tree(name.hex(), names)
            else:
                names.add(name.hex())

    def _read(self, name):
        """Return the content of an object, without its header."""
        return zlib.decompress(self.object_file(name).read_bytes()).partition(b"\0")[2]


class PullRequest:
    """A pull request: where it left main, main's tip, its own tip, and GitHub's merge of the two."""

    def __init__(self, origin, before, after, *, moved=None, commits=1, history=0):
        self.fork = origin.follow(origin.commit("main", before), history)
        self.base = self.fork if moved is None else origin.commit("main", moved, self.fork)
        self.head = origin.follow(origin.commit("refs/pull/7/head", after, self.fork), commits - 1)
        origin.point("refs/pull/7/head", self.head)
        origin.point("refs/heads/main", self.base)
        self.merge = origin.commit("refs/pull/7/merge", {**(moved or before), **after}, self.base, self.head)

    def event(self, *, fork=False):
        return {
            "number": 7,
            "pull_request": {
                "number": 7,
                "title": "::error::injected\nverdict=clean",
                "head": {
                    "sha": self.head,
                    "ref": "x::set-output",
                    "repo": {"full_name": "evil/ops" if fork else "our/ops"},
                },
                "base": {"sha": self.base, "ref": "main", "repo": {"full_name": "our/ops"}},
            },
        }


class Ran:
    """The result of a step: its exit code, its log, its outputs, its summary."""

    def __init__(self, code, log, runner):
        self.code, self.log = code, log
        self.outputs = parse_outputs(runner.read("output"))
        self.summary = runner.read("summary")

    @property
    def commands(self):
        """The workflow commands that the runner would obey, as (name, message)."""
        return parse_commands(self.log)


class Runner:
    """A runner with a workspace, as a step finds it."""

    def __init__(self, folder, api=None):
        self.folder, self.api = folder, api
        self.workspace = folder / "workspace"
        for name in ("workspace", "temp"):
            (folder / name).mkdir(parents=True)
        self.inputs = {"TOKEN": TOKEN}
        self.event_name, self.event = "workflow_dispatch", {}
        self.environment = {}

    def read(self, name):
        path = self.folder / name
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def checkout(self, origin, commit, *, depth=1, url=None):
        """Leave what actions/checkout leaves with `persist-credentials: false`.

        The objects that git would fetch are linked: a fetch takes eight processes, and each test has a checkout.
        """
        made = self.workspace / ".git"
        copy_of_a_new_repository(self.workspace)
        with open(made / "config", "a", encoding="utf-8") as config:
            config.write(REMOTE.format(url=url or origin.folder.as_uri()))
        names, shallow = origin.reachable(commit, depth)
        for name in names:
            (made / "objects" / name[:2]).mkdir(exist_ok=True)
            os.link(origin.object_file(name), made / "objects" / name[:2] / name[2:])
        if shallow:
            (made / "shallow").write_text("".join(f"{name}\n" for name in sorted(shallow)), encoding="ascii")
        git("checkout", "-q", "--detach", commit, cwd=self.workspace)

    def env(self):
        """The environment that GitHub documents, and nothing of ours but PATH."""
        for name in ("output", "summary"):
            (self.folder / name).touch()
        (self.folder / "event.json").write_text(json.dumps(self.event), encoding="utf-8")
        api = self.api.address if self.api else "http://127.0.0.1:9"
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_EVENT_NAME": self.event_name,
            "GITHUB_EVENT_PATH": str(self.folder / "event.json"),
            "GITHUB_OUTPUT": str(self.folder / "output"),
            "GITHUB_STEP_SUMMARY": str(self.folder / "summary"),
            "GITHUB_REPOSITORY": "our/ops",
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_API_URL": api,
            "GITHUB_GRAPHQL_URL": f"{api}/graphql",
            "GITHUB_RUN_ID": "4711",
            "GITHUB_WORKFLOW": "Ops",
            "GITHUB_JOB": "check",
            "RUNNER_TEMP": str(self.folder / "temp"),
            **{f"INPUT_{name}": value for name, value in self.inputs.items()},
            **self.environment,
        }

    def run(self):
        """Run the command in this process."""
        for name in ("output", "summary"):
            (self.folder / name).unlink(missing_ok=True)
        environment = self.env()
        before = os.getcwd()
        os.chdir(self.workspace)
        try:
            outcome = action.run(Namespace(environment=environment, today=TODAY))
        finally:
            os.chdir(before)
        return Ran(outcome.code, outcome.text, self)

    def of_pull_request(self, pull_request, *, name="pull_request", fork=False):
        self.event_name, self.event = name, pull_request.event(fork=fork)
        return self


def parse_outputs(text):
    """Read a file of outputs as the runner does: `name=value`, or `name<<end`, lines, `end`."""
    result, lines = {}, iter(text.splitlines())
    for line in lines:
        here = re.match(r"([^=<]+)<<(.+)$", line)
        if here:
            value = []
            for inner in lines:
                if inner == here[2]:
                    break
                value.append(inner)
            else:
                raise AssertionError(f"{here[1]} has no end")
            result[here[1]] = "\n".join(value)
        elif line:
            name, _, value = line.partition("=")
            result[name] = value
    return result


def parse_commands(log):
    """Read a log as the runner does: `::name key=value::message`, space before it trimmed."""
    result, paused = [], None
    for line in log.splitlines():
        here = re.match(r"\s*::([^ :]+)(?: ([^:]*))?::(.*)$", line)
        older = "##[" in line
        if paused is not None:
            paused = None if here and here[1] == paused else paused
            continue
        assert not older, line
        if here and here[1] == "stop-commands":
            paused = here[3]
        if here:
            result.append((here[1], here[3]))
    assert paused is None, "commands are stopped for ever"
    return result


def right_sides(patch):
    """The ranges of lines of the new file that a patch shows."""
    matches = re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", patch, re.MULTILINE)
    return [(int(start), int(count or 1)) for start, count in matches]


class Api:
    """GitHub's API for comments and reviews: what it holds, what it was asked, and how it misbehaves."""

    def __init__(self):
        self.comments, self.asked, self.login = [], [], BOT
        self.reviews, self.pull = [], {}
        self.suggestions, self.files, self.resolved = [], [], set()
        self.refuse = {}
        """(method, part of the path): (status, headers), or a number of seconds to sleep, or bytes to answer."""
        self.once = False
        api = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self):
                api.answer(self)

            do_POST = do_PATCH = do_GET  # noqa: N815

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()

    def methods(self):
        """Return the requests about the one comment, without those about the owner of the token."""
        return [method for method, path, _, _ in self.asked if "graphql" not in path and "/pulls/7/comm" not in path]

    def answer(self, request):
        data = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        body = json.loads(data) if data else None
        self.asked.append((request.command, request.path, body, dict(request.headers)))
        for (method, part), fault in list(self.refuse.items()):
            if request.command == method and part in request.path:
                if self.once:
                    del self.refuse[method, part]
                return self._misbehave(request, fault)
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self._send(request, 401, {})
        if request.path == "/graphql" and "variables" in body:
            return self._send(request, 200, {"data": self._threads(body)})
        if request.path == "/graphql":
            return self._send(request, 200, {"data": {"viewer": {"login": self.login}}})
        if request.path == "/repos/our/ops/pulls/7":
            return self._send(request, 200, self.pull)
        if request.command == "GET":
            return self._list(request)
        if request.path == "/repos/our/ops/pulls/7/reviews":
            return self._send(request, 200, self._suggest(body))
        if "/pulls/comments/" in request.path:
            (first,) = (suggestion for suggestion in self.suggestions if request.path.endswith(f"/{suggestion['id']}"))
            return self._send(request, 200, first.update(body) or first)
        if request.command == "POST":
            assert request.path == "/repos/our/ops/issues/7/comments"
            self.add(body["body"])
            return self._send(request, 201, self.comments[-1])
        number = int(request.path.rpartition("/")[2])
        assert request.path == f"/repos/our/ops/issues/comments/{number}"
        (comment,) = (comment for comment in self.comments if comment["id"] == number)
        comment["body"] = body["body"]
        return self._send(request, 200, comment)

    def _suggest(self, review):
        """Take a review, as GitHub does: a comment has to stand on lines of the right side of the diff."""
        assert review["event"] == "COMMENT"
        assert review["body"]
        for comment in review["comments"]:
            (patch,) = (file["patch"] for file in self.files if file["filename"] == comment["path"])
            lines = set(range(comment.get("start_line", comment["line"]), comment["line"] + 1))
            assert any(lines <= set(range(start, start + count)) for start, count in right_sides(patch))
            number = 5000 + len(self.suggestions)
            place = {"start_line": None, **comment, "commit_id": review["commit_id"]}
            self.suggestions.append({"id": number, "user": {"login": self.login}, **place})
        return {}

    def _threads(self, body):
        if "resolveReviewThread" in body["query"]:
            self.resolved.add(int(body["variables"]["id"]))
            return {}
        nodes = [
            {
                "id": str(suggestion["id"]),
                "isResolved": suggestion["id"] in self.resolved,
                "comments": {"nodes": [{"databaseId": suggestion["id"]}]},
            }
            for suggestion in self.suggestions
        ]
        threads = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": nodes}
        return {"repository": {"pullRequest": {"reviewThreads": threads}}}

    def add(self, body, login=None):
        author = {"login": login or (self.login if "[bot]" in self.login else f"{self.login}")}
        self.comments.append({"id": 1000 + len(self.comments), "body": body, "user": author})

    def _list(self, request):
        for name, items in (("comments", self.suggestions), ("files", self.files)):
            if request.path.startswith(f"/repos/our/ops/pulls/7/{name}?"):
                self._send(request, 200, items)
                return
        of_reviews = request.path.startswith("/repos/our/ops/pulls/7/reviews?")
        items, what = (self.reviews, "pulls/7/reviews") if of_reviews else (self.comments, "issues/7/comments")
        page = int((re.search(r"[?&]page=(\d+)", request.path) or [0, "1"])[1])
        shown = items[100 * (page - 1) : 100 * page]
        more = len(items) > 100 * page
        link = f'<{self.address}/repos/our/ops/{what}?per_page=100&page={page + 1}>; rel="next"'
        self._send(request, 200, shown, {"Link": f'<{self.address}/x>; rel="first", {link}'} if more else {})

    def _misbehave(self, request, fault):
        if isinstance(fault, (int, float)):
            time.sleep(fault)
            return None
        if isinstance(fault, bytes):
            request.wfile.write(fault)
            return None
        status, headers = fault
        return self._send(request, status, {"message": "::error::no"}, headers)

    def _send(self, request, status, value, headers=None):
        data = json.dumps(value).encode()
        request.send_response(status)
        for name, text in {"Content-Length": str(len(data)), **(headers or {})}.items():
            request.send_header(name, text)
        request.end_headers()
        request.wfile.write(data)
