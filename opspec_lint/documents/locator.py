"""Lines of the declarations in a spec file, for findings.

Reading a spec keeps no positions, as most specs have no finding.
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
"""The keys of arguments by kind: in a canonical file, and in output of print_op_desc."""
_ARGUMENTS = frozenset(name for names in _SECTIONS.values() for name in names)


class Locator:
    """The places of declarations in the text of a spec file.

    Args:
        file: the name of the file.
        text: its text, JSON or YAML, which has been decoded before.
    """

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._places: Any = _parse_places(text)
        # Offsets of line beginnings, for a binary search of each place.
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]
        self._op_offsets: dict[str, int] = {}
        self._op_values: dict[str, Any] = {}
        members = self._read_members()
        self._names = sorted(self._op_offsets)
        self._histories = self._find_histories(members)
        self._arguments_of: dict[str, dict[tuple[str, str], int]] = {}

    def op(self, name: str) -> Origin | None:
        """Return the place of an op, None if it is not in the file."""
        return self._origin(self._op_offsets.get(name))

    def next_op(self, name: str) -> Origin | None:
        """Return the place of the op after a name in alphabetical order, or of the last op; None without any ops."""
        after = bisect_left(self._names, name)
        return self.op(self._names[min(after, len(self._names) - 1)]) if self._names else None

    def argument(self, op: str, kind: str, name: str) -> Origin | None:
        """Return the place of an input, output or attr of an op, None if it is not in the file."""
        if op not in self._op_values:
            return None
        # Only ops with findings are searched for their arguments, each once: most ops of a file have no finding.
        if op not in self._arguments_of:
            self._arguments_of[op] = {
                (section, argument): at
                for section, _, inside in self._places.members(self._op_values[op])
                if section in _ARGUMENTS
                for argument, at in self._argument_offsets(inside)
            }
        offsets = (self._arguments_of[op].get((section, name)) for section in _SECTIONS[kind])
        return self._origin(next((offset for offset in offsets if offset is not None), None))

    def history(self, op: str) -> Origin | None:
        """Return the place of the version history of an op, None if there is none."""
        return self._origin(self._histories.get(op))

    def _read_members(self) -> dict[str, Any]:
        """Record the ops of the file, and return the value of each member."""
        members: dict[str, Any] = {}
        for key, _, inside in self._places.members(self._places.root):
            members[key] = inside
            # At once, as the ops are most of the file, and what has been read is not skipped again.
            if key == "ops" and self._is_canonical(members):
                self._read_ops(inside)
        if not self._is_canonical(members):
            self._read_ops(self._places.root)
        elif not self._op_values:
            self._read_ops(members["ops"])
        return members

    def _read_ops(self, mapping: Any) -> None:
        """Record the places of ops and of their declarations."""
        for name, at, inside in self._places.members(mapping):
            self._op_offsets[name] = at
            self._op_values[name] = inside

    def _find_histories(self, members: dict[str, Any]) -> dict[str, int]:
        """Return the offset of each op's history."""
        inside = members.get("op_versions")
        if inside is None or not self._places.is_mapping(inside):
            return {}
        return {name: at for name, at, _ in self._places.members(inside)}

    def _is_canonical(self, members: dict[str, Any]) -> bool:
        """Return whether a file is canonical, by its members so far; output of print_op_desc has the ops at its top."""
        # An op of print_op_desc output may be named `opspec`, but then it is a mapping.
        return "opspec" in members and not self._places.is_mapping(members["opspec"])

    def _argument_offsets(self, section: Any) -> Iterator[tuple[str, int]]:
        """Yield the names and offsets of arguments: keys in output of print_op_desc, records in a canonical file."""
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
    """Return the line of each item in the list under a key, for a text that is one mapping."""
    places: Any = _parse_places(text)
    inside = next(inside for name, _, inside in places.members(places.root) if name == key)
    lines, line, previous = [], 1, 0
    for _, at in places.items(inside):
        # From the previous item: a count from the beginning for each would be quadratic in the text.
        line += text.count("\n", previous, at)
        lines.append(line)
        previous = at
    return lines


def _parse_places(text: str) -> JsonPlaces | YamlPlaces:
    if looks_like_json(text):
        from opspec_lint.documents.json_places import JsonPlaces

        return JsonPlaces(text)
    from opspec_lint.documents.yaml_places import YamlPlaces

    return YamlPlaces(text)
