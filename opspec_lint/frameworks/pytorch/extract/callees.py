"""The callees of calls with the library: functions, methods of a class or object, and callable objects."""

from __future__ import annotations

from opspec_lint.cpp.tokens import NAME, SIGN
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.pytorch.extract.cpp_source import CppSource, Span

FUNCTION, METHOD, CONSTRUCTOR, OPERATOR, LAMBDA = "function", "method", "constructor", "operator", "lambda"
_NO_CALLS = frozenset(
    {
        "if",
        "while",
        "for",
        "switch",
        "return",
        "sizeof",
        "decltype",
        "alignof",
        "noexcept",
        "typeid",
        "catch",
        "defined",
    }
)
_NO_TYPES = frozenset({"return", "else", "new", "throw", "do", "case", "goto", "co_return", "co_await", "co_yield"})


class Callee(Record):
    """The callee of a call, by the index of the bracket before its arguments.

    `name` is a function, or the class of a constructor or callable object, "" if unknown. `owner` is the class or
    namespace that qualifies a name, or the class of the object of a method. `template` is the span of the arguments
    of a template, None without these, and `lambda_at` the index of a lambda that is called in place.
    """

    kind: str
    name: str
    opening: int
    start: int
    owner: str = ""
    template: Span | None = None
    lambda_at: int = 0


def callee_before(source: CppSource, opening: int) -> Callee | None:
    """Return the callee of the call whose arguments begin with a bracket; None if the bracket begins no call."""
    tokens = source.tokens
    at = opening - 1
    if at < 0:
        return None
    kind, text, _ = tokens[at]
    template: Span | None = None
    if kind == SIGN and text == ">":
        angle = _opening_angle(source, at)
        if angle <= 0 or tokens[angle - 1][0] != NAME:
            return None
        template, at = (angle + 1, at), angle - 1
        kind, text, _ = tokens[at]
    if kind == NAME and text not in _NO_CALLS:
        return _named(source, at, opening, template)
    if kind != SIGN or text not in (")", "}", "]") or source.sign_at(opening) == "{":
        return None
    begin = source.bracket_openings.get(at, 0)
    if text == "}" and source.sign_at(begin - 1) in (")", "]"):
        captures = source.bracket_openings.get(begin - 1, 0) - 1 if source.sign_at(begin - 1) == ")" else begin - 1
        if source.sign_at(captures) == "]":
            return Callee(
                kind=LAMBDA,
                name="",
                opening=opening,
                start=captures,
                lambda_at=source.bracket_openings.get(captures, 0),
            )
    is_made = (
        text in (")", "}") and begin > 0 and tokens[begin - 1][0] == NAME and tokens[begin - 1][1] not in _NO_CALLS
    )
    if text == ")" and not is_made and source.sign_at(begin - 1) != ">" and begin + 1 == at:
        return None  # `()(m)`
    if not is_made and text == ")" and _is_conversion(source, begin, at):
        return None
    return Callee(kind=OPERATOR, name=tokens[begin - 1][1] if is_made else "", opening=opening, start=begin)


def _named(source: CppSource, at: int, opening: int, template: Span | None) -> Callee:
    """Return the callee with the name at an index: a function, a method, or the type of a declared variable."""
    tokens, name = source.tokens, source.tokens[at][1]
    before = source.sign_at(at - 1)
    if before in (".", "->"):
        owner = tokens[at - 2][1] if tokens[at - 2][0] == NAME else ""
        owner = "" if before == "->" else class_of(source, owner, at)
        return Callee(kind=METHOD, name=name, opening=opening, start=at, owner=owner, template=template)
    if before == "::":
        scope = at - 2
        if source.sign_at(scope) == ">":
            scope = _opening_angle(source, scope) - 1
        owner = tokens[scope][1] if scope >= 0 and tokens[scope][0] == NAME else ""
        return Callee(kind=FUNCTION, name=name, opening=opening, start=at, owner=owner, template=template)
    kind = CONSTRUCTOR if source.sign_at(opening) == "{" else FUNCTION
    previous = tokens[at - 1] if at else (SIGN, ";", 0)
    if template is None and previous[0] == NAME and previous[1] not in _NO_TYPES:
        return Callee(kind=CONSTRUCTOR, name=previous[1], opening=opening, start=at - 1)
    if template is None and before == ">" and (angle := _opening_angle(source, at - 1)) > 0:
        return Callee(kind=CONSTRUCTOR, name=tokens[angle - 1][1], opening=opening, start=angle - 1)
    return Callee(kind=kind, name=name, opening=opening, start=at, template=template)


def class_of(source: CppSource, name: str, before: int) -> str:
    """Return the class of the variable of a name that is declared before an index, "" if that is not known."""
    for index in range(before - 1, 0, -1):
        if source.tokens[index][1] == name and source.tokens[index][0] == NAME:
            kind, text, _ = source.tokens[index - 1]
            if (
                kind == NAME
                and text not in _NO_TYPES
                and text != "auto"
                and source.sign_at(index + 1) in (";", "{", "(", "=")
            ):
                return text
            if text == ">" and (angle := _opening_angle(source, index - 1)) > 0:
                return source.tokens[angle - 1][1]
    return ""


def _opening_angle(source: CppSource, closed: int) -> int:
    """Return the index of the `<` of the template arguments that end at an index, 0 if there is none."""
    depth, at = 0, closed
    while at > 0:
        sign = source.sign_at(at)
        if sign in (";", "{"):
            return 0
        at = source.bracket_openings.get(at, at) if sign in (")", "]", "}") else at
        depth += (sign == ">") - (sign == "<")
        if not depth:
            return at
        at -= 1
    return 0


def _is_conversion(source: CppSource, begin: int, closed: int) -> bool:
    """Return whether parentheses contain a type, as in `(void)(m)`."""
    texts = [text for _, text, _ in source.tokens[begin + 1 : closed]]
    return texts == ["void"]
