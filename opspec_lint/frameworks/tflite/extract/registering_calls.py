"""The calls of `AddBuiltin` and `AddCustom` in the code of a resolver, also within larger expressions."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.preprocessed import Code

CALL = pattern(r"\bAdd(?:Builtin|Custom)\s*\(")
_BRACKET = pattern(r"\bAdd(?:Builtin|Custom)\s*\(|[(){}]")
_NAME_BEFORE = pattern(r"(\w+)\s*\Z")
_FAR = 80
"""Characters between a name and its parenthesis, and of the name."""
_EVALUATED_ONCE = frozenset({"if", "while", "switch", "return", "sizeof", "decltype", "noexcept"})
"""Keywords whose operand is evaluated when control reaches it, or never, as the analysis of control flow knows."""


class RegisteringCall(Record):
    """A call: the offset of its name, its line, and the text of its arguments.

    `macro` is the name of a call around it that may be a macro of another file, "" if there is none.
    """

    offset: int
    line: int
    arguments: str
    macro: str = ""


def registering_calls(code: Code) -> Iterator[RegisteringCall]:
    """Yield the calls in a file, in the order of their ends; without strings, whose inside `bare` blanks."""
    known = _EVALUATED_ONCE.union(name for *_, name, macro in code.directives if macro is not None)
    opened: list[_Bracket] = []
    for match in _BRACKET.finditer(code.bare):
        if match[0] in (")", "}"):
            if not opened:
                continue
            bracket = opened.pop()
            if bracket.name >= 0 and match[0] == ")":
                yield RegisteringCall(
                    offset=bracket.name,
                    line=code.place(bracket.name)[0],
                    arguments=code.text[bracket.opening + 1 : match.start()],
                    macro=opened[-1].macro if opened else "",
                )
        elif match[0] == "{":
            opened.append(_Bracket(match.start(), -1, ""))
        else:
            opening = match.end() - 1
            before = _NAME_BEFORE.search(code.bare[max(0, opening - _FAR) : opening])
            macro = opened[-1].macro if opened else ""
            if before is not None and before[1] not in known:
                macro = before[1]
            opened.append(_Bracket(opening, -1 if match[0] == "(" else match.start(), macro))


class _Bracket(NamedTuple):
    """An open bracket.

    - `opening`: its offset
    - `name`: the offset of the name of a call of `AddBuiltin` or `AddCustom` that it opens, or -1
    - `macro`: the innermost call of its statement, this one or one around it, that may be a macro of another file
    """

    opening: int
    name: int
    macro: str
