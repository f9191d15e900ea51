"""Reviews of a pull request from the API: all pages, or an error."""

from __future__ import annotations

from opspec_lint.github.api import REPOSITORY, ApiError, in_time
from opspec_lint.github.review_list import parse
from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.record import Record
from opspec_lint.lint.approvals import Reviews

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.github.api import Api
    from opspec_lint.github.event import WorkflowEvent

_BUDGET = 30.0
"""Seconds for all pages together."""


class _Subject(Record):
    """The reviewed pull request: its number, its author, None if unknown, and the tip of its branch."""

    number: int
    author: str | None
    head: str


def fetch(api: Api, repository: str, event: WorkflowEvent) -> Reviews:
    """Return the reviews of the pull request of an event. An error becomes their `error`.

    The pull request of a merge queue's entry is the one that the entry merges. Other events have no pull request.

    Args:
        api: the API.
        repository: the repository, as "owner/name".
        event: the event.
    """
    if event.pull_request is None and event.queued is None:
        return Reviews(error=f"the event {event.name!r} does not belong to a pull request")
    if not REPOSITORY.fullmatch(repository):
        return Reviews(error="GITHUB_REPOSITORY is not a repository")
    pulls = f"/repos/{repository}/pulls"

    def work() -> tuple[_Subject, list[Any]]:
        subject = _subject(api, pulls, event)
        # The author does not count as approver: without a name, an own approval could not be told from another.
        if subject.author is None:
            raise ApiError("the author of the pull request is unknown")
        return subject, list(api.pages(f"{pulls}/{subject.number}/reviews?per_page=100", "reviews"))

    try:
        subject, listed = in_time(work, _BUDGET)
        reviews = parse(listed, "the API's answer", number=subject.number)
    except (ApiError, UsageError) as error:
        return Reviews(error=error.message)
    return Reviews(reviews=reviews, author=subject.author, head=subject.head)


def _subject(api: Api, pulls: str, event: WorkflowEvent) -> _Subject:
    """Return the pull request of an event, or the one that an entry of a merge queue names."""
    known = event.pull_request
    if known is not None:
        return _Subject(number=known.number, author=known.author, head=known.head)
    value = api.call("GET", f"{pulls}/{event.queued}").value
    user, head = (value.get(key) if isinstance(value, dict) else None for key in ("user", "head"))
    author = user.get("login") if isinstance(user, dict) else None
    tip = head.get("sha") if isinstance(head, dict) else None
    if not isinstance(tip, str) or value.get("number") != event.queued:
        raise ApiError("the API's answer is not a pull request")
    return _Subject(number=value["number"], author=author if isinstance(author, str) and author else None, head=tip)
