"""The words that several views of a summary have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VERDICTS = ("loads", "changed", "cannot_tell", "fails_at_run", "refused", "unreadable")
"""From the mildest to the worst, as all views have them."""


def counted(verdicts: Mapping[str, int]) -> str:
    """Return how many models have which verdict."""
    return ", ".join(f"{verdicts[each]} {each}" for each in VERDICTS if verdicts.get(each))


def reach(oldest: str | None, newest: str | None) -> str:
    """Return between which releases a model loads."""
    return "under none" if oldest is None or newest is None else f"from {oldest} to {newest}"
