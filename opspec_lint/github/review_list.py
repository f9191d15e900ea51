"""Parser of the reviews of a pull request, as GitHub's REST API lists them ("List reviews for a pull request")."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.lint.approvals import Review

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_STATES = ("APPROVED", "CHANGES_REQUESTED", "COMMENTED", "DISMISSED", "PENDING")
_LOGIN = pattern(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\[bot\])?")
_TIME = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "a")
_LONGEST = 200
_ADVICE = "give GitHub's own list: gh api --paginate --slurp repos/OWNER/NAME/pulls/NUMBER/reviews"


def read(path: str) -> tuple[Review, ...]:
    """Return the reviews in a file.

    Raises:
        UsageError: the file cannot be read, or is not a list of reviews.
    """
    data = read_named_file(path, "list of reviews", _ADVICE)
    try:
        value = json.loads(data.decode(), object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError):
        raise UsageError(f"{path}: is not JSON, or has a key twice", advice=_ADVICE) from None
    return parse(value, path)


def parse(value: Any, name: str, *, number: int | None = None) -> tuple[Review, ...]:
    """Return the reviews in a decoded document: one list, or a list with the list of each page.

    Args:
        value: the document.
        name: the name of the document, for messages.
        number: the number of the pull request; None if it is unknown.

    Raises:
        UsageError: the document is not a list of reviews of one pull request; the message names the first wrong one.
    """
    if isinstance(value, list) and value and all(isinstance(page, list) for page in value):
        value = [item for page in value for item in page]
    if not isinstance(value, list):
        raise UsageError(f"{name}: expected a list of reviews", advice=_ADVICE)
    reviews = [_review(item, f"{name}: review {at}") for at, item in enumerate(value, 1)]
    _check_subject(value, name, None if number is None else f"/pulls/{number}")
    return tuple(review for review in reviews if review is not None)


def parse_login(text: str, what: str) -> str:
    """Return a login.

    Args:
        text: the login.
        what: its name in messages, such as "--author".

    Raises:
        UsageError: GitHub has no such logins.
    """
    if not _LOGIN.fullmatch(text):
        shown = shorten(one_line(text), _LONGEST)
        raise UsageError(f"{what}: '{shown}' is not a login", advice="write it as GitHub does, without @")
    return text


def _check_subject(value: list[dict[str, Any]], name: str, ending: str | None) -> None:
    """Raise UsageError if reviews name different pull requests, or one that does not end with `ending`."""
    first = None
    for at, item in enumerate(value, 1):
        url = item.get("pull_request_url")
        if url is None:
            continue
        first = url if first is None else first
        if not isinstance(url, str) or url != first or not url.endswith(ending or ""):
            raise UsageError(f"{name}: review {at}: belongs to another pull request", advice=_ADVICE)


def _review(value: Any, where: str) -> Review | None:
    """Return a review, None if its account was deleted: GitHub then gives no user."""
    if not isinstance(value, dict):
        raise UsageError(f"{where}: expected an object", advice=_ADVICE)
    state, commit, at, user = (value.get(key) for key in ("state", "commit_id", "submitted_at", "user"))
    if state not in _STATES:
        shown = shorten(one_line(json.dumps(state)), _LONGEST)
        raise UsageError(f"{where}: `state` is {shown}, which GitHub does not document", advice=_ADVICE)
    if not (commit is None or isinstance(commit, str)):
        raise UsageError(f"{where}: `commit_id` is not the id of a commit", advice=_ADVICE)
    if not (at is None or (isinstance(at, str) and _TIME.fullmatch(at))):
        raise UsageError(f"{where}: `submitted_at` is not a time", advice=_ADVICE)
    if user is None and "user" in value:
        return None
    login = user.get("login") if isinstance(user, dict) else None
    if not (isinstance(login, str) and login):
        raise UsageError(f"{where}: `user.login` is missing", advice=_ADVICE)
    return Review(login=login, state=state, commit=commit, at=at)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of key-value pairs; raise ValueError for a duplicate key."""
    # Python keeps the last of two equal keys; a reader that keeps the first would see another approval.
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key occurs twice")
    return value
