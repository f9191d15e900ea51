"""A GitHub that refuses what GitHub refuses: long comments, large summaries, suggestions outside of a diff.

GitHub's REST API and its runner have the limits; an answer of the API to a refused request has status 422.
"""

from __future__ import annotations

import gzip
import json
import re

from tests.github.runner import Api, parse_commands, right_sides

MOST_CHARACTERS = 65_536
MOST_OF_SUMMARY = 1024 * 1024
MOST_ANNOTATIONS = 10
MOST_OF_MESSAGE = 64 * 1024
MOST_OF_TITLE = 255
MOST_OF_OUTPUT = 1024 * 1024
MOST_RESULTS = 25_000
MOST_OF_SARIF = 10 * 1024 * 1024
FILES_OF_PAGE = 100
MOST_OF_PATCH = 20_000
"""Lines of a diff beyond which the API leaves the patch of a file out."""


class StrictApi(Api):
    """The API for comments and reviews; `refused` are the reasons of the requests that it refused."""

    def __init__(self):
        super().__init__()
        self.refused, self.head = [], None

    def _send(self, request, status, value, headers=None):
        data = self.asked[-1][2]
        problem = None if status >= 400 or request.command == "GET" else self._problem(request, data)
        if problem is None:
            return super()._send(request, status, value, headers)
        self.refused.append(problem)
        return super()._send(request, 422, {"message": problem})

    def _problem(self, request, data):
        """Return the reason why GitHub refuses a request, None if it does not."""
        if "graphql" in request.path:
            return None
        texts = [data.get("body", ""), *(comment["body"] for comment in data.get("comments", ()))]
        if any(len(text) > MOST_CHARACTERS for text in texts):
            return "Body is too long (maximum is 65536 characters)"
        if not all(text.strip() for text in texts):
            return "Body can't be blank"
        return self._problem_of_review(data) if request.path.endswith("/reviews") else None

    def _problem_of_review(self, review):
        patches = {file["filename"]: file.get("patch") for file in self.files}
        if review["commit_id"] != self.head:
            return "commit_id is not part of the pull request"
        for comment in review["comments"]:
            first, last = comment.get("start_line", comment["line"]), comment["line"]
            if "start_line" in comment and first >= last:
                return "start_line must precede the end line"
            sides = right_sides(patches.get(comment["path"]) or "")
            if not any(start <= first <= last < start + count for start, count in sides):
                return f"pull_request_review_thread.line must be part of the diff: {comment['path']}"
        return None

    def _suggest(self, review):
        return {} if self._problem_of_review(review) else super()._suggest(review)

    def _list(self, request):
        if not request.path.startswith("/repos/our/ops/pulls/7/files?"):
            return super()._list(request)
        page = int((re.search(r"[?&]page=(\d+)", request.path) or [0, "1"])[1])
        shown = self.files[FILES_OF_PAGE * (page - 1) : FILES_OF_PAGE * page]
        following = f'<{self.address}/repos/our/ops/pulls/7/files?per_page=100&page={page + 1}>; rel="next"'
        more = {"Link": following} if len(self.files) > FILES_OF_PAGE * page else {}
        return self._send(request, 200, shown, more)


def files_of(diff):
    """The changed files of a pull request as the API lists them, from `git diff`."""
    files = []
    for part in re.split(r"^diff --git ", diff, flags=re.MULTILINE)[1:]:
        name = re.search(r"^(?:\+\+\+ b/|rename to )(.*)$", part, re.MULTILINE) or re.search(r"a/(.*) b/", part)
        start = part.find("\n@@")
        patch = {} if start < 0 or part.count("\n") > MOST_OF_PATCH else {"patch": part[start + 1 :].rstrip("\n")}
        files.append({"filename": name[1].rstrip("\t"), **patch})
    return files


def refusals(ran, runner):
    """Return the parts of a step that the runner or code scanning would refuse or drop."""
    problems = []
    if len(ran.summary.encode()) > MOST_OF_SUMMARY:
        problems.append(f"the summary has {len(ran.summary.encode())} bytes")
    levels = [name for name, _ in ran.commands]
    problems += [
        f"{levels.count(name)} annotations of level {name}"
        for name in set(levels) & {"error", "warning", "notice"}
        if levels.count(name) > MOST_ANNOTATIONS
    ]
    problems += [
        f"an annotation of {len(text)} characters" for _, text in ran.commands if len(text.encode()) > MOST_OF_MESSAGE
    ]
    titles = re.findall(r"^::(?:error|warning|notice) [^:]*title=([^,:]*)", ran.log, re.MULTILINE)
    problems += [f"a title of {len(title)} characters" for title in titles if len(title) > MOST_OF_TITLE * 3]
    if len(runner.read("output").encode()) > MOST_OF_OUTPUT:
        problems.append("the outputs are too long")
    if "sarif" in ran.outputs:
        with open(ran.outputs["sarif"], "rb") as stream:
            data = stream.read()
        if len(gzip.compress(data, 6)) > MOST_OF_SARIF:
            problems.append("the SARIF report is too large")
        problems += [
            f"{len(run['results'])} SARIF results"
            for run in json.loads(data)["runs"]
            if len(run["results"]) > MOST_RESULTS
        ]
    return problems


def annotations(log, level):
    """Return the messages of the annotations of a level, in their order."""
    return [message for name, message in parse_commands(log) if name == level]
