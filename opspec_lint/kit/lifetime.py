"""Objects that live until the program ends: a process that ends frees its memory at once.

Freeing two specs one by one takes a short run as long as a tenth of the comparison.
"""

from __future__ import annotations

_kept: dict[str, object] | None = None


def end_at_once() -> None:
    """Keep objects from now on: this process will end without freeing them one by one."""
    global _kept  # noqa: PLW0603 - of the whole process
    _kept = {}


def keep(kind: str, value: object) -> None:
    """Keep an object until the process ends, in place of an earlier one of its kind; outside of a program, do nothing.

    A run that compares again and again keeps no more than a run that compares once.
    """
    if _kept is not None:
        _kept[kind] = value
