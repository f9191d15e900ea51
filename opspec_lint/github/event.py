"""What set the workflow off: the event's name and the few facts of its file that decide what is compared."""

from __future__ import annotations

import json

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_COMMIT_ID = pattern(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_QUEUED = pattern(r"refs/heads/gh-readonly-queue/.+/pr-([1-9][0-9]{0,9})-([0-9a-f]+)")
_BRANCH = pattern(r"[^\s:*?\[\\^~-][^\s:*?\[\\^~]*")
"""What may be the name of a branch, and is no refspec (git check-ref-format)."""
_LARGEST = 64 * 1024 * 1024
"""Bytes of an event file; GitHub caps payloads at 25 MB."""


class PullRequest(Record):
    """A pull request: its number, the tip of its branch, and the tip of the branch that it is for.

    `target` is the name of the latter branch, and `author` the login of who made the pull request; each is None where
    the event does not say.
    """

    number: int
    head: str
    base: str
    is_from_fork: bool
    author: str | None = None
    target: str | None = None


class Event(Record):
    """An event. `before` and `after` are what a push, or the entry of a merge queue, leads from and to.

    They are None where the event has none; `before` is None too where a push makes a branch. `queued` is the number of
    the pull request that the entry of a merge queue adds to `before`, None where that is not certain.
    """

    name: str
    pull_request: PullRequest | None = None
    before: str | None = None
    after: str | None = None
    queued: int | None = None


def read(environment: Mapping[str, str]) -> Event:
    """Return the event that an environment tells of; one without a name where it tells of none.

    Raises:
        InputError: the event file is missing, or not what GitHub documents ("Webhook events and payloads").
    """
    name = environment.get("GITHUB_EVENT_NAME", "")
    if name in ("pull_request", "pull_request_target", "pull_request_review"):
        return Event(name=name, pull_request=_pull_request(_Payload(environment)))
    if name == "merge_group":
        payload = _Payload(environment)
        before, after = (payload.commit("merge_group", end) for end in ("base_sha", "head_sha"))
        return Event(name=name, before=before, after=after, queued=_queued(payload, before))
    if name == "push":
        payload = _Payload(environment)
        before, after = payload.commit("before"), payload.commit("after")
        return Event(name=name, before=before if before.strip("0") else None, after=after if after.strip("0") else None)
    return Event(name=name)


def _pull_request(payload: _Payload) -> PullRequest:
    number = payload.value("pull_request", "number")
    if type(number) is not int or number < 1:
        raise payload.wrong("pull_request.number", "is not the number of a pull request")
    base = payload.value("pull_request", "base", "repo", "full_name")
    head = payload.value("pull_request", "head", "repo", "full_name")  # None where the fork has been deleted
    author = payload.value("pull_request", "user", "login")
    target = payload.value("pull_request", "base", "ref")
    return PullRequest(
        author=author if isinstance(author, str) and author else None,
        target=target if isinstance(target, str) and _BRANCH.fullmatch(target) else None,
        number=number,
        head=payload.commit("pull_request", "head", "sha"),
        base=payload.commit("pull_request", "base", "sha"),
        is_from_fork=head is None or head != base,
    )


def _queued(payload: _Payload, before: str) -> int | None:
    """Return the number of the pull request that the branch of an entry names, with the commit that it was added to."""
    ref = payload.value("merge_group", "head_ref")
    found = _QUEUED.fullmatch(ref) if isinstance(ref, str) else None
    return int(found[1]) if found is not None and found[2] == before else None


class _Payload:
    """The file that GITHUB_EVENT_PATH names, decoded."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._file = environment.get("GITHUB_EVENT_PATH", "")
        if not self._file:
            raise InputError("GITHUB_EVENT_PATH", "is not set; the event cannot be read without it")
        try:
            with open(self._file, "rb") as stream:
                self._value: Any = json.loads(stream.read(_LARGEST))
        except OSError as error:
            raise InputError(self._file, f"the event cannot be read: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise InputError(self._file, "the event is not JSON") from None

    def value(self, *path: str) -> Any:
        """Return the value at a place, None where there is none."""
        value = self._value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def commit(self, *path: str) -> str:
        """Return the id of a commit that stands at a place."""
        value = self.value(*path)
        if not isinstance(value, str) or not _COMMIT_ID.fullmatch(value):
            raise self.wrong(".".join(path), "is not the id of a commit")
        return value

    def wrong(self, where: str, problem: str) -> InputError:
        """Return the error for a place that does not hold what it should."""
        return InputError(self._file, problem, where=where)
