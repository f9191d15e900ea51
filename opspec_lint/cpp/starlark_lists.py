"""Lists of Starlark with the cases in which they have an element, and the names and cases that an evaluation needs."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Place = tuple[str, int]
    """The path of a file, and a line in it."""

W = TypeVar("W")
"""A set of cases, such as the builds that have a source."""
_MAX_STEPS = 50_000
"""Steps of one evaluation: of a statement at the top of a file, a call of a macro, or an expression of a script."""
_MAX_TOTAL = 1_000_000
"""Steps of all evaluations of a tree or of a script; the BUILD files of all of TensorFlow take 130,000."""


class Cases(Protocol[W]):
    """The algebra of cases."""

    every: W

    def where(self, setting: str) -> W:
        """Return the cases in which a setting of `select`, or a function such as `if_cuda`, is true."""

    def both(self, first: W, second: W) -> W:
        """Return the cases that are in two sets."""

    def without(self, first: W, second: W) -> W:
        """Return the cases of the first set that are not in the second."""


class TooLongError(Exception):
    """An evaluation that takes too many steps."""


class Budget:
    """The steps that evaluations of a tree or of a script may take.

    Each expression and statement is a step, and so is each element of a list that is made or read: the limit is one of
    time and of memory. `left` are the steps that are left for the evaluation under way.
    """

    def __init__(self) -> None:
        self.left = 0
        self._total = _MAX_TOTAL

    @contextmanager
    def evaluation(self) -> Iterator[None]:
        """Give an evaluation the full steps, also within another one, as a file is read when it is loaded."""
        around, given = self.left, min(_MAX_STEPS, self._total)
        self.left = given
        try:
            yield
        finally:
            self._total -= given - self.left
            self.left = around

    def spend(self, steps: int) -> None:
        """Take steps of the evaluation under way.

        Raises:
            TooLongError: there are no more.
        """
        self.left -= steps
        if self.left < 0:
            raise TooLongError


class Listing(Generic[W]):
    """A list whose elements are in it in some cases only.

    `is_partial`: there may be further elements. `unknown` is the place of the expression that could not be evaluated.
    """

    __slots__ = ("is_partial", "items", "unknown")

    def __init__(
        self, items: Iterable[tuple[object, W]] = (), *, is_partial: bool = False, unknown: Place | None = None
    ) -> None:
        self.items = list(items)
        self.is_partial = is_partial or unknown is not None
        self.unknown = unknown


class Scope(Protocol):
    """The names that a file of Starlark defines."""

    path: str

    @property
    def package(self) -> str:
        """The folder of the BUILD file whose rules are evaluated."""

    def variable(self, name: str) -> object | None:
        """Return the value of a variable at the top of the file or of one that it loads; None if it is unknown."""

    def call_function(self, name: str, given: list[object], named: dict[str, object]) -> object | None:
        """Return the result of a function of the tree; None if it is unknown or cannot be evaluated."""

    def glob(self, included: Iterable[str], excluded: Iterable[str]) -> Iterable[str]:
        """Return the files of the package that patterns match."""
