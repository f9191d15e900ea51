"""The macros of a C++ file that decide whether the code beside them is executed: `#define ONLY_ONCE if (is_first)`."""

from __future__ import annotations

import sys
from typing import NamedTuple

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.macro import Macro
from opspec_lint.cpp.macros import Expander
from opspec_lint.cpp.operands import SKIPPING
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
_CONSTANTS = {"0": NEVER, "false": NEVER, "1": ALWAYS, "true": ALWAYS}


class Guard(NamedTuple):
    """The condition under which a macro executes its arguments; if not `is_for_arguments`, the statement behind it.

    It counts between the first definition of the macro and the last removal, at the offsets `since` and `until`.
    `covers_name`: the condition is also the one of what the macro itself executes.
    """

    condition: Condition
    is_for_arguments: bool
    since: int = 0
    until: int = sys.maxsize
    covers_name: bool = False

    def counts_at(self, offset: int) -> bool:
        """Return whether the macro is defined at an offset."""
        return self.since <= offset < self.until


_NO_GUARD = Guard(ALWAYS, is_for_arguments=True)
_DROPPED = Guard(NEVER, is_for_arguments=True)


def guarding_macros(code: Code, is_compiled: Callable[[int], Condition] = lambda _: ALWAYS) -> dict[str, Guard]:
    """Return the macros that may skip code, each with what it guards.

    `is_compiled` returns the condition under which the directive at an offset counts.

    Raises:
        UnresolvedError: a macro replaces a keyword.
    """
    guards: dict[str, Guard] = {}
    known: set[str] = set()
    removed: set[str] = set()
    for at, _, name, macro in code.directives:
        if macro is None:
            removed.add(name)
            continue
        if name in _KEYWORDS and macro.body.strip() != name:
            raise UnresolvedError(f"a macro replaces `{name}`")
        before = guards.get(name, _NO_GUARD)
        guard = _guard(name, _with_macros_expanded(macro, code))
        if name in known and guard != before:
            # Which definition counts depends on the build, or behind `#undef` on the place.
            text = f"the macro `{name}` of this place executes its arguments"
            in_turn = Guard(requirement(text), is_for_arguments=True)
            guard = in_turn if name in removed else _unknown_arguments(name)
        elif guard.condition == NEVER and guard.is_for_arguments:
            guard = guard._replace(condition=negation(is_compiled(at)))
        known.add(name)
        if guard != _NO_GUARD:
            guards[name] = guard
    first = {name: at for at, _, name, macro in reversed(code.directives) if macro is not None}
    last = {
        name: (at, macro) for at, _, name, macro in code.directives if macro is not None or is_compiled(at) == ALWAYS
    }
    until = {name: at for name, (at, macro) in last.items() if macro is None}
    return {
        name: guard._replace(since=first[name], until=until.get(name, sys.maxsize)) for name, guard in guards.items()
    }


def _guard(name: str, macro: Macro) -> Guard:
    """Return what a definition of a macro guards."""
    _, body = blank_comments(macro.body)
    condition = _condition_behind(name, body)
    if condition is not None:
        return Guard(condition, is_for_arguments=False)
    if _may_skip_arguments(macro, body):
        return _unknown_arguments(name)
    # What the macro itself executes has the offset of its name: arguments that it drops are behind that.
    return _DROPPED._replace(covers_name=not body.strip()) if drops_arguments(macro) else _NO_GUARD


def _unknown_arguments(name: str) -> Guard:
    """Return the guard of a macro that may skip its arguments."""
    condition = requirement(f"the macro `{name}` executes its arguments")
    return Guard(condition, is_for_arguments=True, covers_name=True)


def _with_macros_expanded(macro: Macro, code: Code) -> Macro:
    """Return a macro with the macros in its body expanded, as one of these may drop the arguments."""
    names = {text for text in _NAME.findall(macro.body) if text != macro.name} if macro.parameters else set()
    inner: dict[str, list[Macro]] = {}
    for *_, name, defined in code.directives if names else ():
        if defined is not None and defined.parameters:
            inner.setdefault(name, []).append(defined)
    if names.isdisjoint(inner):
        return macro
    # A macro with several definitions may be any of them.
    single = {name: definitions[0] for name, definitions in inner.items() if len(definitions) == 1}
    try:
        body = Expander(lambda name: single.get(name) if name != macro.name else None).expand(macro.body)
    except UnresolvedError:
        return macro
    return Macro(macro.name, macro.parameters, body, macro.path)


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
    tokens: Tokens, at: int, stop: int, guards: Mapping[str, Guard]
) -> Iterator[tuple[int, int, Condition, int]]:
    """Yield the tokens of a statement that its macros may skip: their range, their condition, the index of the macro.

    `guards` are the macros (`guarding_macros`), which may skip their arguments or the statement.
    """
    for index in range(at, stop) if guards else ():
        name = tokens[index][1]
        guard = guards.get(name, _NO_GUARD)
        if guard.condition == ALWAYS or not guard.counts_at(tokens[index][2]):
            continue
        if not guard.is_for_arguments:
            yield at, stop, guard.condition, index
        elif index + 1 < len(tokens) and tokens[index + 1][1] == "(":
            start = index if guard.covers_name else index + 1
            yield start, tokens.closing(index + 1), guard.condition, index


def drops_arguments(macro: Macro) -> bool:
    """Return whether a macro has parameters, and executes no argument; `#x` is a text."""
    _, body = blank_comments(macro.body)
    names = _parameter_names(macro)
    return bool(names) and names.isdisjoint(_NAME.findall(_AS_TEXT.sub("", body)))


def _parameter_names(macro: Macro) -> set[str]:
    """Return the names of the parameters of a macro in its body."""
    return {name.strip().removesuffix("...").strip() or "__VA_ARGS__" for name in macro.parameters or ()}
