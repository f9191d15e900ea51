"""The macros of Paddle and glog that only check or log: PADDLE_ENFORCE, VLOG and their like."""

from __future__ import annotations

_CHECKS = (
    "PADDLE_ENFORCE", "PADDLE_THROW", "PADDLE_WARN", "VLOG", "LOG", "DLOG", "CHECK", "DCHECK", "assert",
)  # fmt: skip
"""Begins the name of what only checks or logs, and never leaves the function but by an exception."""


def is_check(name: str) -> bool:
    """Tell whether a macro only checks or logs."""
    return name in _CHECKS or name.startswith(("PADDLE_ENFORCE_", "CHECK_", "DCHECK_", "LOG_", "VLOG_"))
