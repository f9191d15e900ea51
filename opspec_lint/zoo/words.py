"""Texts that several views of a summary share; `report/answers.py` has the counts."""

from __future__ import annotations


def reach(oldest: str | None, newest: str | None, *, is_unknown: bool = False) -> str:
    """Return between which releases a model loads; `is_unknown` is whether it may load in others."""
    if oldest is None or newest is None:
        return "unknown" if is_unknown else "under none"
    return f"from {oldest} to {newest}"
