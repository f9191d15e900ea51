"""Which versions of each op a resolver takes: the statements `AddBuiltin(...)` of register.cc and register_ref.cc."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.frameworks.tflite.extract.functions import numbered
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Odd: TypeAlias = list[tuple[str, int, str]]
    """What cannot be told: of which op ("" for none), in which line, and why."""
    Ranges: TypeAlias = dict[str, tuple[int, int, int]]

MARK = "AddBuiltin("

_STATEMENT = pattern(r"\bAddBuiltin\s*\(([^;]{0,400})\)\s*;")
_ARGUMENTS = pattern(
    r"\s*(?:\w*::)*BuiltinOperator_(\w+)\s*,\s*[\w:]+\s*(?:\(\s*\))?\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?"
)
_IRREGULAR = "its versions are not numbers: expected AddBuiltin(OP, KERNEL, MIN, MAX)"
_OP = pattern(r"BuiltinOperator_(\w+)")
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
            named = _OP.search(found.group(1))
            if named is not None or not _SIGNATURE.search(found.group(1)):
                odd.append((named[1] if named else "", line, _IRREGULAR))
            continue
        op, first, last = arguments.groups()
        least = int(first or 1)
        greatest = int(last or least)
        before = ranges.get(op, (least, greatest, line))
        ranges[op] = min(before[0], least), max(before[1], greatest), before[2]
    return ranges, odd
