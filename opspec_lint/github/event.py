"""The event that started the workflow: its name, and the facts of its payload that decide what is compared."""

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
"""A valid name of a branch that is no refspec (git check-ref-format)."""
_LARGEST = 64 * 1024 * 1024
"""Bytes of an event file; GitHub caps payloads at 25 MB."""


class PullRequest(Record):
    """A pull request: its number, the tip of its branch, and the tip of its target branch.

    `target` is the name of the target branch, `author` the login of the author; each is None if the event omits it.
    """

    number: int
    head: str
    base: str
    is_from_fork: bool
    author: str | None = None
    target: str | None = None


class WorkflowEvent(Record):
    """An event of a workflow.

    `before` and `after` are the commits before and after a push or an entry of a merge queue, None for other events;
    `before` is None if a push creates a branch. `queued` is the number of the pull request that an entry of a merge
    queue adds to `before`, None if that is not certain.
    """

    name: str
    pull_request: PullRequest | None = None
    before: str | None = None
    after: str | None = None
    queued: int | None = None


def read(environment: Mapping[str, str]) -> WorkflowEvent:
    """Return the event that the environment describes; without a description, an event without a name.

    Raises:
        InputError: the event file is missing, or not what GitHub documents ("Webhook events and payloads").
    """
    name = environment.get("GITHUB_EVENT_NAME", "")
    if name in ("pull_request", "pull_request_target", "pull_request_review"):
        return WorkflowEvent(name=name, pull_request=_pull_request(_Payload(environment)))
    if name == "merge_group":
        payload = _Payload(environment)
        before, after = (payload.commit("merge_group", end) for end in ("base_sha", "head_sha"))
        return WorkflowEvent(name=name, before=before, after=after, queued=_queued(payload, before))
    if name == "push":
        payload = _Payload(environment)
        # GitHub writes a commit id of zeros for a branch that is created (before) or deleted (after).
        before, after = payload.commit("before"), payload.commit("after")
        return WorkflowEvent(
            name=name, before=before if before.strip("0") else None, after=after if after.strip("0") else None
        )
    return WorkflowEvent(name=name)


def _pull_request(payload: _Payload) -> PullRequest:
    """Return the pull request of an event."""
    number = payload.value("pull_request", "number")
    # Not isinstance: True is an int in Python.
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
    """Return the number of the pull request that the branch of a queue entry names, if it was added to `before`."""
    ref = payload.value("merge_group", "head_ref")
    match = _QUEUED.fullmatch(ref) if isinstance(ref, str) else None
    return int(match[1]) if match is not None and match[2] == before else None


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
        """Return the value at a path of keys, None if there is none."""
        value = self._value
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def commit(self, *path: str) -> str:
        """Return the commit id at a path of keys."""
        value = self.value(*path)
        if not isinstance(value, str) or not _COMMIT_ID.fullmatch(value):
            raise self.wrong(".".join(path), "is not the id of a commit")
        return value

    def wrong(self, where: str, problem: str) -> InputError:
        """Return the error for an invalid value at a path of keys."""
        return InputError(self._file, problem, where=where)
