"""The text of a range of releases, which several views of a summary share."""

from __future__ import annotations


def format_release_range(oldest: str | None, newest: str | None, *, is_unknown: bool = False) -> str:
    """Return a range as text, such as "from onnx@1.10 to onnx@1.14"; `is_unknown`: it may load under some release."""
    if oldest is None or newest is None:
        return "unknown" if is_unknown else "under none"
    return f"from {oldest} to {newest}"
