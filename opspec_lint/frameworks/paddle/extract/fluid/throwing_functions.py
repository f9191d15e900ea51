"""The functions and constructors that a file of ops sees and that may throw: behind a call, nothing is certain."""

from __future__ import annotations

from opspec_lint.cpp.classes import defined_functions
from opspec_lint.cpp.ending_functions import ending_functions
from opspec_lint.cpp.straight import ENDING_KEYWORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opspec_lint.cpp.preprocessed import Code

_ENDS = ("PADDLE_", *ENDING_KEYWORDS)
"""Words of a function that may end by a check of Paddle, an exception, or the end of the process."""


class ThrowingFunctions:
    """The functions that may throw, by name; a name is searched once.

    Args:
        code_with: returns the files that a file of ops sees and that contain a name.
    """

    def __init__(self, code_with: Callable[[str], Iterable[Code]]) -> None:
        self._code_with = code_with
        self._functions: dict[str, bool] = {}
        self._constructors: dict[str, bool] = {}

    def has_function(self, name: str) -> bool:
        """Return whether a function of a name never returns, or may throw or end the process."""
        if name not in self._functions:
            self._functions[name] = any(
                name in ending_functions(code)
                or any(keyword in body for body in _bodies(code, name) for keyword in _ENDS)
                for code in self._code_with(name)
            )
        return self._functions[name]

    def has_constructor(self, name: str) -> bool:
        """Return whether a constructor of a class throws or ends the process, perhaps by its arguments."""
        if name not in self._constructors:
            self._constructors[name] = any(
                keyword in body
                for code in self._code_with(name)
                for body in _bodies(code, name)
                for keyword in ENDING_KEYWORDS
            )
        return self._constructors[name]


def _bodies(code: Code, name: str) -> Iterator[str]:
    """Yield the texts of the functions and constructors of a name that a file defines."""
    for function in defined_functions(code, name):
        yield code.bare[function.start : function.end]
