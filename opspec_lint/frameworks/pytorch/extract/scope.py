"""The scope of a statement that may register ops: the library variable, and the known strings and conditions."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, conjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.pytorch.extract.called import Call
    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Texts
    from opspec_lint.spec.condition import Condition


class Scope(Record):
    """A block of code in which a variable is a library.

    `known` are the strings of parameters and loop variables. `place` is the file and line of the call that passes them:
    ops get the place of the call, not of the function; None outside of functions. `condition` is the condition of
    the library block and of the calls that lead here; `call` is the last call.
    """

    source: CppSource
    namespace: str
    variable: str
    known: Mapping[str, Texts]
    place: tuple[str, int] | None = None
    condition: Condition = ALWAYS
    call: Call | None = None
    depth: int = 0

    def condition_at(self, index: int) -> tuple[Condition, int | None]:
        """Return the condition under which a statement is executed, and the line that states it."""
        condition, cause = self.source.conditions.at(self.source.tokens[index][2])
        if self.call is not None:
            condition = self.call.inside(condition)
        return conjunction(self.condition, condition), cause
