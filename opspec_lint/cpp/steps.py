"""Limit of the statements that are executed, so that no text keeps the interpreter busy forever."""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint.cpp.limits import MAX_CALLS, MAX_STATEMENTS
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class StepLimit:
    """A limit of the executed statements and of the nesting of calls, counted from one function on."""

    def __init__(self) -> None:
        self._left = MAX_STATEMENTS
        self._depth = 0

    def take(self) -> None:
        """Count a statement, or one iteration of a loop.

        Raises:
            UnresolvedError: too many statements were executed.
        """
        self._left -= 1
        if self._left < 0:
            raise UnresolvedError(f"it takes more than {MAX_STATEMENTS} steps")

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call for as long as it lasts.

        Raises:
            UnresolvedError: calls are nested too deep.
        """
        if self._depth >= MAX_CALLS:
            raise UnresolvedError(f"functions call each other more than {MAX_CALLS} deep")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
