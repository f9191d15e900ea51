"""Lists, dicts and sets of evaluated code, and what changes them.

The item UNKNOWN of a list, and the key UNKNOWN of a dict, represent any number of further items: a change that is not
followed adds it (`open_container`), so that a loop over the container runs for an unknown item as well.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.extract.python.values import UNKNOWN, is_known

CHANGING_METHODS = frozenset(
    """
    add append appendleft clear discard extend extendleft insert pop popitem popleft remove reverse setdefault sort
    update
    """.split()  # noqa: SIM905 - a list would have a line for each
)
"""The methods of Python's containers that change them."""


def open_container(owner: list[object] | dict[object, object]) -> None:
    """Note that a container may have further items."""
    if isinstance(owner, dict):
        owner[UNKNOWN] = UNKNOWN
    elif not is_open(owner):
        owner.append(UNKNOWN)


def missing_item(owner: object, key: object) -> type[BaseException] | None:
    """Return the error of a container that certainly lacks an item, None for one that may have it."""
    if not isinstance(owner, list | dict) or is_open(owner) or not is_known(key):
        return None
    try:
        owner[key]  # type: ignore[call-overload]
    except (LookupError, TypeError) as error:
        return type(error)
    return None


def is_open(owner: list[object] | dict[object, object]) -> bool:
    """Return whether a container may have further items."""
    return UNKNOWN in owner if isinstance(owner, dict) else any(item is UNKNOWN for item in owner)
