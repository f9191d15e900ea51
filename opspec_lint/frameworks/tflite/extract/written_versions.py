"""The versions that the converter writes: the `return` values in `GetBuiltinOperatorVersion` of op_version.cc.

The switch over ops is followed as text. No condition is evaluated: the condition of a version is the text of the `if`
around its `return`.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.extract.conditions import condition_of, either
from opspec_lint.frameworks.tflite.extract.functions import find_function, line_of, with_lines
from opspec_lint.frameworks.tflite.extract.layout import DEFAULT
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.resolvers import Irregular

    Written: TypeAlias = dict[str, dict[int, tuple[int, str]]]
    """By op and version, the line of its first `return`, and the condition of all, "" if one is unconditional."""

MARK = "GetBuiltinOperatorVersion"
_TOKEN = pattern(
    r"\bcase\s+(?:\w*::)*BuiltinOperator_(?P<op>\w+)\s*:|(?P<default>\bdefault\s*:)|\breturn\b(?P<value>[^;]{0,200});"
    r"|(?P<leave>\bbreak\s*;)|(?P<brace>[{}])"
)
_NUMBER = pattern(r"\d+")
_CHOICE = pattern(r"[^?:]*\?\s*\d+\s*:\s*(?:[^?:]*\?\s*\d+\s*:\s*)*\d+")
_ALTERNATIVE = pattern(r"[?:]\s*(\d+)")
_SWITCH_DEPTH = 2
"""The number of braces around the labels of the switch: the function's and its own."""


def read(text: str) -> tuple[Written, Irregular]:
    """Return the written versions by op, and irregular statements; DEFAULT is any op without a case."""
    definition = find_function(text, MARK)
    if definition is None:
        return {}, [("", 1, f"it has no function {MARK}")]
    at, body = definition
    return _Cases(body, line_of(text, at)).read()


class _Cases:
    """The cases of the switch, read token by token.

    `_open` are the ops whose case control is in: a case that does not end falls through to the next one. The ops that
    `break` out of the switch get the versions that are returned behind it.
    """

    def __init__(self, body: str, line: int) -> None:
        self._body = body
        self._first_line = line
        self._written: Written = {}
        self._irregular: Irregular = []
        self._open: list[str] = []
        self._left_by_break: list[str] = []
        self._has_ended = True
        # For each open block, whether control always enters it, and its condition.
        self._blocks: list[bool] = []
        self._conditions: list[str] = []

    def read(self) -> tuple[Written, Irregular]:
        """Return the versions by op, and the irregular statements."""
        last = 0
        for line, match in with_lines(self._body, _TOKEN.finditer(self._body)):
            before = self._body[last : match.start()].strip()
            last = match.end()
            kind = match.lastgroup
            if kind == "brace":
                self._follow_brace(match.group(), before)
            elif kind in ("op", "default"):
                if len(self._blocks) == _SWITCH_DEPTH:
                    self._add_label(match["op"] or DEFAULT)
            elif kind == "leave":
                self._left_by_break += self._open
                self._has_ended = self._has_ended or self._is_certain(before)
            else:
                self._add_return(match["value"].strip(), line + self._first_line - 1, self._condition(before))
                self._has_ended = self._has_ended or self._is_certain(before)
        return self._written, self._irregular

    def _follow_brace(self, brace: str, before: str) -> None:
        """Enter or leave a block; behind the switch, go on with the ops that left it."""
        if brace == "{":
            # The function and the switch are always entered; a block with a condition in a case may be skipped.
            self._blocks.append(before in ("", "else") or len(self._blocks) < _SWITCH_DEPTH)
            self._conditions.append(condition_of(before))
            return
        if self._blocks:
            self._blocks.pop()
            self._conditions.pop()
        if len(self._blocks) == _SWITCH_DEPTH - 1:  # the switch has ended
            fallen_through = [] if self._has_ended else self._open
            self._open = [*self._left_by_break, *fallen_through]
            self._has_ended = False

    def _condition(self, before: str) -> str:
        """Return the condition of a statement: its own, or else the one of the block around it."""
        return condition_of(before) or (self._conditions[-1] if self._conditions else "")

    def _is_certain(self, before: str) -> bool:
        """Return whether a statement is reached whenever its case is."""
        return before in ("", "else") and all(self._blocks)

    def _add_label(self, op: str) -> None:
        """Begin the case of an op; without an end before it, the ops of the last case go on."""
        self._open = [op] if self._has_ended else [*self._open, op]
        self._has_ended = False
        self._written.setdefault(op, {})

    def _add_return(self, value: str, line: int, condition: str) -> None:
        """Add the versions that a `return` states to the ops of the current case."""
        if _NUMBER.fullmatch(value):
            versions = [int(value)]
        elif _CHOICE.fullmatch(value):
            versions = [int(number) for number in _ALTERNATIVE.findall(value)]
        else:
            self._irregular += [
                (op, line, f"the converter returns {value!r}, which is not a number") for op in self._open
            ]
            return
        for op in self._open:
            for version in versions:
                first, known = self._written[op].get(version, (line, condition))
                self._written[op][version] = first, either(known, condition)
