"""The conditions under which a file executes the registrations in its functions.

Most files register ops outside of functions only, where a registration is always executed.
"""

from __future__ import annotations

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

_CALLED_AT_LOAD = pattern(r"\b__attribute__\s*\(\s*\(\s*constructor\b|\[\[\s*gnu\s*::\s*constructor\b")
"""Attributes of a function that the loader of a library calls."""


class FunctionCalls:
    """The conditions under which the functions of a file are called, and their statements executed.

    Args:
        file: the file.
        defined: the macros that the build defines.
    """

    def __init__(self, file: CppFile, defined: Mapping[str, str]) -> None:
        self._live = Liveness(file, defined)

    def of_function(self, offset: int) -> Condition:
        """Return the condition under which the function around an offset is called."""
        return self._live.enter(offset, _load_condition)

    def of_statement(self, offset: int) -> Condition:
        """Return the condition under which a statement in a function is executed."""
        called = self.of_function(offset)
        reached_if, _ = self._live.at(offset)
        condition = conjunction(called, reached_if)
        if condition != NEVER and self._live.unread:
            line, reason = self._live.unread[0]  # each of them alone makes the condition unknown
            return conjunction(condition, requirement(f"line {line}, which cannot be followed, reaches it ({reason})"))
        return condition


def _load_condition(head: str, scope: tuple[str, ...]) -> Condition | None:  # noqa: ARG001 - the namespace does not matter
    """Return ALWAYS for a function that the loader of a library calls, None for one that needs a caller."""
    return ALWAYS if _CALLED_AT_LOAD.search(head) else None
