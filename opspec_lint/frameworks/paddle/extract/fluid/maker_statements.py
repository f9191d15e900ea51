"""The statements of a maker: the environment of a program must not decide a declaration silently."""

from __future__ import annotations

from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.tokens import NAME
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.fluid.checking import may_leave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.statements import Jump
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Resolvers

_LEAVES = frozenset({"return", "throw", "goto", "break", "continue"})
_DECLARING = frozenset({"AddInput", "AddOutput"})
_CHANGES = frozenset({"=", "(", "{", "+=", "-=", "|=", "&=", "++", "--"})
"""The signs behind the name of a variable that a statement declares or changes."""
_DECIDED = "the environment of a program decides what it declares (`getenv`)"


class MakerStatements(Statements):
    """The statements of a function that declares arguments; `resolvers` counts the reads of the environment.

    The value in an environment without settings would be a guess: where it decides whether an argument is declared, the
    function is not evaluated.
    """

    def __init__(self, resolvers: Resolvers, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._resolvers = resolvers
        self._opened: list[tuple[str, int, int]] = []
        """The keyword and the range of each control statement that is being executed."""
        self._of_environment: set[str] = set()
        """The names whose values may come from the environment."""
        self._is_decided = False
        """Set if the environment decides what is declared: control statements that cannot be evaluated are skipped."""

    def _run_control(self, at: int, end: int) -> tuple[Jump | None, int]:
        outcome = super()._run_control(at, end)
        if self._is_decided:
            raise UnresolvedError(_DECIDED)
        return outcome

    def _run_keyword(self, keyword: str, at: int, end: int) -> Jump | None:
        self._opened.append((keyword, at, end))
        try:
            return super()._run_keyword(keyword, at, end)
        finally:
            self._opened.pop()

    def _condition(self, start: int, end: int) -> bool:
        reads = self._resolvers.environment_reads
        value = super()._condition(start, end)
        self._refuse_decision(reads, start, end)
        return value

    def _tested(self, start: int, end: int) -> Any:
        reads = self._resolvers.environment_reads
        value = super()._tested(start, end)
        self._refuse_decision(reads, start, end)
        return value

    def _run_simple(self, start: int, end: int) -> None:
        reads = self._resolvers.environment_reads
        super()._run_simple(start, end)
        if self._depends(reads, start, end):
            if self._is_leaving_check(start) or any(text in _DECLARING for _, text, _ in self._tokens[start:end]):
                raise UnresolvedError(_DECIDED)
            self._note_changes(start, end)

    def _refuse_decision(self, reads: int, start: int, end: int) -> None:
        """Raise UnresolvedError if a condition in tokens reads the environment, and decides what is declared.

        `reads` is the number of reads of the environment before the condition was evaluated.
        """
        if self._opened and self._depends(reads, start, end):
            if self._decides(*self._opened[-1]):
                self._is_decided = True
                raise UnresolvedError(_DECIDED)
            self._note_changes(*self._opened[-1][1:])

    def _depends(self, reads: int, start: int, end: int) -> bool:
        """Return whether the value of tokens depends on the environment, which was read `reads` times before."""
        names = self._of_environment | self._resolvers.environment_names
        return self._resolvers.environment_reads != reads or (
            bool(names) and any(text in names for _, text, _ in self._tokens[start:end])
        )

    def _note_changes(self, start: int, end: int) -> None:
        """Note that the variables that tokens declare or change depend on the environment."""
        tokens = self._tokens
        for at in range(start, min(end, len(tokens) - 1)):
            if tokens[at][0] == NAME and (tokens[at + 1][1] in _CHANGES or tokens[at - 1][1] in ("++", "--")):
                self._of_environment.add(tokens[at][1])

    def _decides(self, keyword: str, at: int, end: int) -> bool:
        """Return whether the branches of a control statement may declare an argument, or leave the function."""
        tokens = self._tokens
        inside = at + 1
        if keyword != "do":
            inside = tokens.closing(at + 2 if tokens[at + 1][1] == "constexpr" else at + 1) + 1
        # `break` in a loop leaves the loop, that in its branches may leave out an argument.
        leaves = any(
            (tokens[index][1] in _LEAVES and (keyword == "if" or tokens[index][1] not in ("break", "continue")))
            or self._is_leaving_check(index)
            for index in range(inside, end)
        )
        return leaves or self._effects.may_have_effect(tokens, inside, end)

    def _is_leaving_check(self, at: int) -> bool:
        """Return whether a macro that may leave the function is called at an index."""
        tokens = self._tokens
        return (
            tokens[at][0] == NAME
            and at + 2 < len(tokens)
            and tokens[at + 1][1] == "("
            and may_leave(tokens[at][1], tokens[at + 2][1])
        )
