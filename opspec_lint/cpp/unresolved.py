"""The error of a declaration that cannot be evaluated."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    _T = TypeVar("_T")

FAILED = "its reading failed"
"""The beginning of the reason after one of `_SOURCE_ERRORS`."""
# Unusual source text can cause these: a division by zero, a number out of range, tokens that end too early. Any other
# error, such as AttributeError or TypeError, is a mistake in this program, which must not look like unresolved code.
_SOURCE_ERRORS = (ArithmeticError, LookupError, ValueError)


class UnresolvedError(Exception):
    """Some code of a tree cannot be evaluated with certainty.

    Args:
        reason: the reason, for the user.
        file: the file of the code, None for the file of the registration.
        line: its line, counted from 1, None for the line of the registration.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    def at(self, file: str, line: int) -> UnresolvedError:
        """Return the error with a place, unless it has one already."""
        return self if self.file is not None else UnresolvedError(self.reason, file, line)


def attempt(make: Callable[[], _T]) -> _T:
    """Return the result of a function that evaluates source text; its errors about the text become UnresolvedError.

    Text that the evaluation did not foresee then leaves a single declaration unresolved.

    Raises:
        UnresolvedError: the value cannot be evaluated, or its reading failed.
    """
    try:
        return make()
    except RecursionError:
        raise UnresolvedError("it is nested too deep") from None
    except _SOURCE_ERRORS as error:
        raise UnresolvedError(f"{FAILED}: {type(error).__name__}: {error}") from error
