"""The calls of `AddBuiltin` and `AddCustom` in the code of a resolver, also within larger expressions."""

from __future__ import annotations

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
    macros = {name for *_, name, macro in code.directives if macro is not None}
    opened: list[tuple[int, int]] = []
    for match in _BRACKET.finditer(code.bare):
        if match[0] in ("(", "{"):
            opened.append((match.start(), -1))
        elif match[0] not in (")", "}"):
            opened.append((match.end() - 1, match.start()))
        elif opened:
            opening, name = opened.pop()
            if name >= 0 and match[0] == ")":
                arguments = code.text[opening + 1 : match.start()]
                foreign = _foreign_call(code.bare, [around for around, _ in opened], macros)
                yield RegisteringCall(offset=name, line=code.place(name)[0], arguments=arguments, macro=foreign)


def _foreign_call(bare: str, opened: list[int], macros: set[str]) -> str:
    """Return the name of a call among open brackets of a statement that may be a macro of another file, "" if none."""
    for opening in reversed(opened):
        if bare[opening] == "{":
            break
        before = _NAME_BEFORE.search(bare[max(0, opening - _FAR) : opening])
        if before is not None and before[1] not in macros and before[1] not in _EVALUATED_ONCE:
            return before[1]
    return ""
