"""The version limits of delegates: up to which version of an op each one takes a node, by the checks in its code."""

from __future__ import annotations

import re
from functools import cache

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import find_function, line_of, with_lines
from opspec_lint.frameworks.tflite.extract.layout import plain_op_name
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.layout import Delegate

    Limits: TypeAlias = dict[str, tuple[int | None, int]]
    """By op, the greatest version that the delegate takes, None for any version, and the line of the check or case.

    Ops are in capitals without underscores, as the runtime's enum spells them in another way than the schema's.
    """


_CASE = pattern(r"\b(?:case\s+kTfLiteBuiltin(\w+)|(default))\s*:")
_CALL = pattern(r"OpVersion\(\s*\w+\s*,\s*(\w+)")
"""`ExpectMaxOpVersion`, `ExpectOpVersion`, `CheckMaxSupportedOpVersion`."""
_ACCEPTS = ("return", "Expect(")
"""The beginnings of statements that accept a node because of its version."""
_TAKES = pattern(r"version\s*(?:<=|==)\s*(\d+)")
_REFUSES = pattern(r"version\s*>\s*(\d+)\s*\)\s*\{?\s*return\s+false")
_DEFAULT_LABEL = ""
"""The name under which the limit of the label `default:` is kept, which names no op."""
_DEFAULT_CHECK = pattern(r"\bif\s*\(\s*[\w>.-]*\bversion\s*>\s*(\d+)\s*\)\s*\{\s*switch\b")
_PARSER = pattern(r"\bmake_unique<(\w+)>")


def read(text: str, delegate: Delegate) -> Limits:
    """Return the limits of a delegate by the text of its file."""
    limits: Limits = {}
    for name in delegate.functions:
        definition = find_function(text, name)
        if definition is not None:
            _read_function(text, *definition, limits)
    return limits


def _read_function(text: str, offset: int, body: str, limits: Limits) -> None:
    """Add the limits in the switch of a function, which begins at an offset of the text, to `limits`."""
    function_limits = _case_limits(text, offset, body)
    if not function_limits:
        return
    check_before_switch = _DEFAULT_CHECK.search(body)
    limit_before_switch = int(check_before_switch[1]) if check_before_switch else None
    default_limit, _ = function_limits.pop(_DEFAULT_LABEL, (None, 0))
    # The default of a function that checks versions limits the ops that an earlier function takes.
    for op in limits.keys() - function_limits.keys():
        known_limit, line = limits[op]
        if default_limit is not None and known_limit is None:
            limits[op] = default_limit, line
    for op, (limit, line) in function_limits.items():
        if op in limits or not _only_limits(function_limits):
            _add_limit(limits, op, limit_before_switch if limit is None else limit, line)


def _case_limits(text: str, offset: int, body: str) -> Limits:
    """Return the limits by the cases of a switch; labels that follow each other share the code behind the last one."""
    lines_before = line_of(text, offset) - 1
    labels = list(with_lines(body, _CASE.finditer(body)))
    code_ends = [*(following.start() for _, following in labels[1:]), len(body)]
    parsers = cache(lambda name: _parser_versions(name, text))
    limits: Limits = {}
    waiting: list[tuple[str, int]] = []
    for (line, label), code_end in zip(labels, code_ends, strict=False):
        waiting.append((plain_op_name(label[1] or _DEFAULT_LABEL), lines_before + line))
        code = body[label.end() : code_end]
        if code.strip():
            limit = _greatest_version(code, parsers)
            for op, line_of_label in waiting:
                _add_limit(limits, op, limit, line_of_label)
            waiting = []
    return limits


def _only_limits(function_limits: Limits) -> bool:
    """Return whether all cases of a function have a limit: it checks versions, and another function accepts the ops."""
    return bool(function_limits) and all(limit is not None for limit, _ in function_limits.values())


def _add_limit(limits: Limits, op: str, limit: int | None, line: int) -> None:
    """Set the limit of an op; of two limits the greater one counts, as either check may accept the node."""
    known_limit, known_line = limits.get(op, (None, line))
    if limit is None:
        limits[op] = known_limit, known_line
    elif known_limit is None:
        limits[op] = limit, line
    else:
        limits[op] = max(known_limit, limit), known_line


def _greatest_version(code: str, parsers: Callable[[str], list[str]]) -> int | None:
    """Return the greatest version that the code of a case accepts, None if it does not check the version."""
    versions = _REFUSES.findall(code)
    for statement in code.split(";"):
        if statement.lstrip("{} \n").startswith(_ACCEPTS):
            versions += _TAKES.findall(statement)
    for name in _PARSER.findall(code):
        versions += parsers(name)
    versions += (version for argument in _CALL.findall(code) for version in _version_literals(argument, code))
    return max(map(int, versions), default=None)


def _parser_versions(name: str, text: str) -> list[str]:
    """Return the versions that the class of a parser, which a case creates, compares with."""
    at = text.find(f"class {name} ")
    if at < 0:
        return []
    body = text[at : text.find("\n};", at)]
    if _CALL.search(body) is None:
        return []
    body = without_comments(body)
    return [version for argument in _CALL.findall(body) for version in _version_literals(argument, body)]


def _version_literals(argument: str, code: str) -> list[str]:
    """Return the numbers that an argument may be: a literal, or the values of the constant `NAME = A ? 1 : 2;`."""
    if argument.isdecimal():
        return [argument]
    definition = re.search(rf"\b{argument}\s*=([^;]*);", code)
    return re.findall(r"(?<![\w.])(\d+)(?=\s*(?::|$))", definition[1]) if definition else []
