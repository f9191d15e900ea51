"""The limit of steps, so that no text keeps its evaluation busy forever."""

from __future__ import annotations

from contextlib import contextmanager

from opspec_lint.cpp.limits import MAX_CALLS, MAX_STATEMENTS
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class TooLongError(UnresolvedError):
    """An evaluation that takes too many steps."""


class StepLimit:
    """The steps that evaluations of source text may take.

    A step is a small piece of work, in the unit of the language: a statement of C++, an expression or an element of a
    list of Starlark, a character of a value of CMake. So steps limit time, and also memory. The default limits a
    function of C++ with all functions that it calls.

    Args:
        total: the steps of all evaluations.
        largest: the steps of a single `evaluation`, where several share the total.
    """

    def __init__(self, total: int = MAX_STATEMENTS, largest: int | None = None) -> None:
        self._unused = total
        self._largest = total if largest is None else largest
        self._granted = self._left = min(self._largest, total)
        """The steps of the evaluation under way, and the rest that it has not taken."""
        self._depth = 0

    @contextmanager
    def evaluation(self) -> Iterator[None]:
        """Give an evaluation the full steps, also within another one, as a file is read when it is loaded."""
        outer = self._granted, self._left
        self._granted = self._left = min(self._largest, self._unused)
        try:
            yield
        finally:
            self._unused -= self._granted - self._left
            self._granted, self._left = outer

    def spend(self, steps: int = 1) -> None:
        """Take steps of the evaluation under way.

        Raises:
            TooLongError: there are no more.
        """
        self._left -= steps
        if self._left < 0:
            raise TooLongError(f"it takes more than {self._granted} steps")

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call of a function while it is executed.

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
