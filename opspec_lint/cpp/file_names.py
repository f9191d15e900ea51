"""The constants that a C++ file declares outside of functions, evaluated without the other files of the tree."""

from __future__ import annotations

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.declarations import CONSTANT, declarations
from opspec_lint.cpp.effects import NoEffects
from opspec_lint.cpp.expressions import NoNames
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variables import Variables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.preprocessed import Code


class FileNames(NoNames):
    """The resolver of constants that a file declares outside of functions."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._busy: set[str] = set()

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant of the file.

        Raises:
            UnresolvedError: the file declares no such constant, or its value is unknown.
        """
        constants = [declared for declared in declarations(self._code, name) if declared.kind == CONSTANT]
        if len(constants) != 1 or name in self._busy:
            raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")
        end = self._code.bare.find(";", constants[0].offset)
        tokens = tokenize(self._code.text, constants[0].start, end if end >= 0 else len(self._code.text))
        environment = Variables(self)
        self._busy.add(name)
        try:
            Assignments(tokens, environment, NoEffects()).follow(0, len(tokens))
            if environment.find(name) is None:
                raise UnresolvedError(f"the declaration of {name} has no known value")
            return environment.constant((), name)
        finally:
            self._busy.discard(name)
