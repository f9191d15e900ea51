"""Lists of Starlark with the cases in which they have an element, and the names and cases that an evaluation needs."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Place = tuple[str, int]
    """The path of a file, and a line in it."""

W = TypeVar("W")
"""A set of cases, such as the builds that have a source."""


class Cases(Protocol[W]):
    """The algebra of cases."""

    every: W

    def where(self, setting: str) -> W:
        """Return the cases in which a setting of `select`, or a function such as `if_cuda`, is true."""

    def both(self, first: W, second: W) -> W:
        """Return the cases that are in two sets."""

    def without(self, first: W, second: W) -> W:
        """Return the cases of the first set that are not in the second."""


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
