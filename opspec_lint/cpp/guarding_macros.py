"""The macros of a C++ file that decide whether the code beside them is executed: `#define ONLY_ONCE if (is_first)`."""

from __future__ import annotations

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.operands import SKIPPING
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.preprocessed import Code, Macro
    from opspec_lint.spec.condition import Condition

_KEYWORDS = frozenset(
    {"true", "false", "if", "else", "for", "while", "do", "switch", "case", "return", "break", "goto"}
)
_TOKEN = pattern(r"[A-Za-z_]\w*|&&|\|\||[?{}]")
_BRANCHING = frozenset({"if", "else", "for", "while", "switch", "case", *SKIPPING})
_ONCE = pattern(r"\bdo\b(.*)\bwhile\s*\(\s*(?:0|false)\s*\)\s*;?\s*", "s")
_DANGLING = pattern(r"(?:.*[;{}])?\s*(?:else|(?:else\s+)?(?:if|for|while|switch)\b[^;{}]*\))\s*", "s")
"""A body whose last statement is the one behind the macro."""
_MAX_TAIL = 2000
"""Characters at the end of a body in which its last statement is searched, as the time grows with their square."""
_IF = pattern(r"\s*if\s*(?:constexpr\s*)?\(([^()]*)\)\s*", "s")
_CONSTANTS = {"0": NEVER, "false": NEVER, "1": ALWAYS, "true": ALWAYS}


def guarding_macros(code: Code) -> dict[str, tuple[Condition, bool]]:
    """Return the macros that may skip code: the condition of this code, and whether it is only their arguments.

    Raises:
        UnresolvedError: a macro replaces a keyword.
    """
    guards: dict[str, tuple[Condition, bool]] = {}
    for *_, name, macro in code.directives:
        if macro is None:
            continue
        if name in _KEYWORDS and macro.body.strip() != name:
            raise UnresolvedError(f"a macro replaces `{name}`")
        _, body = blank_comments(macro.body)
        condition = _condition_behind(name, body)
        if condition != ALWAYS:
            guards[name] = condition, False
        elif _may_skip_arguments(macro, body):
            guards[name] = requirement(f"the macro `{name}` executes its arguments"), True
    return guards


def _condition_behind(name: str, body: str) -> Condition:
    """Return the condition under which the statement behind a macro is executed."""
    if not _DANGLING.fullmatch(body[-_MAX_TAIL:]) or _ONCE.fullmatch(body):
        return ALWAYS
    tested = _IF.fullmatch(body)
    if tested is None:
        return requirement(f"the macro `{name}` executes the statement behind it")
    return _CONSTANTS.get(tested[1].strip(), requirement(" ".join(tested[1].split())))


def _may_skip_arguments(macro: Macro, body: str) -> bool:
    """Return whether a macro has a parameter behind something that decides whether it is executed."""
    once = _ONCE.fullmatch(body)
    tokens = _TOKEN.findall(body if once is None else once[1])
    first = next((index for index, token in enumerate(tokens) if token in _BRANCHING), len(tokens))
    names = {name.strip().removesuffix("...").strip() or "__VA_ARGS__" for name in macro.parameters or ()}
    return not names.isdisjoint(tokens[first:])
