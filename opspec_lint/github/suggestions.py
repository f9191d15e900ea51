"""Fixes as suggestions that a reviewer applies with one click: review comments on lines of a pull request's diff.

GitHub accepts a comment only on lines that the diff shows, and its suggestion replaces these lines. A fix that does not
fit is left to the patch in the comment on the pull request. A mark at the beginning of a suggestion names its finding:
a later run updates the suggestion in place, and resolves it once the finding is gone.
"""

from __future__ import annotations

import re
from itertools import islice

from opspec_lint.fixes.unified import hunks
from opspec_lint.github.api import REPOSITORY, ApiError, in_time
from opspec_lint.github.comment import is_own_comment, login_of
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.unified import Hunk
    from opspec_lint.github.api import Api
    from opspec_lint.github.comment import CommentTarget
    from opspec_lint.report.findings import Finding

_BUDGET = 30.0
"""Seconds for all requests together."""
_MOST = 20
"""Most suggestions on a pull request."""
_LONGEST = 100
"""Most lines of a suggestion."""
_HUNK = pattern(r"@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@")
_THREADS = """query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) {
    reviewThreads(first: 100, after: $after) { pageInfo { hasNextPage endCursor }
      nodes { id isResolved comments(first: 1) { nodes { databaseId } } } } } } }"""
_RESOLVE = "mutation($id: ID!) { resolveReviewThread(input: {threadId: $id}) { thread { id } } }"


class Suggestion(Record):
    """Lines, from `start` to `end`, of a file at the head of a pull request, and the lines that take their place."""

    finding: str
    path: str
    start: int
    end: int
    lines: tuple[str, ...]
    description: str

    def body(self, mark: str) -> str:
        """Return the text of the comment; its fence is longer than any fence inside."""
        runs = [len(run) for line in self.lines for run in re.findall("`+", line)]
        fence = "`" * max(3, max(runs, default=0) + 1)
        text = "".join(f"{line}\n" for line in self.lines)
        description = re.sub(r"[`<>@]", "", one_line(self.description))
        return f"{_mark_of(mark, self.finding)}\nopspec-lint: {description}\n\n{fence}suggestion\n{text}{fence}\n"

    def place(self) -> dict[str, Any]:
        """Return the place of the comment, as GitHub's API names it."""
        several = {} if self.start == self.end else {"start_line": self.start, "start_side": "RIGHT"}
        return {"path": self.path, "line": self.end, "side": "RIGHT", **several}


def suggestions(fixes: Iterable[tuple[Finding, Fix]], diffs: Mapping[str, str]) -> Iterator[Suggestion]:
    """Yield the fixes that fit into a comment, each once.

    Args:
        fixes: fixes, each with its finding.
        diffs: the diff of each file that the pull request changes, as GitHub's API has it.
    """
    seen: set[tuple[object, ...]] = set()
    shown = {path: _right_sides(diff) for path, diff in diffs.items()}
    for finding, fix in fixes:
        suggestion = _suggestion(finding, fix, shown)
        key = () if suggestion is None else (suggestion.path, suggestion.start, suggestion.end, suggestion.lines)
        if suggestion is not None and key not in seen:
            seen.add(key)
            yield suggestion


def _suggestion(finding: Finding, fix: Fix, shown: Mapping[str, list[dict[int, str]]]) -> Suggestion | None:
    """Return a fix as a suggestion, None if its lines are not all in one part of the diff of one file.

    `shown` has, by path, the lines of the new file that each part of the diff shows, by their numbers.
    """
    files = dict.fromkeys(edit.source for edit in fix.edits)
    file = next(iter(files))
    # A suggestion has "\n" only: it would mix the line breaks of a file with "\r\n".
    if len(files) > 1 or file.path not in shown or "\r" in file.whole:
        return None
    changed = list(hunks(file, fix.edits))
    old = file.whole.split("\n")
    first, behind = changed[0].start, changed[-1].end
    # A suggestion replaces at least one line, so a pure insertion includes the line before or after it.
    for start, end in ((first, behind), (first - 1, behind), (first, behind + 1)):
        numbers = range(start + 1, end + 1)
        part = next((part for part in shown[file.path] if numbers and part.keys() >= set(numbers)), None)
        if part is not None and len(numbers) <= _LONGEST and _is_same(part, old):
            return Suggestion(
                finding=finding.fingerprint,
                path=file.path,
                start=start + 1,
                end=end,
                lines=tuple(_lines_after(changed, old, start, end)),
                description=fix.description,
            )
    return None


def _lines_after(changed: Iterable[Hunk], old: list[str], start: int, end: int) -> Iterator[str]:
    """Yield the lines that take the place of the lines `start` to `end` of a file, counted from 0, without `end`."""
    next_line = start
    for hunk in changed:
        yield from old[next_line : hunk.start]
        yield from (line.rstrip("\n") for line in hunk.new)
        next_line = hunk.end
    yield from old[next_line:end]


def _is_same(side: Mapping[int, str], lines: list[str]) -> bool:
    """Return whether a part of a diff has the lines of a file: a merge can differ from the head of the branch."""
    return all(number <= len(lines) and lines[number - 1] == line for number, line in side.items())


def _right_sides(diff: str) -> list[dict[int, str]]:
    """Return the lines of the new file that each part of a diff shows, by their numbers."""
    sides: list[dict[int, str]] = []
    number = 0
    for line in diff.split("\n"):
        begin = _HUNK.match(line)
        if begin is not None:
            sides.append({})
            number = int(begin[1])
        elif line[:1] in ("+", " ") and sides:
            sides[-1][number] = line[1:]
            number += 1
    return sides


def keep(
    api: Api, place: CommentTarget, fixes: Iterable[tuple[Finding, Fix]], commit: str, graphql: str
) -> ApiError | None:
    """Update the suggestions on a pull request, and return the error that prevented it, or None.

    It takes no longer than `_BUDGET`, and raises nothing: a failure changes no verdict.

    Args:
        api: the API.
        place: the pull request, and the mark of the job.
        fixes: the fixes, each with its finding.
        commit: the head of the pull request.
        graphql: the address of the GraphQL API.
    """
    if not REPOSITORY.fullmatch(place.repository):
        return ApiError("GITHUB_REPOSITORY is not a repository")
    try:
        in_time(lambda: _Keeper(api, place, graphql).keep(list(fixes), commit), _BUDGET)
    except ApiError as error:
        return error
    return None


class _Keeper:
    """The suggestions of a job on one pull request, and the calls that update them."""

    def __init__(self, api: Api, place: CommentTarget, graphql: str) -> None:
        self._api, self._place, self._graphql = api, place, api.replace(root=graphql)
        self._pull = f"/repos/{place.repository}/pulls/{place.number}"

    def keep(self, fixes: list[tuple[Finding, Fix]], commit: str) -> None:
        """Update suggestions in place, resolve outdated ones, and post the new ones as one review."""
        own = self._own_suggestions()
        if not fixes and not own:
            return
        diffs = self._diffs() if fixes else {}
        current = {suggestion.finding: suggestion for suggestion in islice(suggestions(fixes, diffs), _MOST)}
        gone = [
            comment
            for finding, comments in own.items()
            for comment in comments
            if not self._update(comment, current.get(finding))
        ]
        new = [
            suggestion
            for suggestion in current.values()
            if not any(comment not in gone for comment in own.get(suggestion.finding, ()))
        ]
        # Before the new ones: a suggestion that moved to other lines is resolved here and made again there.
        if gone:
            self._resolve({comment["id"] for comment in gone})
        if new:
            comments = [{**suggestion.place(), "body": suggestion.body(self._place.mark)} for suggestion in new]
            what = "a fix" if len(new) == 1 else f"{len(new)} fixes"
            body = {
                "commit_id": commit,
                "event": "COMMENT",
                "body": f"opspec-lint suggests {what}.",
                "comments": comments,
            }
            # One review for all, as each review sends a notification.
            self._api.call("POST", f"{self._pull}/reviews", body)

    def _own_suggestions(self) -> dict[str, list[dict[str, Any]]]:
        """Return the suggestions of this job on the pull request, by their findings."""
        begin = _mark_of(self._place.mark, "")[: -len(" -->")]
        every = list(self._api.pages(f"{self._pull}/comments?per_page=100", "review comments"))
        marked = [
            comment for comment in every if isinstance(comment, dict) and str(comment.get("body", "")).startswith(begin)
        ]
        login = login_of(self._api, self._graphql.root) if marked else ""
        by_finding: dict[str, list[dict[str, Any]]] = {}
        for comment in marked:
            if is_own_comment(comment, begin, login):
                by_finding.setdefault(comment["body"][len(begin) :].partition(" ")[0], []).append(comment)
        return by_finding

    def _diffs(self) -> dict[str, str]:
        """Return the diffs of the changed files by path; GitHub omits the diff of a large file."""
        files = self._api.pages(f"{self._pull}/files?per_page=100", "files")
        named = (file for file in files if isinstance(file, dict) and isinstance(file.get("patch"), str))
        return {str(file.get("filename")): file["patch"] for file in named}

    def _update(self, comment: dict[str, Any], suggestion: Suggestion | None) -> bool:
        """Return whether a comment is at the place of a suggestion, after updating its text."""
        if suggestion is None:
            return False
        place = suggestion.place()
        if any(comment.get(key) != place.get(key) for key in ("path", "line", "start_line")):
            return False
        body = suggestion.body(self._place.mark)
        if comment["body"].replace("\r\n", "\n") != body:
            self._api.call("PATCH", f"/repos/{self._place.repository}/pulls/comments/{comment['id']}", {"body": body})
        return True

    def _resolve(self, ids: set[int]) -> None:
        """Mark the threads that begin with some comments as resolved."""
        # REST cannot resolve a thread, and names comments only; GraphQL has both ids.
        owner, _, name = self._place.repository.partition("/")
        variables: dict[str, Any] = {"owner": owner, "name": name, "number": self._place.number, "after": None}
        while True:
            answer = self._query_graphql(_THREADS, variables)
            threads = answer["repository"]["pullRequest"]["reviewThreads"]
            for thread in threads["nodes"]:
                first = thread["comments"]["nodes"][:1]
                if not thread["isResolved"] and first and first[0]["databaseId"] in ids:
                    self._query_graphql(_RESOLVE, {"id": thread["id"]})
            if not threads["pageInfo"]["hasNextPage"]:
                return
            variables["after"] = threads["pageInfo"]["endCursor"]

    def _query_graphql(self, query: str, variables: dict[str, Any]) -> Any:
        """Return the data of the answer to a GraphQL query."""
        value = self._graphql.call("POST", "", {"query": query, "variables": variables}).value
        if not isinstance(value, dict) or not isinstance(value.get("data"), dict):
            raise ApiError("the API's answer has an unexpected form")
        return value["data"]


def _mark_of(mark: str, finding: str) -> str:
    """Return the mark of a suggestion: the mark of the job, and its finding."""
    return f"{mark.removesuffix(' -->')}:{finding} -->"
