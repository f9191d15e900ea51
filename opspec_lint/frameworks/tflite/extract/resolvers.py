"""The versions of each op that a resolver registers: `AddBuiltin(...)` and `AddCustom(...)` of register.cc.

A custom op has a string for its name. It is called `CUSTOM:NAME`, as in a model, since a builtin op may have that name.
A statement counts under the condition under which the constructor of the resolver executes it.
"""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.straight import is_straight, is_unconditional, namespaces_at
from opspec_lint.frameworks.tflite.extract.functions import numbered
from opspec_lint.frameworks.tflite.saved.codes import custom_name
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, declared_if_value, disjunction, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.cpp.liveness import Liveness
    from opspec_lint.spec.condition import Condition

    Odd: TypeAlias = list[tuple[str, int, str]]
    """What cannot be told: of which op ("" for none), in which line, and why."""
    Ranges: TypeAlias = dict[str, tuple[int, int, int, Condition | None, int | None]]
    """Of each op the least and greatest version, the line, the unknown condition and its line."""
    Statement: TypeAlias = tuple[int, int, int, Condition, int | None]

MARK = "AddBuiltin("

_STATEMENT = pattern(r"\bAdd(?:Builtin|Custom)\s*\(([^;]{0,400})\)\s*;")
_OP = r"(?:\w*::)*BuiltinOperator_(?P<builtin>\w+)|\"(?P<custom>[^\"\\\n]+)\""
_ARGUMENTS = pattern(rf"\s*(?:{_OP})\s*,\s*[\w:]+\s*(?:\(\s*\))?\s*(?:,\s*(?P<first>\d+)\s*)?(?:,\s*(?P<last>\d+)\s*)?")
_IRREGULAR = "expected AddBuiltin(OP, KERNEL, MIN, MAX) or AddCustom with literals"
_NAMED = pattern(_OP)
_METHODS = ("AddBuiltin", "AddCustom")
_SIGNATURE = pattern(r"\b(?:const|int|BuiltinOperator)\s+[&*]?\s*\w+\s*(?:=|,|$)")
_CONSTRUCTOR = pattern(r"((?:\w+\s*::\s*)*)\b(Builtin(?:Ref)?OpResolver)\s*::\s*\2\s*\(")
_CONSTRUCTORS = ("BuiltinOpResolver::BuiltinOpResolver(", "BuiltinRefOpResolver::BuiltinRefOpResolver(")
_STRING = pattern(r'R"|"(?:[^"\\\n]|\\.)*"')
_MISLEADING = ("{", "}", 'R"', *_METHODS)
"""What is not what it looks like inside of a string."""
_SCOPE = ("tflite", "ops", "builtin")
"""The namespaces of the resolvers that are shipped."""


def read(
    text: str, path: str = "register.cc", is_defined_elsewhere: Callable[[str], bool] = lambda _: False
) -> tuple[Ranges, Odd]:
    """Return what the resolver of a file takes, and what cannot be read.

    Without versions a statement is for version 1, with one for that alone.

    Args:
        text: the file.
        path: the path of the file.
        is_defined_elsewhere: tells whether another file or a build may define a macro.
    """
    plain = without_comments(text)
    matches = list(_STATEMENT.finditer(plain))
    live: Liveness | None = None
    if matches and not _is_straight(text, plain, matches[-1].end()):
        live = _live(text, path, is_defined_elsewhere)
        plain = live.code.text
        matches = [match for match in _STATEMENT.finditer(plain) if live.code.bare.startswith("Add", match.start())]
    statements: dict[str, list[Statement]] = {}
    odd: Odd = []
    for line, match in reversed(list(numbered(plain, matches))):  # from the last one all before it is followed at once
        condition, cause = (ALWAYS, None) if live is None else _condition(live, match.start(), match[1])
        if condition == NEVER:
            continue
        arguments = _ARGUMENTS.fullmatch(match[1])
        if arguments is None:
            named = _NAMED.search(match[1])
            if named is not None or not _SIGNATURE.search(match[1]):
                odd.append(("" if named is None else _name(named), line, _IRREGULAR))
            continue
        least = int(arguments["first"] or 1)
        statement = least, int(arguments["last"] or least), line, condition, cause
        statements.setdefault(_name(arguments), []).append(statement)
    odd += [("", line, reason) for line, reason in (live.unread if live is not None else ())]
    return {op: _range(statements[op][::-1]) for op in reversed(statements)}, odd[::-1]


def _name(match: re.Match[str]) -> str:
    return match["builtin"] or custom_name(match["custom"])


def _live(text: str, path: str, is_defined_elsewhere: Callable[[str], bool]) -> Liveness:
    from opspec_lint.cpp.liveness import Liveness
    from opspec_lint.cpp.preprocessed import CppFile

    return Liveness(CppFile(path, text), {}, is_defined_elsewhere, hidden=_METHODS)


def _is_straight(text: str, plain: str, last: int) -> bool:
    """Return whether the constructor of the resolver that is shipped executes all statements up to an offset."""
    at = max(plain.find(constructor) for constructor in _CONSTRUCTORS)
    start = plain.find("{", at) + 1
    if at < 0 or plain[at - 1 : at] not in ("", "\n"):
        return False
    return (
        is_unconditional(text)
        and not any(text in string for string in _STRING.findall(plain, 0, last) for text in _MISLEADING)
        and plain.find(MARK) > start > 0
        and namespaces_at(plain, at) in ((), _SCOPE)
        and is_straight(plain, start, last, _METHODS)
    )


def _condition(live: Liveness, offset: int, arguments: str) -> tuple[Condition, int | None]:
    """Return the condition under which a statement registers an op, and the line of its cause."""
    live.enter(offset, _of_constructor)
    condition, line = live.at(offset)
    named = _NAMED.search(arguments)
    unchanged, macro_line = live.expanded({*_METHODS, named[0] if named else ""}, offset)
    return conjunction(condition, unchanged), macro_line if line is None else line


def _of_constructor(head: str, scope: tuple[str, ...]) -> Condition | None:
    """Return the condition under which a function makes the resolver that is shipped; None for another function."""
    match = _CONSTRUCTOR.search(head)
    if match is None:
        return None
    path = (*scope, *match[1].replace("::", " ").split())
    return ALWAYS if path in ((), _SCOPE) else NEVER  # () is a part of a file


def _range(statements: Sequence[Statement]) -> tuple[int, int, int, Condition | None, int | None]:
    """Return the range of the statements of an op, and the condition under which the whole range is taken."""
    if len(statements) == 1:
        least, greatest, line, condition, cause = statements[0]
        return least, greatest, line, declared_if_value(condition), None if condition == ALWAYS else cause
    least = min(statement[0] for statement in statements)
    greatest = max(statement[1] for statement in statements)
    condition = conjunction(
        disjunction(statement[3] for statement in statements if statement[0] == least),
        disjunction(statement[3] for statement in statements if statement[1] == greatest),
    )
    causes = [statement[4] for statement in statements if statement[4] is not None]
    cause = None if condition == ALWAYS else next(iter(causes), None)
    return least, greatest, statements[0][2], declared_if_value(condition), cause


def built(ranges: Mapping[str, Any], condition: Condition) -> Ranges:
    """Return what a resolver takes whose file is compiled under a condition."""
    if condition == ALWAYS:
        return dict(ranges)
    return {
        op: (least, greatest, line, declared_if_value(conjunction(own or ALWAYS, condition)), cause)
        for op, (least, greatest, line, own, cause) in ranges.items()
        if condition != NEVER
    }


def conditional(ranges: Ranges) -> Odd:
    """Return the ops that a resolver takes under an unknown condition, as what cannot be told."""
    return [
        (op, cause or line, f"it is registered only under `{show(condition)}`")
        for op, (_, _, line, condition, cause) in ranges.items()
        if condition is not None
    ]
