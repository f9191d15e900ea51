"""Declarations of a name outside of functions: constants, enumerators, functions, aliases and types."""

from __future__ import annotations

import re
from functools import partial

from opspec_lint.cpp.blocks import CLASS, ENUM, NAMESPACE, scope_names
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.preprocessed import Code

CONSTANT, VARIABLE, ENUMERATOR, CALLABLE, ALIAS, TYPE, USING, SPACE, SPECIAL = (
    "constant", "variable", "enumerator", "function", "alias", "type", "using", "namespace", "specialization",
)  # fmt: skip

_SIGN_BEHIND = pattern(r"\s*(::|==|[={\[(;,:<)])?")
_OWNERS = pattern(r"((?:\w+\s*(?:<[^<>;{}]*>)?\s*::\s*)+)\Z")
_PARENTHESISED_VALUE = pattern(r"\w+\s*\(\s*(?:[-+~!.\d'\"(]|(?:true|false|nullptr|sizeof|static_cast)\b)")
"""A variable with an initial value in parentheses: no list of parameters begins with these tokens."""
_SHARED = pattern(r"\b(?:static|constexpr)\b")
_SPECIALIZATION = pattern(r"\btemplate\s*<\s*>[^=(]*\Z")
_CONST = pattern(r"\b(?:const|constexpr)\b")
_USING = pattern(r"\busing\s+(?:::)?\s*((?:\w+\s*::\s*)+)\Z")
_ALIAS = pattern(r"\busing\s+\Z")
_TYPEDEF = pattern(r"\btypedef\b(.*)\Z", "s")
_TYPE = pattern(r"\b(?:class|struct|union|enum)\b(?:\s+(?:class|struct))?(?:\s+[A-Z_]+)?\s*\Z")
_SPACE = pattern(r"\bnamespace\s+(?:\w+\s*::\s*)*\Z")
_TEMPLATE = pattern(r"\s*template\s*<")
_HEAD = pattern(r"(?:\s*\b(?:public|private|protected)\s*:(?!:))*(?:\s*template\s*<[^;{}]*?>(?!\s*(?:[>,]|::)))?")
_NOT_BEFORE = pattern(r"(?:[-+*/%|^!?(,=<.]|\breturn|\bcase|\bgoto|->|&&)\s*\Z")
_HAS_TYPE = pattern(r"[\w>][\s*&]*\Z|[*&]\s*\Z")


class NameDeclaration(Record):
    """A declaration of a name: its kind, the scopes that it is in, and the offset of the name.

    `start` is the start of the statement, `block` the enum of an enumerator, `text` the target of an alias or a
    using-declaration. `is_template` is true if template parameters precede it, `is_of_object` for a constant that is a
    member of a class and not static.
    """

    kind: str
    path: tuple[str, ...]
    code: Code
    offset: int
    start: int
    block: Block | None = None
    text: str = ""
    is_template: bool = False
    is_of_object: bool = False


def declarations(code: Code, name: str) -> list[NameDeclaration]:
    """Return the declarations of a name in a file, outside of functions, in its order."""
    if name not in code.declared:
        every = (_declaration_at(code, name, at) for at in occurrences(code.bare, name, 0, len(code.bare)))
        code.declared[name] = [declaration for declaration in every if declaration is not None]
    declared: list[NameDeclaration] = code.declared[name]
    return declared


def span_of_type(declared: NameDeclaration) -> tuple[int, int]:
    """Return the range of the type before a declared name.

    The head of a template and the classes that own the name are left out, and so is an access specifier.
    """
    before = declared.code.bare[declared.start : declared.offset]
    head, owners = _HEAD.match(before), _OWNERS.search(before)
    end = owners.start() if owners else len(before)
    return declared.start + (head.end() if head and head.end() <= end else 0), declared.start + end


def _declaration_at(code: Code, name: str, at: int) -> NameDeclaration | None:
    """Return the declaration of a name at an offset, None if the name is only used there."""
    blocks = code.blocks()
    block = blocks.at(at)
    if block is not None and any(enclosing.kind not in (NAMESPACE, CLASS, ENUM) for enclosing in block.around()):
        return None
    path = block.path() if block is not None else ()
    start = blocks.statement_start(at)
    before = code.bare[start:at]
    declared = partial(NameDeclaration, path=path, code=code, offset=at, start=start)
    if block is not None and block.kind == ENUM:
        stripped = before.rstrip()
        return None if stripped and not stripped.endswith(",") else declared(kind=ENUMERATOR, block=block)
    after = (_SIGN_BEHIND.match(code.bare, at + len(name)) or [None, None])[1]
    if after == "::":
        return None
    match = _USING.search(before)
    if match:
        return declared(kind=USING, text=match[1])
    if _ALIAS.search(before) and after == "=":
        end = code.bare.find(";", at)
        return declared(kind=ALIAS, text=code.bare[code.bare.index("=", at) + 1 : end])
    if _SPACE.search(before):
        return declared(kind=SPACE)
    if after == "<" and _SPECIALIZATION.search(before):
        return declared(kind=SPECIAL)
    match = _TYPEDEF.search(before)
    if match:
        return declared(kind=ALIAS, text=match[1]) if after == ";" else None
    if _TYPE.search(before):
        return declared(kind=TYPE)
    return _variable_or_function(code, at, start, path, before, after or "")


def _variable_or_function(  # noqa: PLR0913, PLR0917 - a position and its context
    code: Code, at: int, start: int, path: tuple[str, ...], before: str, after: str
) -> NameDeclaration | None:
    """Return the declaration of a variable, constant or function at an offset, None for a use of the name."""
    owners = _OWNERS.search(before)
    if owners:
        path = (*path, *scope_names(re.sub(r"<[^<>]*>", "", owners[1])))
        before = before[: owners.start()]
    # An access specifier ends with no semicolon, so that it is in the text of the declaration behind it.
    before = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", " ", before)
    is_template = bool(_TEMPLATE.match(before))
    if after == "(" and _CONST.search(before) and _PARENTHESISED_VALUE.match(code.text, at):
        kind = CONSTANT
    elif after == "(":
        if _NOT_BEFORE.search(before) and not before.rstrip().endswith(("*", "&")):
            return None  # a call in an expression
        if not _HAS_TYPE.search(before):
            return None  # a macro
        kind = CALLABLE
    elif after in ("=", "{", "[", ";", ","):
        # A `(` before the name opens parameters or an initial value, except for `alignas(...)`.
        if not before.strip() or "(" in before.replace("alignas(", "") or ("=" in before and "," not in before):
            return None  # a parameter, or a part of the value of another variable
        kind = CONSTANT if _CONST.search(before) else VARIABLE
        if after in (";", ",") and kind == CONSTANT and re.search(r"\bextern\b", before):
            return None  # the value is in another file
    else:
        return None
    block = code.blocks().at(at)
    is_member = block is not None and block.kind == CLASS and not _SHARED.search(before)
    return NameDeclaration(
        kind=kind, path=path, code=code, offset=at, start=start, is_template=is_template, is_of_object=is_member
    )
