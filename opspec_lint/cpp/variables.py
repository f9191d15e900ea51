"""The variables of a function, block by block, before the names around it."""

from __future__ import annotations

from opspec_lint.cpp.expressions import constructed
from opspec_lint.cpp.tokens import NAME, tokens
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.expressions import Names
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.type_names import CType


class Variable:
    """A variable: its value (an `UnresolvedError` where it cannot be told) and its type."""

    __slots__ = ("is_fixed", "kind", "value")

    def __init__(self, value: Any, kind: CType | None) -> None:
        self.value = value
        self.kind = kind
        self.is_fixed = False

    def forget(self, error: UnresolvedError) -> None:
        """Take in that the value cannot be told; what kept it from that before remains the reason."""
        if not isinstance(self.value, UnresolvedError):
            self.value = error


class Variables:
    """The variables of a function. One that cannot be evaluated is so when it is used.

    Args:
        outer: what names mean around the function.
    """

    def __init__(self, outer: Names) -> None:
        self.outer = outer
        self.aliases: dict[str, str] = {}
        self._blocks: list[dict[str, Variable]] = [{}]

    def enter(self) -> None:
        """Begin a block."""
        self._blocks.append({})

    def leave(self) -> None:
        """End a block: its variables are gone."""
        self._blocks.pop()

    def find(self, name: str) -> Variable | None:
        """Return the variable of a name, None where the function has none."""
        return next((block[name] for block in reversed(self._blocks) if name in block), None)

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a variable, or of a name around the function."""
        variable = None if qualifiers else self.find(name)
        if variable is None:
            return self.outer.constant(qualifiers, name)
        if isinstance(variable.value, UnresolvedError):
            raise variable.value
        return variable.value

    def type_text(self, text: str) -> str:
        """Return a type with aliases and template parameters replaced."""
        for alias, value in self.aliases.items():
            if alias in text:
                text = " ".join(value if word == alias else word for word in _words(text))
        return self.outer.type_text(text)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """The result of a function."""
        if not qualifiers and self.find(name) is not None:
            raise UnresolvedError(f"the call of the variable {name} is not followed")
        if not qualifiers and name in self.aliases:
            return constructed(c_type(self.aliases[name], self), arguments)
        return self.outer.call(qualifiers, name, arguments)

    def declare(self, name: str, value: Any, kind: CType | None) -> Variable:
        """Take in a variable of the innermost block."""
        self._blocks[-1][name] = variable = Variable(value, kind)
        return variable

    def assign(self, name: str, value: Any) -> None:
        """Give a variable another value.

        Raises:
            UnresolvedError: the variable does not exist, or its value is not followed.
        """
        variable = self.find(name)
        if variable is None or variable.is_fixed:
            raise UnresolvedError(f"the variable {name} is changed in a way that is not followed")
        variable.value = held(value, variable.kind)

    def forget_known(self, words: Tokens, start: int, end: int) -> None:
        """Take in that a value which is not followed may have changed the variables that it names."""
        for kind, text, _ in words[start:end]:
            variable = self.find(text) if kind == NAME else None
            if variable is not None:
                variable.forget(UnresolvedError(f"the variable {text} is changed in a way that is not followed"))

    def _fixed(self) -> list[Variable]:
        return [each for block in self._blocks for each in block.values() if each.is_fixed]

    def forget(self, words: Tokens, start: int, end: int) -> None:
        """Take in that a statement may have changed or declared the variables that it names."""
        for at in range(start, end):
            kind, text, _ = words[at]
            if kind != NAME or words[at - 1][1] in (".", "->", "::"):
                continue
            error = UnresolvedError(f"the variable {text} is changed in a way that is not followed")
            variable = self.find(text)
            if variable is not None:
                variable.forget(error)
                if variable.is_fixed:  # it may be another name of any of those
                    for other in self._fixed():
                        other.forget(error)
            elif at + 1 >= end or words[at + 1][1] not in ("(", "::", "<"):
                self.declare(text, error, None)  # the statement may declare it, and hide a name around the function


def _words(text: str) -> list[str]:
    return [word for _, word, _ in tokens(text, 0, len(text))]
