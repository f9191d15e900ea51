"""Reviews as GitHub's REST API gives them."""

from __future__ import annotations

HEAD, OLDER = "a" * 40, "b" * 40


def review(state="APPROVED", login="ann", commit=HEAD, at=None, **more):
    """Return a review as GitHub gives it."""
    return {"user": {"login": login}, "state": state, "commit_id": commit, "submitted_at": at, **more}
