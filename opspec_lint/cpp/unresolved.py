"""What keeps a declaration from being evaluated."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    _T = TypeVar("_T")

FAILED = "its reading failed"
"""Begins the reason of what ended in an error of our own."""


class UnresolvedError(Exception):
    """Something of a tree cannot be evaluated for certain.

    Args:
        reason: what it is, in words for the user.
        file: the file of the tree in which it stands, None for that of the registration.
        line: its line, counted from 1, None for that of the registration.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    def at(self, file: str, line: int) -> UnresolvedError:
        """Return the error with a place, where it has none yet."""
        return self if self.file is not None else UnresolvedError(self.reason, file, line)


def attempted(make: Callable[[], _T]) -> _T:
    """The result of a function; a fault of the reading itself leaves unresolved what was read, and nothing else.

    Raises:
        UnresolvedError: the value cannot be evaluated, or its reading failed.
    """
    try:
        return make()
    except RecursionError:
        raise UnresolvedError("it is nested too deep") from None
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise UnresolvedError(f"{FAILED}: {type(error).__name__}: {error}") from error
