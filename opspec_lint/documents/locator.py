"""Finds the lines of a spec file that declare what a finding is about.

Only for findings: reading a spec keeps no positions.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from opspec_lint.documents.decode import looks_like_json
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.documents.json_places import JsonPlaces
    from opspec_lint.documents.yaml_places import YamlPlaces

_SECTIONS = {"input": ("inputs", "Inputs"), "output": ("outputs", "Outputs"), "attr": ("attrs", "Attrs")}
_ARGUMENTS = frozenset(name for names in _SECTIONS.values() for name in names)


class Locator:
    """The places of a spec file's text.

    Args:
        file: what the file is called.
        text: its text, JSON or YAML, which has been decoded without a fault.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._places: Any = _places(text)
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        members = self._members()
        self._ops = {name: (at, inside) for name, at, inside in self._places.members(self._all_ops(members))}
        self._names = sorted(self._ops)
        self._histories = self._find_histories(members)
        self._arguments_of: dict[str, dict[tuple[str, str], int]] = {}

    def op(self, name: str) -> Origin | None:
        """Return where an op is declared, None where it is not."""
        return self._origin(self._ops[name][0]) if name in self._ops else None

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
                for section, _, inside in self._places.members(self._ops[op][1])
                if section in _ARGUMENTS
                for argument, at in self._arguments(inside)
            }
        places = (self._arguments_of[op].get((section, name)) for section in _SECTIONS[kind])
        return self._origin(next((at for at in places if at is not None), None))

    def history(self, op: str) -> Origin | None:
        """Return where the version history of an op stands, None where there is none."""
        return self._origin(self._histories.get(op))

    def _members(self) -> dict[str, Any]:
        """Return the value of each member of the file."""
        return {key: inside for key, _, inside in self._places.members(self._places.root)}

    def _find_histories(self, members: dict[str, Any]) -> dict[str, int]:
        """Return where the history of each op stands, of a file with these members."""
        inside = members.get("op_versions")
        if inside is None or not self._places.is_mapping(inside):
            return {}
        return {name: at for name, at, _ in self._places.members(inside)}

    def _all_ops(self, members: dict[str, Any]) -> Any:
        """Return the mapping of ops: the whole of a print_op_desc output, a member of a canonical file."""
        canonical = "opspec" in members and not self._places.is_mapping(members["opspec"])
        return members["ops"] if canonical else self._places.root

    def _arguments(self, section: Any) -> Iterator[tuple[str, int]]:
        if self._places.is_mapping(section):
            yield from ((name, place) for name, place, _ in self._places.members(section))
        else:
            yield from ((record["name"], place) for record, place in self._places.items(section))

    def _origin(self, at: int | None) -> Origin | None:
        if at is None:
            return None
        line = bisect_right(self._lines, at)
        return Origin(file=self._file, line=line, column=at - self._lines[line - 1] + 1)


def lines_of_items(text: str, key: str) -> list[int]:
    """Return the line of each item of the list that a text, which is one mapping, has under a key."""
    places: Any = _places(text)
    inside = next(inside for name, _, inside in places.members(places.root) if name == key)
    lines, line, last = [], 1, 0
    for _, at in places.items(inside):
        line += text.count("\n", last, at)
        lines.append(line)
        last = at
    return lines


def _places(text: str) -> JsonPlaces | YamlPlaces:
    if looks_like_json(text):
        from opspec_lint.documents.json_places import JsonPlaces

        return JsonPlaces(text)
    from opspec_lint.documents.yaml_places import YamlPlaces

    return YamlPlaces(text)
