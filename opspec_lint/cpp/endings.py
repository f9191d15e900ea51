"""The calls of a C++ file that never return: they end the process or throw, and so does what calls them always.

`[[noreturn]]` is written at few of these functions, so their bodies are followed as well.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.cpp.blocks import FUNCTION
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.straight import ENDING_KEYWORDS, PROCESS_ENDS
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.spec.condition import Condition

_LEAVING = frozenset({"return", "co_return", "throw", "goto", "break", "continue", *PROCESS_ENDS})
_NAME_OF_FUNCTION = pattern(r"(~?\w+)\s*\(")
_NO_RETURN = pattern(r"\b_*(?:N|n)oreturn_*\b")
_ATTRIBUTE = pattern(r"__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]", "s")
_END_OF_HEAD = pattern(r"[{;]")
_IDENTIFIER = pattern(r"[A-Za-z_]\w*")
_BEFORE_STATEMENT = pattern(r"(?:\s|[{(]|\bdo\b|\bstd\b|::|\bvoid\s*\))*")
_REFUSING = pattern(r"(?=[A-Z])[A-Z0-9_]*(?:THROW|ABORT|FATAL|UNREACHABLE|NOT_REACHED|PANIC)[A-Z0-9_]*")
"""Macros of other files that leave a function, by the words that their names use for it."""
_CHECKING = pattern(r"(?=[A-Z])[A-Z0-9_]*(?:CHECK|ASSERT|ENFORCE|VERIFY)[A-Z0-9_]*|assert")
"""Macros of other files that leave a function if their argument is false."""
_MAX_ROUNDS = 8
"""Functions that call each other before one that throws."""


def called_name(texts: Sequence[str], at: int) -> str:
    """Return the name that a statement calls, without the names that qualify it; "" if it begins otherwise."""
    at += texts[at : at + 1] == ["::"]
    while texts[at + 1 : at + 2] == ["::"]:
        at += 2
    return texts[at] if texts[at + 1 : at + 2] == ["("] else ""


def foreign_macro_condition(name: str, *, is_false: bool) -> Condition:
    """Return the condition under which the statements behind a macro of another file are reached.

    `is_false` is whether the argument of the macro is false.
    """
    refuses = _REFUSING.fullmatch(name) is not None or (is_false and _CHECKING.fullmatch(name) is not None)
    return requirement(f"`{name}` does not leave the function") if refuses else ALWAYS


def is_check(name: str) -> bool:
    """Return whether a macro leaves a function if its argument is false, by its name."""
    return _CHECKING.fullmatch(name) is not None


def ending_macros(code: Code) -> dict[str, Condition]:
    """Return the macros of a file that leave the function in which they are used, each with the opposite condition."""
    macros: dict[str, Condition] = {}
    for *_, name, macro in code.directives:
        if macro is None or _LEAVING.isdisjoint(_IDENTIFIER.findall(macro.body)):
            continue
        before = _BEFORE_STATEMENT.match(macro.body)
        first = _IDENTIFIER.match(macro.body, before.end() if before is not None else 0)
        is_certain = first is not None and first[0] in _LEAVING
        macros[name] = NEVER if is_certain else requirement(f"the macro `{name}` does not leave the function")
    return macros


@lru_cache(maxsize=64)
def ending_functions(code: Code) -> frozenset[str]:
    """Return the functions of a file that never return: they are declared so, or throw or end the process."""
    bare = code.bare
    keywords = [keyword for keyword in ENDING_KEYWORDS if keyword in bare]
    names: set[str] = set()
    for _ in range(_MAX_ROUNDS):
        candidates = {
            block.start: (name, block)
            for keyword in keywords
            for at in occurrences(bare, keyword, 0, len(bare))
            if (block := _function_around(code, at)) is not None and (name := _name_of(code, block)) not in names
        }
        ending = {name for name, block in candidates.values() if name and _never_returns(code, block, names)}
        ending |= _declared(code) - names if not names else set()
        if not ending:
            break
        names |= ending
        keywords = [*ending]
    return frozenset(names)


def _function_around(code: Code, offset: int) -> Block | None:
    """Return the outermost function around an offset."""
    block = code.blocks().at(offset)
    functions = [around for around in block.around() if around.kind == FUNCTION] if block is not None else []
    return functions[-1] if functions else None


def _name_of(code: Code, function: Block) -> str:
    """Return the name of a function, "" if it has none."""
    start = code.blocks().statement_start(function.start - 1)
    match = _NAME_OF_FUNCTION.search(code.bare, start, function.start)
    return match[1] if match is not None else ""


def _declared(code: Code) -> set[str]:
    """Return the names of the functions that are declared not to return."""
    names: set[str] = set()
    for match in _NO_RETURN.finditer(code.bare):
        behind = _END_OF_HEAD.search(code.bare, match.end())
        head = code.bare[code.blocks().statement_start(match.start()) : behind.start() if behind is not None else None]
        named = _NAME_OF_FUNCTION.search(_ATTRIBUTE.sub(" ", head))
        names |= {named[1]} if named is not None else set()
    return names


def _never_returns(code: Code, function: Block, known: Collection[str]) -> bool:
    """Return whether no way through a function leads to its end or a `return`."""
    from opspec_lint.cpp.reach import Reach

    body = code.bare[function.start : function.end]
    returns = ("return", "co_return", "co_yield")
    if any(True for keyword in returns for _ in occurrences(body, keyword, 0, len(body))):
        return False
    try:
        reach = attempt(
            lambda: Reach(code, function.start + 1, function.end, lambda _: ALWAYS, ending=frozenset(known))
        )
    except UnresolvedError:
        return False
    return reach.end == NEVER
