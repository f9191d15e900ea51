"""The comment on a pull request: created once, and updated in place.

An invisible mark at its beginning identifies it. A comment by another author that begins with the mark is left alone.
"""

from __future__ import annotations

from opspec_lint.github.api import REPOSITORY, ApiError, in_time
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.github.api import Api

_BUDGET = 30.0
"""Seconds for all requests together."""
_BOT = "github-actions[bot]"
"""The author of comments made with the token of a workflow."""
_REPOSITORY = pattern(rf"https?://[\w.:-]{{1,200}}/{REPOSITORY.pattern}", "a")
_RUN = pattern(rf"{_REPOSITORY.pattern}/actions/runs/\d{{1,20}}", "a")


class CommentTarget(Record):
    """The place of the comment: the repository as "owner/name", the number of the pull request, and the mark."""

    repository: str
    number: int
    mark: str


def mark(environment: Mapping[str, str], *inputs: str) -> str:
    """Return the mark of the comment of a job, which differs between jobs.

    Args:
        environment: names the workflow and the job.
        inputs: the inputs that distinguish two uses of the action in one job.
    """
    import hashlib
    import json

    names = [environment.get(name, "") for name in ("GITHUB_WORKFLOW", "GITHUB_JOB")]
    key = hashlib.sha256(json.dumps([*names, *inputs]).encode()).hexdigest()[:16]
    return f"<!-- opspec-lint:{key} -->"


def footer(environment: Mapping[str, str], commit: str) -> str:
    """Return the last line of a comment: the commit, the run that made the comment, and its artifacts."""
    parts = [environment.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
    address = "{}/{}/actions/runs/{}".format(*parts)
    # The variables come from the environment, and the text becomes Markdown: only a well-formed address is linked.
    run = f" · [this run]({address}) · [the page with everything]({address}#artifacts)"
    return f"\n<sub>commit {commit[:10]}{run if _RUN.fullmatch(address) else ''}</sub>\n"


def files_at(environment: Mapping[str, str], commit: str) -> str | None:
    """Return the address of the files of a commit, None if the environment names no repository of a server."""
    server, repository = (environment.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"))
    address = f"{server}/{repository}"
    return f"{address}/blob/{commit}" if _REPOSITORY.fullmatch(address) else None


def keep(api: Api, place: CommentTarget, body: str, *, may_create: bool, graphql: str) -> ApiError | None:
    """Create or update the comment, and return the error that prevented it, or None.

    It takes no longer than `_BUDGET`, and raises nothing: a failure changes no verdict.

    Args:
        api: the API.
        place: the place of the comment.
        body: its text in Markdown, to which the mark is prepended.
        may_create: whether to create a comment if there is none.
        graphql: the address of the GraphQL API.
    """
    if not REPOSITORY.fullmatch(place.repository):
        return ApiError("GITHUB_REPOSITORY is not a repository")

    def work() -> None:
        _create_or_update(api, place, f"{place.mark}\n{body}", may_create=may_create, login=login_of(api, graphql))

    try:
        in_time(work, _BUDGET)
    except ApiError as error:
        return error
    return None


def _create_or_update(api: Api, place: CommentTarget, body: str, *, may_create: bool, login: str) -> None:
    """Update the comment with the mark of the job, or create it."""
    comments = f"/repos/{place.repository}/issues"
    for comment in api.pages(f"{comments}/{place.number}/comments?per_page=100", "comments"):
        if is_own_comment(comment, place.mark, login):
            api.call("PATCH", f"{comments}/comments/{comment['id']}", {"body": body})
            return
    if may_create:
        api.call("POST", f"{comments}/{place.number}/comments", {"body": body})


def is_own_comment(comment: Any, mark: str, login: str) -> bool:
    """Return whether a comment begins with a mark and was made by the owner of the token."""
    if not isinstance(comment, dict) or type(comment.get("id")) is not int:
        return False
    body, user = comment.get("body"), comment.get("user")
    author = user.get("login") if isinstance(user, dict) else None
    # REST appends `[bot]` to the login of an app, GraphQL may not; no login of a person has brackets.
    return isinstance(body, str) and body.startswith(mark) and author in (login, f"{login}[bot]")


def login_of(api: Api, graphql: str) -> str:
    """Return the login that comments made with the token have.

    GraphQL tells it for every kind of token, REST not for the token of an app.
    """
    try:
        login = (
            api.replace(root=graphql)
            .call("POST", "", {"query": "query{viewer{login}}"})
            .value["data"]["viewer"]["login"]
        )
    except (ApiError, KeyError, TypeError):
        return _BOT
    return login if isinstance(login, str) and login else _BOT
