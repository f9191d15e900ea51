"""The reviews of a pull request: all pages, or none of them."""

from __future__ import annotations

from opspec_lint import approvals
from opspec_lint.approvals import Reviews
from opspec_lint.errors import UsageError
from opspec_lint.github.api import REPOSITORY, ApiError, in_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.github.api import Api

_BUDGET = 30.0
"""Seconds for all pages, whatever the network does."""


def fetch(api: Api, repository: str, number: int, author: str | None) -> Reviews:
    """Return the reviews of a pull request. What goes wrong is their `trouble`, so that nobody has approved.

    Args:
        api: the API.
        repository: the repository, as "owner/name".
        number: the number of the pull request.
        author: the login of who made it; without one nobody can tell whose approvals count.
    """
    if author is None:
        return Reviews(trouble="the event does not say who made the pull request")
    if not REPOSITORY.fullmatch(repository):
        return Reviews(trouble="GITHUB_REPOSITORY names no repository")
    address = f"/repos/{repository}/pulls/{number}/reviews?per_page=100"
    try:
        found = in_time(lambda: list(api.pages(address, "reviews")), _BUDGET)
        return Reviews(reviews=approvals.parse(found, "the API's answer"), author=author)
    except (ApiError, UsageError) as error:
        return Reviews(trouble=error.message)
