"""The statements of a maker: the environment of a program must not decide a declaration silently."""

from __future__ import annotations

from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.statements import Jump
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolvers

_LEAVES = frozenset({"return", "throw", "goto"})


class MakerStatements(Statements):
    """The statements of a function that declares arguments; `resolvers` counts the reads of the environment."""

    def __init__(self, resolvers: Resolvers, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._resolvers = resolvers
        self._opened: list[tuple[int, int]] = []
        """The ranges of the `if`s whose conditions come next, the innermost last."""

    def _run_if(self, at: int, end: int) -> Jump | None:
        self._opened.append((at, end))
        return super()._run_if(at, end)

    def _condition(self, start: int, end: int) -> bool:
        """Return the value of a condition; raise UnresolvedError if `getenv` decides whether an argument is declared.

        The value in an environment without settings would be a guess.
        """
        statement = self._opened.pop() if self._opened else None
        reads = self._resolvers.environment_reads
        value = super()._condition(start, end)
        if statement and self._resolvers.environment_reads != reads and self._decides(*statement):
            raise UnresolvedError("the environment of a program decides what it declares (`getenv`)")
        return value

    def _decides(self, at: int, end: int) -> bool:
        """Return whether the branches of an `if` may declare an argument, or leave the function."""
        tokens = self._tokens
        # `if (...)` or `if constexpr (...)`.
        opening = at + 2 if tokens[at + 1][1] == "constexpr" else at + 1
        branches = tokens.closing(opening) + 1
        leaves = any(tokens[index][1] in _LEAVES for index in range(branches, end))
        return leaves or self._effects.may_have_effect(tokens, branches, end)
