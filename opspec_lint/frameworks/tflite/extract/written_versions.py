"""Which versions the converter writes: what the cases of `GetBuiltinOperatorVersion` in op_version.cc return.

The set of returned versions is read. No condition is evaluated: that of a version is the text of the `if` that its
`return` stands in.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.extract.conditions import condition_of, either
from opspec_lint.frameworks.tflite.extract.functions import function, line_of, numbered
from opspec_lint.frameworks.tflite.extract.layout import DEFAULT
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from opspec_lint.frameworks.tflite.extract.resolvers import Odd

    Written: TypeAlias = dict[str, dict[int, tuple[int, str]]]
    """By op, and by version, the line of the first `return` of it, and its condition, "" where one has none."""

MARK = "GetBuiltinOperatorVersion"
_TOKEN = pattern(
    r"\bcase\s+(?:\w*::)*BuiltinOperator_(?P<op>\w+)\s*:|(?P<default>\bdefault\s*:)|\breturn\b(?P<value>[^;]{0,200});"
    r"|(?P<leave>\bbreak\s*;)|(?P<brace>[{}])"
)
_NUMBER = pattern(r"\d+")
_CHOICE = pattern(r"[^?:]*\?\s*\d+\s*:\s*(?:[^?:]*\?\s*\d+\s*:\s*)*\d+")
_ALTERNATIVE = pattern(r"[?:]\s*(\d+)")
_SWITCH = 2
"""How deep the labels of the function's switch stand."""


def read(text: str) -> tuple[Written, Odd]:
    """Return the versions that each op is written with; those of `DEFAULT` are of every op without a case."""
    found = function(text, MARK)
    if found is None:
        return {}, [("", 1, f"it has no function {MARK}")]
    at, body = found
    return _Cases(body, line_of(text, at)).read()


class _Cases:
    """The cases of the switch; one that does not end with a `return` goes on with the next."""

    def __init__(self, body: str, line: int) -> None:
        self._body = body
        self._first_line = line
        self._written: Written = {}
        self._odd: Odd = []
        self._open: list[str] = []
        self._leaving: list[str] = []
        self._is_over = True
        self._blocks: list[bool] = []
        self._conditions: list[str] = []

    def read(self) -> tuple[Written, Odd]:
        """Go through the body."""
        last = 0
        for line, found in numbered(self._body, _TOKEN.finditer(self._body)):
            before = self._body[last : found.start()].strip()
            last = found.end()
            kind = found.lastgroup
            if kind == "brace":
                self._brace(found.group(), before)
            elif kind in ("op", "default"):
                if len(self._blocks) == _SWITCH:
                    self._label(found["op"] or DEFAULT)
            elif kind == "leave":
                self._leaving += self._open
                self._is_over = self._is_over or self._is_certain(before)
            else:
                self._return(found["value"].strip(), line + self._first_line - 1, self._condition(before))
                self._is_over = self._is_over or self._is_certain(before)
        return self._written, self._odd

    def _brace(self, brace: str, before: str) -> None:
        if brace == "{":
            self._blocks.append(before in ("", "else") or len(self._blocks) < _SWITCH)
            self._conditions.append(condition_of(before))
            return
        if self._blocks:
            self._blocks.pop()
            self._conditions.pop()
        if len(self._blocks) == _SWITCH - 1:  # the switch has ended
            self._open = [*self._leaving, *(() if self._is_over else self._open)]
            self._is_over = False

    def _condition(self, before: str) -> str:
        """Return the condition of a statement: its own, or else that of the block around it."""
        return condition_of(before) or (self._conditions[-1] if self._conditions else "")

    def _is_certain(self, before: str) -> bool:
        """Tell whether a statement is reached whenever its case is."""
        return before in ("", "else") and all(self._blocks)

    def _label(self, op: str) -> None:
        self._open = [op] if self._is_over else [*self._open, op]
        self._is_over = False
        self._written.setdefault(op, {})

    def _return(self, value: str, line: int, condition: str) -> None:
        if _NUMBER.fullmatch(value):
            versions = [int(value)]
        elif _CHOICE.fullmatch(value):
            versions = [int(each) for each in _ALTERNATIVE.findall(value)]
        else:
            self._odd += [(op, line, f"the converter returns {value!r}, which is not a number") for op in self._open]
            return
        for op in self._open:
            for version in versions:
                first, known = self._written[op].get(version, (line, condition))
                self._written[op][version] = first, either(known, condition)
