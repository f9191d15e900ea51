"""Execution of C++ functions that register ops by REGISTER_OP or OpDefBuilder, such as in a loop over a table."""

from __future__ import annotations

from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.tensorflow.extract.source.macros import REGISTERING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables

    Build = Callable[[Tokens, int, int, int], None]
    """Builds an op of tokens: the index of the parenthesis before its name, and the range of the calls after it."""

BUILDER, MARK = "OpDefBuilder", "OpRegistry"
_END = "Finalize"


def build_registered_ops(code: Code, block: Block, here: Variables, steps: StepLimit, build: Build) -> None:
    """Execute the statements of a function, and call `build` for each op that they register.

    Raises UnresolvedError if a statement that may register an op cannot be executed.
    """
    tokens = tokenize(code.text, block.start + 1, block.end)
    Statements(tokens, code, here, steps, _Registering(build), is_void=True).run()


class _Registering:
    """Statement handler that builds the ops that expressions register."""

    def __init__(self, build: Build) -> None:
        self._build = build

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:
        """Build the op that an expression registers; return False if it registers none."""
        if tokens[start][1] in REGISTERING and tokens[start + 1][1] == "(":
            self._build(tokens, start + 1, tokens.closing(start + 1) + 1, end)
            return True
        if MARK not in (text for _, text, _ in tokens[start:end]):
            return False
        builders = [at for at in range(start, end - 1) if tokens[at][1] == BUILDER and tokens[at + 1][1] == "("]
        if len(builders) != 1:
            raise UnresolvedError("what is given to OpRegistry is not one OpDefBuilder")
        opening = builders[0] + 1
        # The methods are those before Finalize, which ends the chain without an effect on the op.
        behind = stop = tokens.closing(opening) + 1
        while tokens[stop][1] == "." and tokens[stop + 1][1] != _END and tokens[stop + 2][1] == "(":
            stop = tokens.closing(stop + 2) + 1
        self._build(tokens, opening, behind, stop)
        return True

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        """Return whether statements may register an op, so that they must not be skipped."""
        names = (text for kind, text, _ in tokens[start:end] if kind == NAME)
        return any(name in REGISTERING or name in (BUILDER, MARK) for name in names)
