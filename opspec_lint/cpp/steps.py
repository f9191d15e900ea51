"""The limit of executed statements, so that no text keeps the interpreter busy forever."""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint.cpp.limits import MAX_CALLS, MAX_STATEMENTS
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class StepLimit:
    """The limit of executed statements and of nested calls, for one function and all that it calls."""

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
        """Count a call while it is executed.

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
