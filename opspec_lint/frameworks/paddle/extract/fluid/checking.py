"""The macros of Paddle and glog that only check or log: PADDLE_ENFORCE, VLOG and their like."""

from __future__ import annotations

_CHECKS = (
    "PADDLE_ENFORCE", "PADDLE_THROW", "PADDLE_WARN", "VLOG", "LOG", "DLOG", "CHECK", "DCHECK", "assert",
)  # fmt: skip
"""The macros that check a condition or log a message; they leave the function by an exception only."""


def is_check(name: str) -> bool:
    """Tell whether a macro only checks a condition or logs."""
    return name in _CHECKS or name.startswith(("PADDLE_ENFORCE_", "CHECK_", "DCHECK_", "LOG_", "VLOG_"))
