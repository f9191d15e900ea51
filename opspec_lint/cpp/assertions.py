"""The assertions of a C++ file that fail, so that no compiler accepts the file: `static_assert(sizeof(char) == 2)`."""

from __future__ import annotations

from opspec_lint.cpp.blocks import TEMPLATE_HEAD
from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.file_names import FileNames
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.tokens import closing_parenthesis, split_arguments, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.values import truth
from opspec_lint.cpp.variables import Variables
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.preprocessed import Code

_KEYWORD = "static_assert"
_PARENTHESIS = pattern(r"\s*\(")


def is_refused(code: Code) -> bool:
    """Return whether no compiler accepts a file, as one of its assertions fails."""
    return _KEYWORD in code.bare and any(True for _ in failed_assertions(code))


def failed_assertions(code: Code) -> Iterator[int]:
    """Yield the offsets of the assertions that fail; one with an unknown value counts as true."""
    for at in occurrences(code.bare, _KEYWORD, 0, len(code.bare)):
        if not _may_be_discarded(code, at):
            try:
                holds = attempt(lambda at=at: _holds(code, at + len(_KEYWORD)))  # type: ignore[misc]
            except UnresolvedError:
                continue
            if not holds:
                yield at


def _may_be_discarded(code: Code, at: int) -> bool:
    """Return whether an assertion counts only where a template is instantiated, or in a branch of `if constexpr`."""
    block = code.blocks().at(at)
    heads = (code.blocks().head(around) for around in (() if block is None else block.around()))
    return any(TEMPLATE_HEAD.search(head) or "constexpr" in head or "[" in head for head in heads)


def _holds(code: Code, behind: int) -> bool:
    """Return whether the assertion whose keyword ends at an offset is true.

    Raises:
        UnresolvedError: its value is unknown.
    """
    opening = _PARENTHESIS.match(code.bare, behind)
    if opening is None:
        return True
    tokens = tokenize(code.text, opening.end(), closing_parenthesis(code.bare, opening.end() - 1))
    arguments = split_arguments(tokens, 0, len(tokens))
    return not arguments or truth(evaluate(tokens, *arguments[0], Variables(FileNames(code))))
