"""The versions of each op that a resolver registers: `AddBuiltin(...)` and `AddCustom(...)` of register.cc.

A custom op has a string for its name. It is called `CUSTOM:NAME`, as in a model, since a builtin op may have that name.
"""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import numbered
from opspec_lint.frameworks.tflite.saved.codes import custom_name
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import TypeAlias

    Odd: TypeAlias = list[tuple[str, int, str]]
    """What cannot be told: of which op ("" for none), in which line, and why."""
    Ranges: TypeAlias = dict[str, tuple[int, int, int]]

MARK = "AddBuiltin("

_STATEMENT = pattern(r"\bAdd(?:Builtin|Custom)\s*\(([^;]{0,400})\)\s*;")
_OP = r"(?:\w*::)*BuiltinOperator_(?P<builtin>\w+)|\"(?P<custom>[^\"\\\n]+)\""
_ARGUMENTS = pattern(rf"\s*(?:{_OP})\s*,\s*[\w:]+\s*(?:\(\s*\))?\s*(?:,\s*(?P<first>\d+)\s*)?(?:,\s*(?P<last>\d+)\s*)?")
_IRREGULAR = "expected Add{}(OP, KERNEL, MIN, MAX) with literals"
_NAMED = pattern(_OP)
_SIGNATURE = pattern(r"\b(?:const|int|BuiltinOperator)\s+[&*]?\s*\w+\s*(?:=|,|$)")


def read(text: str) -> tuple[Ranges, Odd]:
    """Return the least and the greatest version of each op, with the line of its statement.

    Without versions a statement is for version 1, with one for that alone.
    """
    plain = without_comments(text)
    ranges: Ranges = {}
    odd: Odd = []
    for line, found in numbered(plain, _STATEMENT.finditer(plain)):
        arguments = _ARGUMENTS.fullmatch(found.group(1))
        if arguments is None:
            named = _NAMED.search(found.group(1))
            if named is not None or not _SIGNATURE.search(found.group(1)):
                odd.append(("" if named is None else _name(named), line, _IRREGULAR))
            continue
        op = _name(arguments)
        least = int(arguments["first"] or 1)
        greatest = int(arguments["last"] or least)
        before = ranges.get(op, (least, greatest, line))
        ranges[op] = min(before[0], least), max(before[1], greatest), before[2]
    return ranges, odd


def _name(match: re.Match[str]) -> str:
    return match["builtin"] or custom_name(match["custom"])
