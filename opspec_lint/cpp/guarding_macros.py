"""The macros of a C++ file that decide whether the code beside them is executed: `#define ONLY_ONCE if (is_first)`."""

from __future__ import annotations

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.operands import SKIPPING
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

_KEYWORDS = frozenset(
    {"true", "false", "if", "else", "for", "while", "do", "switch", "case", "return", "break", "goto"}
)
_TOKEN = pattern(r"[A-Za-z_]\w*|&&|\|\||[?{}]")
_NAME = pattern(r"[A-Za-z_]\w*")
_AS_TEXT = pattern(r"(?<!#)#\s*[A-Za-z_]\w*")
_BRANCHING = frozenset({"if", "else", "for", "while", "switch", "case", *SKIPPING})
_ONCE = pattern(r"\bdo\b(.*)\bwhile\s*\(\s*(?:0|false)\s*\)\s*;?\s*", "s")
_DANGLING = pattern(r"(?:.*[;{}])?\s*(?:else|(?:else\s+)?(?:if|for|while|switch)\b[^;{}]*\))\s*", "s")
"""A body whose last statement is the one behind the macro."""
_MAX_TAIL = 2000
"""Characters at the end of a body in which its last statement is searched, as the time grows with their square."""
_IF = pattern(r"\s*if\s*(?:constexpr\s*)?\(([^()]*)\)\s*", "s")
_NO_GUARD: tuple[Condition, bool] = (ALWAYS, True)
_CONSTANTS = {"0": NEVER, "false": NEVER, "1": ALWAYS, "true": ALWAYS}


def guarding_macros(
    code: Code, is_compiled: Callable[[int], Condition] = lambda _: ALWAYS
) -> dict[str, tuple[Condition, bool]]:
    """Return the macros that may skip code: the condition of this code, and whether it is only their arguments.

    `is_compiled` returns the condition under which the directive at an offset counts.

    Raises:
        UnresolvedError: a macro replaces a keyword.
    """
    guards: dict[str, tuple[Condition, bool]] = {}
    known: set[str] = set()
    removed: set[str] = set()
    for at, _, name, macro in code.directives:
        if macro is None:
            removed.add(name)
            continue
        if name in _KEYWORDS and macro.body.strip() != name:
            raise UnresolvedError(f"a macro replaces `{name}`")
        before = guards.get(name, _NO_GUARD)
        guard = _guard(name, macro)
        if name in known and guard != before:
            # Which definition counts depends on the build, or behind `#undef` on the place.
            in_turn = requirement(f"the macro `{name}` of this place executes its arguments"), True
            guard = in_turn if name in removed else unknown_arguments(name)
        elif guard[0] == NEVER and guard[1]:
            guard = negation(is_compiled(at)), True
        known.add(name)
        if guard != _NO_GUARD:
            guards[name] = guard
    return guards


def _guard(name: str, macro: Macro) -> tuple[Condition, bool]:
    """Return the condition of the code that a macro may skip, and whether this code is only its arguments."""
    _, body = blank_comments(macro.body)
    condition = _condition_behind(name, body)
    if condition is not None:
        return condition, False
    if _may_skip_arguments(macro, body):
        return unknown_arguments(name)
    return (NEVER, True) if drops_arguments(macro) else _NO_GUARD


def unknown_arguments(name: str) -> tuple[Condition, bool]:
    """Return the guard of a macro that may skip its arguments."""
    return requirement(f"the macro `{name}` executes its arguments"), True


def _condition_behind(name: str, body: str) -> Condition | None:
    """Return the condition under which a macro executes the statement behind it; None if it has no open statement."""
    if not _DANGLING.fullmatch(body[-_MAX_TAIL:]) or _ONCE.fullmatch(body):
        return None
    tested = _IF.fullmatch(body)
    if tested is None:
        return requirement(f"the macro `{name}` executes the statement behind it")
    return _CONSTANTS.get(tested[1].strip(), requirement(" ".join(tested[1].split())))


def _may_skip_arguments(macro: Macro, body: str) -> bool:
    """Return whether a macro has a parameter behind something that decides whether it is executed."""
    once = _ONCE.fullmatch(body)
    tokens = _TOKEN.findall(body if once is None else once[1])
    first = next((index for index, token in enumerate(tokens) if token in _BRANCHING), len(tokens))
    return not _parameter_names(macro).isdisjoint(tokens[first:])


def guarded_ranges(
    tokens: Tokens, at: int, stop: int, guards: Mapping[str, tuple[Condition, bool]]
) -> Iterator[tuple[int, int, Condition, int]]:
    """Yield the tokens of a statement that its macros may skip: their range, their condition, the index of the macro.

    `guards` are the macros (`guarding_macros`), which may skip their arguments or the statement.
    """
    for index in range(at, stop) if guards else ():
        name = tokens[index][1]
        condition, is_for_arguments = guards.get(name, _NO_GUARD)
        if condition == ALWAYS:
            continue
        if not is_for_arguments:
            yield at, stop, condition, index
        elif index + 1 < len(tokens) and tokens[index + 1][1] == "(":
            # What the macro itself executes has the offset of its name: arguments that it drops are behind that.
            start = index + ((condition, True) != unknown_arguments(name))
            yield start, tokens.closing(index + 1), condition, index


def drops_arguments(macro: Macro) -> bool:
    """Return whether a macro has parameters, and executes no argument; `#x` is a text."""
    _, body = blank_comments(macro.body)
    names = _parameter_names(macro)
    return bool(names) and names.isdisjoint(_NAME.findall(_AS_TEXT.sub("", body)))


def _parameter_names(macro: Macro) -> set[str]:
    """Return the names of the parameters of a macro in its body."""
    return {name.strip().removesuffix("...").strip() or "__VA_ARGS__" for name in macro.parameters or ()}
