"""The fix that adds patch entries that existing PIR programs need to a tree's patch files.

An entry is appended to `op_patches`, in the form of its entries. If the op has an entry, the actions are added to it,
since the loader reads the first entry of an op only. The edited file is parsed again: it must have its former content
and the new actions, or else there is no fix.
"""

from __future__ import annotations

import re

from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.extract.dialect.patches import CMAKE, FOLDER
from opspec_lint.frameworks.paddle.saved.pir.patches import NewEntry
from opspec_lint.kit.record import Record
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

_SECTION = "op_patches"
_DEVELOP = re.compile(r"(add_definitions\(\s*-DDEVELOP_VERSION=)(\d{1,3})(?=\s*\))")
_KEY = re.compile(r"^[ \t]*(?:- )?(?:op_name|action|object)([ \t]*):", re.MULTILINE)


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that adds an entry, and makes the loader apply it."""
    entry, cmake = finding.needs, sides.head.text(CMAKE)
    if not isinstance(entry, NewEntry) or cmake is None:
        return
    path = f"{FOLDER}/patch/{entry.number}.yaml"
    if sides.head.text(path) is None and sides.head.read(path) is not None:
        # A file that exists but has no text is not UTF-8.
        return
    edits = _entry_edits(sides.head, path, entry)
    version = _DEVELOP.search(cmake.text)
    # Without DEVELOP_VERSION it is unknown which files the loader applies.
    if edits and version is not None:
        if entry.is_next:
            edits.append(cmake.edit(version.start(2), version.end(2), "0"))
        description = f"add the patch of '{entry.op}' to patch/{entry.number}.yaml"
        yield Fix(description=description, safety="safe" if entry.is_exact else "unsafe", edits=tuple(edits))


def _entry_edits(files: Files, path: str, entry: NewEntry) -> list[Edit]:
    """Return the edits that add an entry to a file; none if it cannot be added."""
    file = files.text(path) or files.memory.setdefault(("new", path), files.new(path))
    before = patch_files.parse(file.text, path, entry.number)
    if any(problem.op is None for problem in before.problems):
        # Problems without an op concern the form of the file.
        return []
    if file.data is None:
        edits = [file.edit(0, 0, f"{_SECTION}:\n"), file.edit(0, 0, _EntryStyle().format_entry(entry))]
    else:
        edits = list(_edits(file, entry))
    after = patch_files.parse(file.with_edits(edits).decode(), path, entry.number)
    added = patch_files.parse(f"{_SECTION}:\n{_EntryStyle().format_entry(entry)}", path, entry.number)
    # The lines of actions change, and do not count.
    old, new, own = (
        sorted(repr(action.replace(line=0)) for action in patch_file.actions) for patch_file in (before, after, added)
    )
    is_new = set(own).isdisjoint(old) and not added.problems
    is_complete = new == sorted(old + own) and len(after.problems) == len(before.problems)
    return edits if is_new and is_complete else []


class _EntryStyle(Record):
    """The style of the entries of a file: their indentation, the space before a colon, and flow style (`{}`)."""

    indent: str = "  "
    space: str = " "
    is_flow: bool = False

    def format_entry(self, entry: NewEntry) -> str:
        """Return an entry as lines."""
        if self.is_flow:
            return f"{self.indent}- {{op_name: {entry.op}, actions: [{_format_flow(entry)}]}}\n"
        head = f"{self.indent}- op_name{self.space}: {entry.op}\n{self.indent}  actions:\n"
        return head + self.format_actions(entry, f"{self.indent}    ")

    def format_actions(self, entry: NewEntry, indent: str) -> str:
        """Return the actions of an entry as lines."""
        action_lines = ([f"{key}{self.space}: {value}" for key, value in action] for action in entry.actions)
        return "".join(
            f"{indent}- {first}\n" + "".join(f"{indent}  {line}\n" for line in rest) for first, *rest in action_lines
        )


def _format_flow(entry: NewEntry) -> str:
    """Return the actions of an entry in flow style."""
    return ", ".join("{" + ", ".join(f"{key}: {value}" for key, value in action) + "}" for action in entry.actions)


def _edits(file: TextFile, entry: NewEntry) -> Iterator[Edit]:
    """Yield the edits that add an entry to a file."""
    from opspec_lint.documents.yaml_places import end_of, places_of

    places = places_of(file.text)
    if places is None:
        return
    section = next((value for key, _, value in places.members(places.root) if key == _SECTION), None)
    if section is None or not section.value:
        yield from _first_entry_edits(file, entry, section)
        return
    op_entry = next((item for item in section.value if _member(item, "op_name") == entry.op), None)
    last = section.value[-1]
    key = _KEY.search(file.text)
    form = _EntryStyle(indent=_indentation(file, last), space=key[1] if key else " ", is_flow=bool(last.flow_style))
    if op_entry is not None:
        yield from _action_edits(file, entry, op_entry, form)
    elif section.flow_style:  # type: ignore[attr-defined]
        at = end_of(last)
        yield file.edit(at, at, f", {{op_name: {entry.op}, actions: [{_format_flow(entry)}]}}")
    else:
        yield from _line_edits(file, end_of(last), form.format_entry(entry))


def _first_entry_edits(file: TextFile, entry: NewEntry, section: Any) -> Iterator[Edit]:
    """Yield the edits for a file without entries; `section` is its empty list, None if there is none."""
    text = _EntryStyle().format_entry(entry)
    if section is None:
        end = len(file.text)
        if file.text and not file.text.endswith("\n"):
            yield file.edit(end, end, "\n")
        yield file.edit(end, end, f"{_SECTION}:\n")
        yield file.edit(end, end, text)
        return
    start, end = section.start_mark.index, section.end_mark.index
    if file.text[start:end].strip():
        # `op_patches: []` loses its list, with the blanks before it.
        yield file.edit(len(file.text[:start].rstrip(" ")), end, "")
    # A section without a value ends with the colon of its key.
    last = file.text.rfind(":", 0, max(start, 1)) if start == end else end - 1
    yield from _line_edits(file, last, text)


def _action_edits(file: TextFile, entry: NewEntry, op_entry: Any, form: _EntryStyle) -> Iterator[Edit]:
    """Yield the edit that adds actions to the existing entry of an op."""
    from opspec_lint.documents.yaml_places import end_of

    actions = next((value for key, value in op_entry.value if key.value == "actions"), None)
    if actions is None or not getattr(actions, "value", None) or isinstance(actions.value, str):
        return
    at = end_of(actions.value[-1])
    if actions.flow_style:
        yield file.edit(at, at, f", {_format_flow(entry)}")
    else:
        yield from _line_edits(file, at, form.format_actions(entry, _indentation(file, actions.value[-1])))


def _line_edits(file: TextFile, at: int, text: str) -> Iterator[Edit]:
    """Yield the edits that insert lines behind the line at an offset."""
    end = file.line_end(max(at - 1, 0))
    if not file.text[:end].endswith("\n"):
        yield file.edit(end, end, "\n")
    yield file.edit(end, end, text)


def _indentation(file: TextFile, item: Any) -> str:
    """Return the white space before the dash of an item."""
    dash = file.text.rfind("-", 0, item.start_mark.index)
    before = file.text[file.line_start(dash) : dash]
    return before if not before.strip(" ") else "  "


def _member(node: Any, name: str) -> str | None:
    """Return the text under a key of a YAML node; None if there is none."""
    pairs = node.value if isinstance(node.value, list) else ()
    return next((value.value for key, value in pairs if key.value == name), None)


FIXER = Fixer(
    rules=(
        *("attr_added_unpatched", "attr_renamed_unpatched", "attr_type_unpatched"),
        *("input_removed_unpatched", "op_renamed_unpatched", "output_added_unpatched"),
    ),
    fixes=fixes,
)
