"""The names of ops whose schemas are no literals: the text in front of the bracket, and the variables of templates.

Generators fill templates of Jinja in, such as `{%- set name = "lookup_{}".format(optimizer) %} m.def("{{ name }}(...`.
A remark then shows the name with the variables whose values only the generator knows: `lookup_{{ optimizer }}`.
"""

from __future__ import annotations

from bisect import bisect_left

from opspec_lint.cpp.tokens import STRING, string_value
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.cpp.tokens import Token

_SET = pattern(r"\{%-?\s*set\s+(\w+)\s*=([^%]*)%\}")
_LITERAL = pattern(r"\"([^\"\\]*)\"(?:\s*\.\s*format\s*\(([^()]*)\))?")
_VARIABLE = pattern(r"\{\{-?\s*(\w+)\s*-?\}\}")
_MAX_DEPTH = 8
"""Variables that are set to texts with one another."""
_LONGEST = 200
"""Characters of a name, which each variable may double."""


def partial_name(tokens: Iterable[Token]) -> str:
    """Return the name at the beginning of a schema, "" if no bracket follows it within the same literals."""
    text = ""
    for kind, token, _ in tokens:
        if kind != STRING:
            break
        text += string_value(token)
    name, bracket, _ = text.partition("(")
    return name.strip() if bracket else ""


class TemplateVariables:
    """The variables that the statements `{% set %}` of a template set."""

    def __init__(self, text: str) -> None:
        self._values: dict[str, list[tuple[int, str]]] = {}
        for statement in _SET.finditer(text) if "{%" in text else ():
            value = statement[2].strip().removesuffix("-").strip()
            self._values.setdefault(statement[1], []).append((statement.start(), value))

    def fill_in(self, name: str, offset: int) -> str:
        """Return a name at an offset of the template with the texts of the variables that are set before."""
        return _VARIABLE.sub(lambda match: self._text(match[1], offset, 0), name)

    def _text(self, variable: str, offset: int, depth: int) -> str:
        """Return the text of a variable at an offset, `{{ variable }}` if it is not known."""
        unknown = f"{{{{ {variable} }}}}"
        values = self._values.get(variable, [])
        before = bisect_left(values, (offset, ""))
        if not before or depth > _MAX_DEPTH:
            return unknown
        start, value = values[before - 1]
        result = ""
        for part in map(str.strip, value.split("+")):
            literal = _LITERAL.fullmatch(part)
            if literal is not None:
                result += _formatted(literal[1], literal[2] or "")
            elif part.isidentifier():
                result += self._text(part, start, depth + 1)
            else:
                return unknown
            if len(result) > _LONGEST:
                return unknown
        return result


def _formatted(text: str, arguments: str) -> str:
    """Return the result of `format()` with the names of the arguments in place of their values."""
    for argument in arguments.split(","):
        text = text.replace("{}", f"{{{{ {argument.strip()} }}}}", 1)
    return text
