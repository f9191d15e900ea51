"""The functions of a C++ file that never return: they end the process, throw, or always call a function that does.

`[[noreturn]]` is written at few of these functions, so their bodies are followed as well.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.cpp.blocks import name_of_function
from opspec_lint.cpp.endings import ControlFlowNames
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.reach import Reach
from opspec_lint.cpp.straight import ENDING_KEYWORDS
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.preprocessed import Code

_NO_RETURN = pattern(r"\b_*(?:N|n)oreturn_*\b")
_MARK = "oreturn"
_ATTRIBUTE = pattern(r"__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]", "s")
_END_OF_HEAD = pattern(r"[{;]")
_MAX_ROUNDS = 8
"""The longest chain of functions that call each other, of which the last one throws."""


@lru_cache(maxsize=64)
def ending_functions(code: Code) -> frozenset[str]:
    """Return the functions of a file that never return: they are declared so, or throw or end the process."""
    bare = code.bare
    keywords = [keyword for keyword in ENDING_KEYWORDS if keyword in bare]
    names: set[str] = set()
    declared = declared_ending(code)
    for _ in range(_MAX_ROUNDS):
        candidates = {
            block.start: (name, block)
            for keyword in keywords
            for at in occurrences(bare, keyword, 0, len(bare))
            if (block := code.blocks().function_around(at)) is not None and (name := _name_of(code, block)) not in names
        }
        ending = {name for name, block in candidates.values() if name and _never_returns(code, block, names)}
        ending |= declared - names
        if not ending:
            break
        names |= ending
        keywords = [*ending]
    return frozenset(names)


def _name_of(code: Code, function: Block) -> str:
    """Return the name of a function, "" if it has none."""
    return name_of_function(code.blocks().head(function))


def declared_ending(code: Code) -> set[str]:
    """Return the names of the functions that are declared not to return."""
    names: set[str] = set()
    # The word is rare, and the pattern, which begins with a boundary, is tried at every word.
    for match in _NO_RETURN.finditer(code.bare) if _MARK in code.bare else ():
        behind = _END_OF_HEAD.search(code.bare, match.end())
        head = code.bare[code.blocks().statement_start(match.start()) : behind.start() if behind is not None else None]
        names.add(name_of_function(_ATTRIBUTE.sub(" ", head)))
    return names - {""}


def _never_returns(code: Code, function: Block, known: Collection[str]) -> bool:
    """Return whether no way through a function leads to its end or a `return`."""
    if any(not _uses(text, known) for text in _returned_texts(code.bare[function.start : function.end])):
        return False
    names = ControlFlowNames(frozenset(known))
    try:
        reach = attempt(lambda: Reach(code, function.start + 1, function.end, lambda _: ALWAYS, control_names=names))
    except UnresolvedError:
        return False
    return reach.returns == NEVER


def _returned_texts(body: str) -> Iterator[str]:
    """Yield the expressions that a function returns, as texts."""
    for keyword in ("return", "co_return", "co_yield"):
        for at in occurrences(body, keyword, 0, len(body)):
            yield body[at + len(keyword) : body.find(";", at)]


def _uses(text: str, names: Collection[str]) -> bool:
    """Return whether a text has one of some names."""
    return any(True for name in names for _ in occurrences(text, name, 0, len(text)))
