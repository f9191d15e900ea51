"""The variables of a function, which hide outer names."""

from __future__ import annotations

from opspec_lint.cpp.expressions import construct
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import convert

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.type_names import CType


class Variable:
    """A variable: its type, and its value, which is an `UnresolvedError` if it is unknown.

    `is_fixed` is true if a reference or pointer may change it, so that assignments cannot be executed.
    """

    __slots__ = ("is_fixed", "kind", "value")

    def __init__(self, value: Any, kind: CType | None) -> None:
        self.value = value
        self.kind = kind
        self.is_fixed = False

    def forget(self, error: UnresolvedError) -> None:
        """Make the value unknown; an earlier reason is kept."""
        if not isinstance(self.value, UnresolvedError):
            self.value = error


class Variables:
    """The variables of a function, by block. An unknown one raises its error when it is used.

    `outer` resolves the names outside of the function, `aliases` are local names of types.
    """

    def __init__(self, outer: NameResolver) -> None:
        self.outer = outer
        self.aliases: dict[str, str] = {}
        self._blocks: list[dict[str, Variable]] = [{}]

    def enter(self) -> None:
        """Begin a block."""
        self._blocks.append({})

    def leave(self) -> None:
        """End a block, and drop its variables."""
        self._blocks.pop()

    def find(self, name: str) -> Variable | None:
        """Return the variable of a name, None if the function has none."""
        return next((block[name] for block in reversed(self._blocks) if name in block), None)

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a variable, or of a name outside of the function."""
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
                text = " ".join(value if token == alias else token for token in _token_texts(text))
        return self.outer.type_text(text)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return the result of a function."""
        if not qualifiers and self.find(name) is not None:
            raise UnresolvedError(f"the call of the variable {name} is not evaluated")
        if not qualifiers and name in self.aliases:
            return construct(c_type(self.aliases[name], self), arguments)
        return self.outer.call(qualifiers, name, arguments)

    def declare(self, name: str, value: Any, kind: CType | None) -> Variable:
        """Add a variable to the innermost block."""
        self._blocks[-1][name] = variable = Variable(value, kind)
        return variable

    def assign(self, name: str, value: Any) -> None:
        """Assign a value to a variable.

        Raises:
            UnresolvedError: the variable does not exist, or is fixed.
        """
        variable = self.find(name)
        if variable is None or variable.is_fixed:
            raise UnresolvedError(f"the variable {name} is changed in a way that is not evaluated")
        variable.value = convert(value, variable.kind)

    def forget_known(self, tokens: Tokens, start: int, end: int) -> None:
        """Make the variables unknown that a range of tokens names, as it may have changed them."""
        for kind, text, _ in tokens[start:end]:
            variable = self.find(text) if kind == NAME else None
            if variable is not None:
                variable.forget(UnresolvedError(f"the variable {text} is changed in a way that is not evaluated"))

    def _fixed_variables(self) -> list[Variable]:
        return [variable for block in self._blocks for variable in block.values() if variable.is_fixed]

    def forget(self, tokens: Tokens, start: int, end: int) -> None:
        """Make the variables unknown that a statement may have changed or declared."""
        for at in range(start, end):
            kind, text, _ = tokens[at]
            if kind != NAME or tokens[at - 1][1] in (".", "->", "::"):
                continue
            error = UnresolvedError(f"the variable {text} is changed in a way that is not evaluated")
            variable = self.find(text)
            if variable is not None:
                variable.forget(error)
                # A reference may be an alias of any variable that a reference was made to.
                if variable.is_fixed:
                    for fixed in self._fixed_variables():
                        fixed.forget(error)
            elif at + 1 >= end or tokens[at + 1][1] not in ("(", "::", "<"):
                # The statement may declare it, and hide an outer name.
                self.declare(text, error, None)


def _token_texts(text: str) -> list[str]:
    return [text_of_token for _, text_of_token, _ in tokenize(text, 0, len(text))]
