"""The one comment on a pull request: made once, and brought up to date in place.

It is known by a mark at its very begin that nobody sees. A comment of somebody else that begins with that mark is not
ours, and is left alone.
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

LIMIT = 65_536
"""Characters of a comment (GitHub refuses more). Bytes of UTF-8 are counted here, which are never fewer."""
ROOM = LIMIT - 1024
"""What the mark and the footer leave of them."""

_BUDGET = 30.0
"""Seconds for all of it, whatever the network does."""
_BOT = "github-actions[bot]"
"""Whose comments those made with a workflow's own token are."""
_REPOSITORY = pattern(rf"https?://[\w.:-]{{1,200}}/{REPOSITORY.pattern}", "a")
_RUN = pattern(rf"{_REPOSITORY.pattern}/actions/runs/\d{{1,20}}", "a")


class Target(Record):
    """Where the comment belongs: the repository as "owner/name", the number of the pull request, and the mark."""

    repository: str
    number: int
    mark: str


def mark(environment: Mapping[str, str], *inputs: str) -> str:
    """Return the mark of the comment of a job, so that several jobs have one each.

    Args:
        environment: names the workflow and the job.
        inputs: what tells two uses of the action in one job from one another.
    """
    import hashlib
    import json

    names = [environment.get(name, "") for name in ("GITHUB_WORKFLOW", "GITHUB_JOB")]
    key = hashlib.sha256(json.dumps([*names, *inputs]).encode()).hexdigest()[:16]
    return f"<!-- opspec-lint:{key} -->"


def footer(environment: Mapping[str, str], commit: str) -> str:
    """Return the last line of a comment: what it speaks of, and where the run is that made it, with the page."""
    parts = [environment.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
    address = "{}/{}/actions/runs/{}".format(*parts)
    run = f" · [this run]({address}) · [the page with everything]({address}#artifacts)"
    return f"\n<sub>commit {commit[:10]}{run if _RUN.fullmatch(address) else ''}</sub>\n"


def files_at(environment: Mapping[str, str], commit: str) -> str | None:
    """Return the address of the files of a commit, None where the environment names no repository of a server."""
    server, repository = (environment.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"))
    address = f"{server}/{repository}"
    return f"{address}/blob/{commit}" if _REPOSITORY.fullmatch(address) else None


def keep(api: Api, place: Target, body: str, *, may_create: bool, graphql: str) -> ApiError | None:
    """Bring the comment up to date, or make it, and return what went wrong, None if nothing did.

    It takes no longer than `_BUDGET`, and raises nothing: what comes of the comment changes no verdict.

    Args:
        api: the API.
        place: where it belongs.
        body: its text in Markdown; the mark is put before it.
        may_create: whether to make one where there is none.
        graphql: the address of the GraphQL API.
    """
    if not REPOSITORY.fullmatch(place.repository):
        return ApiError("GITHUB_REPOSITORY is not a repository")

    def work() -> None:
        _put(api, place, f"{place.mark}\n{body}", may_create=may_create, login=login_of(api, graphql))

    try:
        in_time(work, _BUDGET)
    except ApiError as error:
        return error
    return None


def _put(api: Api, place: Target, body: str, *, may_create: bool, login: str) -> None:
    comments = f"/repos/{place.repository}/issues"
    for comment in api.pages(f"{comments}/{place.number}/comments?per_page=100", "comments"):
        if is_ours(comment, place.mark, login):
            api.call("PATCH", f"{comments}/comments/{comment['id']}", {"body": body})
            return
    if may_create:
        api.call("POST", f"{comments}/{place.number}/comments", {"body": body})


def is_ours(comment: Any, mark: str, login: str) -> bool:
    """Tell whether a comment begins with a mark, and is made by whose the token is."""
    if not isinstance(comment, dict) or type(comment.get("id")) is not int:
        return False
    body, user = comment.get("body"), comment.get("user")
    author = user.get("login") if isinstance(user, dict) else None
    # GraphQL may leave out what REST puts behind the name of an app; no person's name has brackets.
    return isinstance(body, str) and body.startswith(mark) and author in (login, f"{login}[bot]")


def login_of(api: Api, graphql: str) -> str:
    """Return whose comments the token's are: GraphQL tells it of every kind of token, REST not of an app's."""
    try:
        login = (
            api.but(root=graphql).call("POST", "", {"query": "query{viewer{login}}"}).value["data"]["viewer"]["login"]
        )
    except (ApiError, KeyError, TypeError):
        return _BOT
    return login if isinstance(login, str) and login else _BOT
