"""The versions of each op that a resolver registers: `AddBuiltin(...)` and `AddCustom(...)` of register.cc.

A custom op is registered by a string. It is named `CUSTOM:NAME`, as in a model, since a builtin op may have that name.
A statement counts under the condition under which the constructor of the shipped resolver executes it. Almost all files
are straight code, for which no C++ is analysed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from opspec_lint.cpp.blocks import FUNCTION
from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.straight import is_straight, is_unconditional, namespaces_at
from opspec_lint.frameworks.tflite.extract.functions import with_lines
from opspec_lint.frameworks.tflite.extract.registering_calls import CALL, RegisteringCall, registering_calls
from opspec_lint.frameworks.tflite.saved.codes import custom_name
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, declared_if_value, disjunction, requirement, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from opspec_lint.cpp.liveness import Liveness
    from opspec_lint.spec.condition import Condition

    Irregular: TypeAlias = list[tuple[str, int, str]]
    """Statements that cannot be evaluated: the op ("" if it is not known), the line, and the reason."""
    StoredRange: TypeAlias = tuple[int, int, int, Condition | None, int | None]
    """The fields of a `VersionRange` as a plain tuple, which the cache can store."""

MARK = "AddBuiltin("

_FAR = 80
"""Characters between an object and its method."""
_STATEMENT = pattern(r"\bAdd(?:Builtin|Custom)\s*\(([^;]{0,400})\)\s*;")
_OP = r"(?:\w*::)*BuiltinOperator_(?P<builtin>\w+)|\"(?P<custom>[^\"\\\n]+)\""
_ARGUMENTS = pattern(
    rf"\s*(?:{_OP})\s*,\s*(?P<kernel>[\w:]+)\s*(?:\(\s*\))?\s*"
    r"(?:,\s*(?P<first>\d+)\s*)?(?:,\s*(?P<last>\d+)\s*)?"
)
_NULL = ("nullptr", "NULL", "0")
_IRREGULAR = "expected AddBuiltin(OP, KERNEL, MIN, MAX) or AddCustom with literals"
_FOREIGN_OBJECT = "it may register the op with another resolver"
_UNFOLLOWED = (
    (
        pattern(r"\b(?P<function>\w+)\s*\((?:[^();]*,)?\s*\*?\s*this\s*[,)]"),
        "a call with `this` may register further ops",
    ),
    (pattern(r"\bAddAll\s*\("), "AddAll registers the ops of another resolver"),
    (pattern(r"\b(?:builtins_|custom_ops_)\s*(?:\.|\[|=)"), "the tables of the resolver are changed in another way"),
    (pattern(r"\*\s*this\s*="), "another resolver is assigned to this one"),
)
"""Statements of a constructor that may change which ops are registered, and why they cannot be evaluated."""
_MARKERS = ("AddAll", "builtins_", "custom_ops_", "->Add", ".Add")
"""Texts without which only `AddBuiltin(...)` and `AddCustom(...)` change the resolver."""
_THIS = pattern(r"this\b\s*(?:[,)=]|->)")
"""A use of the resolver itself, and no word of a message."""
_REGISTERS = pattern(r"\bAdd(?:Builtin|Custom)\b")
_RECEIVER = pattern(r"(?:\.|->)\s*\Z")
"""The end of the text before a call of a method of an object."""
_OWN = pattern(r"(?:\bthis\s*->|\(\s*\*\s*this\s*\)\s*\.)\s*\Z")
"""The same, where the object is the resolver itself."""
_NAMED = pattern(_OP)
_METHODS = ("AddBuiltin", "AddCustom")
_SIGNATURE = pattern(r"\b(?:const|int|BuiltinOperator)\s+[&*]?\s*\w+\s*(?:=|,|$)")
_CONSTRUCTOR = pattern(r"((?:\w+\s*::\s*)*)\b(Builtin(?:Ref)?OpResolver)\s*::\s*\2\s*\(\s*(\)?)")
_CONSTRUCTORS = ("BuiltinOpResolver::BuiltinOpResolver()", "BuiltinRefOpResolver::BuiltinRefOpResolver()")
_STRING = pattern(r'R"|"(?:[^"\\\n]|\\.)*"')
_MISLEADING = ("{", "}", 'R"', *_METHODS)
"""Texts that would be taken for code inside of a string."""
_SCOPE = ("tflite", "ops", "builtin")
"""The namespaces of the shipped resolvers; applications may define others."""


class Statement(NamedTuple):
    """A statement that registers the versions `least` to `greatest` of an op under a condition.

    `cause` is the line that states the condition, None for a statement without one.
    """

    least: int
    greatest: int
    line: int
    condition: Condition
    cause: int | None


class VersionRange(NamedTuple):
    """The versions of an op that a resolver takes, by all its statements.

    `line` is the line of the first statement, `cause` the one that states the unknown condition.
    """

    least: int
    greatest: int
    line: int
    condition: Condition | None
    cause: int | None


def read(
    text: str, path: str = "register.cc", is_defined_elsewhere: Callable[[str], bool] = lambda _: False
) -> tuple[dict[str, StoredRange], Irregular]:
    """Return the versions by op that the resolver of a file takes, and the statements that cannot be evaluated.

    A statement without versions registers version 1; one with a single version registers only that.
    `is_defined_elsewhere` returns whether another file or a build may define a macro.
    """
    plain = without_comments(text)
    matches = list(_STATEMENT.finditer(plain))
    live: Liveness | None = None
    is_regular = (
        len(matches) == len(CALL.findall(plain))
        and not _may_register_otherwise(plain)
        and all(_ARGUMENTS.fullmatch(match[1]) for match in matches)
    )
    if is_regular and (not matches or _is_straight(text, plain, matches[-1].end())):
        calls = [
            RegisteringCall(offset=match.start(), line=line, arguments=match[1])
            for line, match in with_lines(plain, matches)
        ]
    else:
        live = _analyse_conditions(text, path, is_defined_elsewhere)
        calls = sorted(registering_calls(live.code), key=lambda call: call.offset)
    statements: dict[str, list[Statement]] = {}
    irregular: Irregular = [] if live is None else [*_unread_registrations(live)][::-1]
    # In reverse, as the conditions of the last statement are evaluated together with all before it.
    for call in reversed(calls):
        line = call.line
        condition, cause = (ALWAYS, None) if live is None else _condition(live, call.offset, call.arguments)
        if condition == NEVER:
            continue
        arguments = _ARGUMENTS.fullmatch(call.arguments)
        if arguments is None and live is not None:
            arguments = _ARGUMENTS.fullmatch(_with_evaluated_arguments(live, call.arguments))
        is_foreign = live is not None and _calls_another_object(live, call.offset)
        if arguments is None or is_foreign or call.macro:
            named = _NAMED.search(call.arguments)
            # A declaration of the method has types in place of arguments, and registers nothing.
            if named is not None or not _SIGNATURE.search(call.arguments):
                reason = _FOREIGN_OBJECT if is_foreign else _IRREGULAR
                irregular.append(("" if named is None else _op_name(named), line, reason))
            continue
        if arguments["kernel"] in _NULL:
            continue  # `MutableOpResolver::AddBuiltin` returns at once
        least = int(arguments["first"] or 1)
        statement = Statement(least, int(arguments["last"] or least), line, condition, cause)
        statements.setdefault(_op_name(arguments), []).append(statement)
    irregular += [("", line, reason) for line, reason in (live.unread if live is not None else ())]
    # Back to the order of the file, as the line of the first statement is shown.
    ranges = {op: _merge_statements(statements[op][::-1]) for op in reversed(statements)}
    # `[:]` makes plain tuples: the cache (marshal) takes no others.
    return {op: versions[:] for op, versions in ranges.items()}, irregular[::-1]


def _may_register_otherwise(plain: str) -> bool:
    """Return whether statements that are no plain calls may change the resolver; `plain` has no comments."""
    return any(marker in plain for marker in _MARKERS) or _THIS.search(plain) is not None


def _unread_registrations(live: Liveness) -> Iterator[tuple[str, int, str]]:
    """Yield the macros and the statements of the constructor that may register ops in a way that is not followed.

    Each is an op, "" as any may be registered, the line, and the reason.
    """
    for expected, reason in _UNFOLLOWED:
        for match in expected.finditer(live.code.bare):
            # The statements of a function of this file are read where it is defined.
            is_defined = "function" in match.groupdict() and _defines(live, match["function"])
            if not is_defined and _in_constructor(live, match.start()):
                line, _ = live.code.place(match.start())
                yield "", line, reason
    for at, keyword, name, macro in live.code.directives:
        if keyword == "define" and macro is not None and name not in _METHODS and _REGISTERS.search(macro.body):
            line, _ = live.code.place(at)
            yield "", line, f"the macro '{name}' registers ops"


def _defines(live: Liveness, function: str) -> bool:
    """Return whether a file has the body of a function."""
    named = re.compile(rf"\b{function}\s*\(")
    blocks = live.code.blocks()
    return any(block.kind == FUNCTION and named.search(blocks.head(block)) for block in blocks.all)


def _in_constructor(live: Liveness, offset: int) -> bool:
    """Return whether a statement that is executed is in the constructor of the shipped resolver itself."""
    live.enter(offset, _constructor_condition)
    function = live.code.blocks().function_around(offset)
    condition, _ = live.at(offset)
    if function is None or condition == NEVER:
        return False
    return _CONSTRUCTOR.search(live.code.blocks().head(function)) is not None


def _calls_another_object(live: Liveness, offset: int) -> bool:
    """Return whether a statement of the constructor calls the method of another object than the resolver."""
    before = live.code.bare[max(0, offset - _FAR) : offset]
    return _RECEIVER.search(before) is not None and _OWN.search(before) is None and _in_constructor(live, offset)


def _with_evaluated_arguments(live: Liveness, text: str) -> str:
    """Return the arguments of a call with the values of constant ones in their place."""
    import json

    from opspec_lint.cpp.expressions import evaluate, text_of
    from opspec_lint.cpp.file_names import FileNames
    from opspec_lint.cpp.tokens import split_arguments, tokenize
    from opspec_lint.cpp.unresolved import UnresolvedError

    names = FileNames(live.code)
    tokens = tokenize(text, 0, len(text))
    written: list[str] = []
    for start, end in split_arguments(tokens, 0, len(tokens)):
        try:
            value = evaluate(tokens, start, end, names)
        except (UnresolvedError, ArithmeticError, LookupError, TypeError, ValueError):
            value = None  # a kernel, the member of an enum, or a value that another file decides
        if isinstance(value, str):
            written.append(json.dumps(str(value)))
        elif isinstance(value, int) and not isinstance(value, bool):
            written.append(str(int(value)))
        else:
            written.append(text_of(tokens, start, end))
    return ", ".join(written)


def _op_name(match: re.Match[str]) -> str:
    """Return the name of the builtin or custom op of a match."""
    return match["builtin"] or custom_name(match["custom"])


def _analyse_conditions(text: str, path: str, is_defined_elsewhere: Callable[[str], bool]) -> Liveness:
    """Return the conditions of all parts of a file, in which the methods of the resolver matter."""
    from opspec_lint.cpp.liveness import Liveness
    from opspec_lint.cpp.preprocessed import CppFile

    return Liveness(CppFile(path, text), {}, is_defined_elsewhere, hidden=_METHODS)


def _is_straight(text: str, plain: str, last: int) -> bool:
    """Return whether the constructor of the shipped resolver surely executes all statements up to an offset."""
    at = max(plain.find(constructor) for constructor in _CONSTRUCTORS)
    start = plain.find("{", at) + 1
    if at < 0 or plain[at - 1 : at] not in ("", "\n"):
        return False
    return (
        is_unconditional(text)
        and "static_assert" not in text
        and not any(code in string for string in _STRING.findall(plain, 0, last) for code in _MISLEADING)
        and plain.find(MARK) > start > 0
        and namespaces_at(plain, at) in ((), _SCOPE)
        and is_straight(plain, start, last, _METHODS)
    )


def _condition(live: Liveness, offset: int, arguments: str) -> tuple[Condition, int | None]:
    """Return the condition under which a statement registers an op, and the line of its cause."""
    live.enter(offset, _constructor_condition)
    condition, line = live.at(offset)
    named = _NAMED.search(arguments)
    unchanged, macro_line = live.unreplaced({*_METHODS, named[0] if named else ""}, offset)
    return conjunction(condition, unchanged), macro_line if line is None else line


def _constructor_condition(head: str, scope: tuple[str, ...]) -> Condition | None:
    """Return ALWAYS for the constructor of the shipped resolver, NEVER for another one, None for a function."""
    match = _CONSTRUCTOR.search(head)
    if match is None:
        return None
    if not match[3]:
        return requirement(f"a program calls the constructor of `{match[2]}` with arguments")
    path = (*scope, *match[1].replace("::", " ").split())
    # () is the scope in a text that is only a part of a file.
    return ALWAYS if path in ((), _SCOPE) else NEVER


def _merge_statements(statements: Sequence[Statement]) -> VersionRange:
    """Return the range over all statements of an op, with the condition under which both its ends are registered."""
    least = min(statement.least for statement in statements)
    greatest = max(statement.greatest for statement in statements)
    if len(statements) == 1:
        condition = statements[0].condition
    else:
        condition = conjunction(
            disjunction(statement.condition for statement in statements if statement.least == least),
            disjunction(statement.condition for statement in statements if statement.greatest == greatest),
        )
    causes = [statement.cause for statement in statements if statement.cause is not None]
    return VersionRange(
        least=least,
        greatest=greatest,
        line=statements[0].line,
        condition=declared_if_value(condition),
        cause=None if condition == ALWAYS else next(iter(causes), None),
    )


def compiled_ranges(ranges: Mapping[str, StoredRange], condition: Condition) -> dict[str, VersionRange]:
    """Return the ranges by op of a resolver whose file is compiled only under a condition; none if it never is."""
    if condition == NEVER:
        return {}
    read_ranges = {op: VersionRange(*stored) for op, stored in ranges.items()}
    if condition == ALWAYS:
        return read_ranges
    return {
        op: versions._replace(condition=declared_if_value(conjunction(versions.condition or ALWAYS, condition)))
        for op, versions in read_ranges.items()
    }


def conditional_ops(ranges: Mapping[str, VersionRange]) -> Irregular:
    """Return the ops that a resolver registers only under an unknown condition, as irregular statements."""
    return [
        (op, versions.cause or versions.line, f"it is registered only under `{show(versions.condition)}`")
        for op, versions in ranges.items()
        if versions.condition is not None
    ]
