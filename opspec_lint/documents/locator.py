"""Finds the lines of a spec file that declare what a finding is about.

Only for findings: reading a spec keeps no positions. The text is gone through once, and what is not asked for is
skipped by the JSON decoder itself, at the speed of decoding.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right

from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_SECTIONS = {"input": ("inputs", "Inputs"), "output": ("outputs", "Outputs"), "attr": ("attrs", "Attrs")}
_ARGUMENTS = frozenset(name for names in _SECTIONS.values() for name in names)


class Locator:
    """The places of a spec file's JSON text.

    Args:
        file: what the file is called.
        text: its JSON text, which has been decoded without a fault.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._ops = {name: at for name, at, _ in _members(self._text, self._ops_at())}
        self._names = sorted(self._ops)
        self._histories = self._find_histories()
        self._arguments_of: dict[str, dict[tuple[str, str], int]] = {}

    def op(self, name: str) -> Origin | None:
        """Return where an op is declared, None where it is not."""
        return self._origin(self._ops.get(name))

    def next_op(self, name: str) -> Origin | None:
        """Return where the op that follows a name is declared, the last one where none does; None without any ops."""
        after = bisect_left(self._names, name)
        return self.op(self._names[min(after, len(self._names) - 1)]) if self._names else None

    def argument(self, op: str, kind: str, name: str) -> Origin | None:
        """Return where an input, output or attr of an op is declared, None where it is not."""
        if op not in self._ops:
            return None
        if op not in self._arguments_of:
            self._arguments_of[op] = {
                (section, argument): at
                for section, _, inside in _members(self._text, self._value_of(self._ops[op]))
                if section in _ARGUMENTS
                for argument, at in self._arguments(inside)
            }
        places = (self._arguments_of[op].get((section, name)) for section in _SECTIONS[kind])
        return self._origin(next((at for at in places if at is not None), None))

    def history(self, op: str) -> Origin | None:
        """Return where the version history of an op stands, None where there is none."""
        return self._origin(self._histories.get(op))

    def _find_histories(self) -> dict[str, int]:
        for key, _, inside in _members(self._text, _skip(self._text, 0)):
            if key == "op_versions" and self._text[inside] == "{":
                return {name: at for name, at, _ in _members(self._text, inside)}
        return {}

    def _ops_at(self) -> int:
        """Return where the mapping of ops begins: the whole of a print_op_desc output, a member of a canonical file."""
        start = _skip(self._text, 0)
        members = {key: inside for key, _, inside in _members(self._text, start)}
        canonical = "opspec" in members and self._text[members["opspec"]] != "{"
        return members["ops"] if canonical else start

    def _arguments(self, at: int) -> Iterator[tuple[str, int]]:
        if self._text[at] == "{":
            yield from ((name, place) for name, place, _ in _members(self._text, at))
        else:
            yield from ((record["name"], place) for record, place in _items(self._text, at))

    def _value_of(self, key_at: int) -> int:
        _, end = _DECODER.raw_decode(self._text, key_at)
        return _skip(self._text, _skip(self._text, end) + 1)

    def _origin(self, at: int | None) -> Origin | None:
        if at is None:
            return None
        line = bisect_right(self._lines, at)
        return Origin(file=self._file, line=line, column=at - self._lines[line - 1] + 1)


def lines_of_items(text: str, key: str) -> list[int]:
    """Return the line of each item of the list that a JSON text, which is one object, has under a key."""
    inside = next(inside for name, _, inside in _members(text, _skip(text, 0)) if name == key)
    lines, line, last = [], 1, 0
    for _, at in _items(text, inside):
        line += text.count("\n", last, at)
        lines.append(line)
        last = at
    return lines


def _members(text: str, at: int) -> Iterator[tuple[str, int, int]]:
    """Yield the key, where it stands and where its value begins, for each member of the object at a place."""
    at = _skip(text, at + 1)
    while text[at] != "}":
        key, end = _DECODER.raw_decode(text, at)
        inside = _skip(text, _skip(text, end) + 1)
        yield key, at, inside
        _, end = _DECODER.raw_decode(text, inside)
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _items(text: str, at: int) -> Iterator[tuple[Any, int]]:
    """Yield each item of the list at a place, and where it begins."""
    at = _skip(text, at + 1)
    while text[at] != "]":
        item, end = _DECODER.raw_decode(text, at)
        yield item, at
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
