"""The classes that a C++ file declares, and the bodies of its functions, found by their text."""

from __future__ import annotations

import re
from itertools import chain

from opspec_lint.cpp.preprocessed import Code, occurrences
from opspec_lint.cpp.tokens import closing_brace, closing_parenthesis
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_CLASS_HEAD = r"(?:class|struct)\s+(?:[A-Z_]+\s+)?([A-Za-z_]\w*)\s*(?:final\b\s*)?"
_CLASS_BEGIN = pattern(_CLASS_HEAD + r"(?:\{|:(?!:))")
_CLASS = pattern(_CLASS_HEAD + r"(:(?!:)[^;{}]*)?\{")
_BASES_END = pattern(r"[;{}]")
_TEMPLATE = pattern(r"template\s*<([^;{}]*)>\s*\Z")
_PARAMETER = pattern(r"(?:typename|class|\w[\w:]*)\s*(?:\.\.\.)?\s*([A-Za-z_]\w*)\s*(?:=.*)?\Z", "s")
_LAST_NAME = pattern(r"(?<!\w)[A-Za-z_]\w*\Z")
_TEMPLATE_NAME = pattern(r"(?<!\w)([A-Za-z_]\w*)\s*<")
_ACCESS = pattern(r"\b(?:public|protected|private|virtual)\b")
_BEHIND = pattern(r"\s*(?:const\b|override\b|final\b|noexcept\b|->[\s\w:<>*&]+|\s)*\{")
_CONSTRUCTOR_BEHIND = pattern(r"\s*(?::[^{};]*)?\{")
_PARENTHESIS = pattern(r"\s*\(")
_OWNER = pattern(r"(\w+)\s*(?:<[^<>;]*>)?\s*::\s*\Z")
_DECLARED_BEHIND = pattern(
    r"\s*(?:const\b|override\b|final\b|noexcept\b|->[\s\w:<>*&]+|\s)*(?:=\s*(?:0|default|delete)\s*)?;"
)
_RESULT = pattern(r"[\w>*&]\s*(?:(?:\w+\s*(?:<[^<>;]*>)?\s*::\s*)*)\Z")
_NO_RESULT = pattern(r"\b(?:return|new|else|throw|case|goto)\s+[\w:\s]*\Z|[=(,?.!+|/%-]|\boperator\b|->")
_ANGLES = pattern(r"<[^<>;{}]*>")
_TEMPLATE_HEAD = pattern(r"\btemplate\s*<([^;{}]*?)>(?!\s*[>,])")
_MODIFIERS = pattern(
    r"\b(?:static|inline|virtual|constexpr|explicit|friend|extern|public|private|protected)\b\s*:?(?!:)|\[\[[^\]]*\]\]"
)
_ARROW = pattern(r"->([\s\w:<>*&]+?)\{?\Z")
_TYPE_AND_NAME = pattern(r"(.*[\s&*>])([A-Za-z_]\w*)\s*(\[[\s\d]*\])?", "s")
_TYPE_KEYWORDS = frozenset(
    {"int", "char", "long", "short", "unsigned", "signed", "const", "bool", "float", "double", "auto"}
)
_TOP_COMMA = pattern(r"[<>(),]")
_FAR_BEHIND = 10_000
"""Characters between the parameters of a function and its body, comments included."""
_FAR = 400
"""Characters before a class or member in which its template parameters and its owner are searched."""


class Class(Record):
    """A class: the range of its body, its base classes as texts, and the names of its template parameters."""

    name: str
    code: Code
    start: int
    end: int
    bases: tuple[str, ...]
    parameters: tuple[str, ...]


class TypedParameter(Record):
    """A parameter of a function: its name, "" if it has none, its type and its default value as texts."""

    name: str
    type: str
    default: str = ""


class Body(Record):
    """A function: the range of its body, and its declaration.

    `start` is -1 if it is only declared. `result` is the text of its return type, `template` has the names of its
    template parameters. `is_virtual`: `virtual`, `override` or `final` is written.
    """

    name: str
    code: Code
    start: int
    end: int
    parameters: tuple[TypedParameter, ...] = ()
    result: str = ""
    template: tuple[str, ...] = ()
    is_virtual: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether its body is known."""
        return self.start >= 0


def split_top(text: str) -> list[str]:
    """Return the parts of a text between commas outside of brackets."""
    depth = since = 0
    parts: list[str] = []
    for match in _TOP_COMMA.finditer(text):
        sign = match[0]
        if sign == ",":
            if not depth:
                parts.append(text[since : match.start()].strip())
                since = match.end()
        else:
            depth += 1 if sign in "<(" else -1
    last = text[since:].strip()
    return [*parts, last] if last else parts


def class_name(text: str) -> tuple[str, str]:
    """Return the name of a class without its namespaces, and the text of its template arguments."""
    text = text.strip()
    if text.endswith(">"):
        match = _TEMPLATE_NAME.search(text)
        return (match[1], text[match.end() : -1]) if match else ("", "")
    match = _LAST_NAME.search(text)
    return (match[0] if match else "", "")


def class_matches(code: Code) -> dict[str, list[re.Match[str]]]:
    """Return the matches of the declarations of classes in a file, by the names of the classes."""
    matches: dict[str, list[re.Match[str]]] = {}
    bare, at, end = code.bare, 0, -1
    # The keywords are searched as texts: a pattern that begins with either would be tried at every `c` and `s`.
    for start in sorted(chain(occurrences(bare, "class", 0, len(bare)), occurrences(bare, "struct", 0, len(bare)))):
        begin = _CLASS_BEGIN.match(bare, start) if start >= at else None
        if begin is None:
            continue
        at = begin.end()
        # Many `class X :` in a row without a brace share one search for the end, so that it is not quadratic.
        if bare[at - 1] == ":" and end < at:
            closing = _BASES_END.search(bare, at)
            end = closing.start() if closing else len(bare)
        match = _CLASS.match(bare, begin.start()) if bare[at - 1] == "{" or bare[end : end + 1] == "{" else None
        if match is not None:
            at = match.end()
            matches.setdefault(match[1], []).append(match)
    return matches


def class_at(code: Code, match: re.Match[str]) -> Class:
    """Return the class that is declared at a match of `class_matches`."""
    parts = split_top(match[2][1:]) if match[2] else []
    bases = tuple(_ACCESS.sub("", part).strip() for part in parts)
    before = code.bare[max(0, match.start() - _FAR) : match.start()].rstrip()
    # Behind the last statement or block, as a template head before it belongs to another declaration.
    template = _TEMPLATE.search(before[max(before.rfind(";"), before.rfind("}"), before.rfind("{"), 0) :])
    parameters = [_PARAMETER.match(part) for part in split_top(template[1])] if template else []
    return Class(
        name=match[1],
        code=code,
        start=match.end(),
        end=closing_brace(code.bare, match.end() - 1),
        bases=bases,
        parameters=tuple(parameter[1] if parameter else "" for parameter in parameters),
    )


def is_called(bare: str, name: str, start: int, end: int) -> bool:
    """Return whether a part of a file declares or calls a function `name`."""
    return any(_PARENTHESIS.match(bare, at + len(name)) for at in occurrences(bare, name, start, end))


def functions_in(  # noqa: PLR0913 - a part of a file, and the search
    code: Code, name: str, start: int, end: int, *, owner: str = "", constructs: bool = False
) -> list[Body]:
    """Return the functions `name` that a part of a file declares, in its order, with or without a body.

    Args:
        code: the file.
        name: the name.
        start: the start of the part.
        end: the end of the part.
        owner: the class that must qualify the name, outside of the class; "" for any function.
        constructs: whether they are constructors, which may initialise members before their body.

    Raises:
        UnresolvedError: a list of parameters does not end.
    """
    functions = (
        function_at(code, name, at, constructs=constructs)
        for at in occurrences(code.bare, name, start, end)
        if not owner or _is_qualified_by(code, at, owner)
    )
    return [function for function in functions if function is not None]


def defined_functions(code: Code, name: str) -> Iterator[Body]:
    """Yield the functions and constructors of a name that a file defines."""
    bare, blocks = code.bare, code.blocks()
    for at in occurrences(bare, name, 0, len(bare)):
        # Within functions, the name is called: to search the end of each call would take quadratic time.
        if blocks.function_around(at) is not None:
            continue
        function = function_at(code, name, at) or function_at(code, name, at, constructs=True)
        if function is not None and function.is_open:
            yield function


def function_at(code: Code, name: str, at: int, *, constructs: bool = False) -> Body | None:
    """Return the function whose name is at an offset; None for anything else, such as a call.

    Raises:
        UnresolvedError: its list of parameters does not end.
    """
    opening = _PARENTHESIS.match(code.bare, at + len(name))
    if opening is None:
        return None
    closed = closing_parenthesis(code.bare, opening.end() - 1)
    far = closed + _FAR_BEHIND
    behind = (_CONSTRUCTOR_BEHIND if constructs else _BEHIND).match(code.bare, closed + 1, far)
    before = code.bare[max(0, at - _FAR) : at]
    head = before[max(before.rfind(";"), before.rfind("}"), before.rfind("{")) + 1 :]
    tail = behind or _DECLARED_BEHIND.match(code.bare, closed + 1, far)
    if tail is None:
        return None
    # A declaration without a body looks like a call, but a call has no type before it, or is part of an expression.
    if behind is None and (not _RESULT.search(head) or _NO_RESULT.search(_ANGLES.sub("", head))):
        return None
    template = _TEMPLATE_HEAD.search(head)
    names = [_PARAMETER.match(part) for part in split_top(template[1])] if template else []
    result = _MODIFIERS.sub(" ", head[template.end() :] if template else head)
    written = code.text[closed + 1 : tail.end()]
    trailing = _ARROW.search(written)  # `auto f() -> int`
    return Body(
        name=name,
        code=code,
        start=behind.end() if behind else -1,
        end=closing_brace(code.bare, behind.end() - 1) if behind else -1,
        parameters=tuple(map(_parse_parameter, split_top(code.text[opening.end() : closed]))),
        result=(trailing[1] if trailing else _OWNER.sub("", result)).strip(),
        template=tuple(parameter[1] if parameter else "" for parameter in names),
        # Only a virtual function may have `override` or `final` ([class.virtual]).
        is_virtual=bool(re.search(r"\bvirtual\b", head) or re.search(r"\b(?:override|final)\b", written)),
    )


def _is_qualified_by(code: Code, at: int, owner: str) -> bool:
    """Return whether a name at an offset is qualified by a class: `OWNER::name`, `OWNER<T>::name`."""
    start = max(0, at - _FAR)
    if not code.bare[start:at].rstrip().endswith("::"):  # the pattern would be tried at every word
        return False
    before = _OWNER.search(code.bare, start, at)
    return before is not None and before[1] == owner


def _parse_parameter(text: str) -> TypedParameter:
    """Return the parameter that a text declares, such as `const T& x = 1`; a lone type has no name."""
    declared, equals, default = text.partition("=")
    match = _TYPE_AND_NAME.fullmatch(declared.strip())
    if match is None or match[2] in _TYPE_KEYWORDS or match[1].strip() in ("const", "struct", "class", "unsigned"):
        return TypedParameter(name="", type=declared.strip(), default=default.strip() if equals else "")
    # A parameter that is written as an array is a pointer ([dcl.fct]).
    kind = match[1].strip() + (" *" if match[3] else "")
    return TypedParameter(name=match[2], type=kind, default=default.strip() if equals else "")
