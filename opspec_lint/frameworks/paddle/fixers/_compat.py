"""The restoration of members of op_compat.yaml, which names the arguments of PIR ops as programs do.

The member of base is written into head's entry of the op: in its place if it is there with another value, else behind
the member that it followed. It is a guess: the argument itself may have another name on purpose. The edited file is
parsed again: it must have its former content and the member of base, or else there is no fix.
"""

from __future__ import annotations

import posixpath

import yaml

from opspec_lint.documents.yaml_places import end_of, places_of
from opspec_lint.fixes.fix import Fix
from opspec_lint.frameworks.paddle.fixers import _yaml_entries
from opspec_lint.frameworks.paddle.fixers._places import YAML, place_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding

    Path: TypeAlias = tuple[str, ...]
    """The keys that lead to a member of an entry: `("attrs", "p")`."""

_COMPAT = "op_compat.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Member(Record):
    """A member of an entry: its path, and the nodes of its key, its value and the mapping that it is in."""

    path: Path
    key: Any
    value: Any
    parent: Any


class _Side(Record):
    """An entry of op_compat.yaml in base or head: its file with all entries, its node, and its members by path."""

    file: TextFile
    entries: list[Any]
    entry: Any
    members: Mapping[Path, _Member]


def restored_members(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix that writes the member of base again that a finding is about."""
    base = _base_side(finding, sides.base)
    if base is None:
        return
    file = sides.head.text(base.file.path)
    entries = [] if file is None else _entries(sides.head, file)
    op = _op_of(base.entry)
    same = [entry for entry in entries if _op_of(entry) == op]
    if file is None or len(same) > 1:
        return
    if not same:
        edit = _entry_edit(base, file, entries)
        if edit is not None:
            yield _fix(f"restore the entry '{op}' of {_COMPAT}", edit)
        return
    head = _side(file, entries, same[0])
    for path in _candidates(finding, base):
        edit = _member_edit(base, head, path)
        if edit is not None:
            yield _fix(f"restore `{path[-1]}` in the entry '{op}' of {_COMPAT}", edit)
            return


def _fix(description: str, edit: Edit) -> Fix:
    """Return an unsafe fix of one edit."""
    return Fix(description=description, safety="unsafe", edits=(edit,))


def _base_side(finding: Finding, files: Files) -> _Side | None:
    """Return the entry of base that a finding is about: the one at its place, or of the op that its place declares."""
    place = place_of(finding.base_origin, files)
    if place is None:
        return None
    declared, at = place
    if not declared.path.endswith(YAML):
        return None
    is_compat = posixpath.basename(declared.path) == _COMPAT
    file = declared if is_compat else files.text(posixpath.join(posixpath.dirname(declared.path), _COMPAT))
    if file is None:
        return None
    entries = _entries(files, file)
    if is_compat:
        above = [entry for entry in entries if entry.start_mark.index < file.line_end(at)]
        entry = above[-1] if above else None
    else:
        own = _yaml_entries.entry_at(declared.text, declared.line_end(at) - 1)
        entry = next((entry for entry in entries if own is not None and _op_of(entry) == own.op), None)
    return None if entry is None else _side(file, entries, entry)


def _entries(files: Files, file: TextFile) -> list[Any]:
    """Return the nodes of all entries of a file; none if it is no list of entries."""
    # Findings of one file come in a row: the file is parsed once for all of them.
    key = "op_compat", file.path
    if key not in files.memory:
        places = places_of(file.text)
        root = None if places is None else places.root
        files.memory[key] = [node for node in root.value if _op_of(node)] if isinstance(root, yaml.SequenceNode) else []
    entries: list[Any] = files.memory[key]
    return entries


def _op_of(entry: Any) -> str:
    """Return the PIR name of the op of an entry, `sum` of `op : sum (reduce_sum)`; "" if it has none."""
    pairs = entry.value if isinstance(entry, yaml.MappingNode) else ()
    names = (str(value.value) for key, value in pairs if key.value == "op" and isinstance(value, yaml.ScalarNode))
    return next(names, "").partition("(")[0].strip()


def _side(file: TextFile, entries: list[Any], entry: Any) -> _Side:
    """Return an entry with its members."""
    members = {member.path: member for member in _members(entry, ())}
    return _Side(file=file, entries=entries, entry=entry, members=members)


def _members(mapping: Any, above: Path) -> Iterator[_Member]:
    """Yield the members of a mapping, each before the members of its value."""
    for key, value in mapping.value:
        member = _Member(path=(*above, str(key.value)), key=key, value=value, parent=mapping)
        yield member
        if isinstance(value, yaml.MappingNode):
            yield from _members(value, member.path)


def _candidates(finding: Finding, base: _Side) -> list[Path]:
    """Return the members of base that may be lost: those that name the argument, or the op for a finding about it."""
    if finding.kind == "op":
        return [path for path in base.members if len(path) == 1 and path[0] in ("op", "backward")]
    renamed = {
        path[-1]
        for path, member in base.members.items()
        if isinstance(member.value, yaml.ScalarNode) and finding.name in (path[-1], member.value.value)
    }
    return [path for path in base.members if len(path) > 1 and not renamed.isdisjoint(path)]


def _member_edit(base: _Side, head: _Side, path: Path) -> Edit | None:
    """Return the edit that gives head the member of base, None if it has it or cannot get it."""
    # The outermost mapping on the way that head lacks is restored as a whole.
    depth = next((length for length in range(1, len(path) + 1) if path[:length] not in head.members), None)
    restored = base.members[path[:depth]]
    present = head.members.get(restored.path)
    if present is None:
        parent = head.entry if len(restored.path) == 1 else head.members[restored.path[:-1]].value
        edit = _insertion(base, head, restored, parent)
    else:
        edit = _replacement(base, head, restored, present)
    if edit is None:
        return None
    expected = _loaded(head.file.text)
    mapping = expected[head.entries.index(head.entry)]
    for key in restored.path[:-1]:
        # A key without a value gets the mapping.
        mapping[key] = mapping.get(key) or {}
        mapping = mapping[key]
    mapping[restored.path[-1]] = _value_at(_loaded(base.file.text)[base.entries.index(base.entry)], restored.path)
    return edit if _loaded(head.file.with_edits([edit]).decode()) == expected else None


def _insertion(base: _Side, head: _Side, restored: _Member, parent: Any) -> Edit | None:
    """Return the edit that inserts a member into a mapping of head, or below a key that has no value."""
    file = head.file
    order = [member.path[-1] for member in base.members.values() if member.parent is restored.parent]
    at = order.index(restored.path[-1])
    pairs = parent.value if isinstance(parent, yaml.MappingNode) else ()
    keys = {str(key.value): key for key, _ in pairs}
    values = {str(key.value): value for key, value in pairs}
    # The nearest members in head before and behind the restored one, in the order of base.
    previous = next((name for name in reversed(order[:at]) if name in keys), None)
    following = next((name for name in order[at + 1 :] if name in keys), None)
    text = base.file.text[restored.key.start_mark.index : end_of(restored.value)]
    if isinstance(parent, yaml.MappingNode) and parent.flow_style:
        if "\n" in text:
            return None
        if previous is not None:
            end = end_of(values[previous])
            return file.edit(end, end, f", {text}")
        if following is not None:
            start = keys[following].start_mark.index
            return file.edit(start, start, f"{text}, ")
        return None
    old_column = restored.key.start_mark.column
    column = next(iter(keys.values())).start_mark.column if keys else old_column
    lines = f"{' ' * column}{_shifted(text, column - old_column)}\n"
    if previous is not None:
        return _line_behind(file, end_of(values[previous]), lines)
    if following is not None:
        start = file.line_start(keys[following].start_mark.index)
        return file.edit(start, start, lines)
    return _line_behind(file, parent.start_mark.index, lines)


def _shifted(text: str, shift: int) -> str:
    """Return lines with the ones after the first indented by more or fewer blanks."""
    first, *rest = text.split("\n")
    return "\n".join([first, *(_shifted_line(line, shift) for line in rest)])


def _shifted_line(line: str, shift: int) -> str:
    """Return a line with `shift` more blanks at its start; a negative shift removes blanks, and nothing else."""
    if shift > 0:
        return " " * shift + line
    indent = len(line) - len(line.lstrip(" "))
    return line[min(-shift, indent) :]


def _line_behind(file: TextFile, at: int, lines: str) -> Edit:
    """Return the edit that inserts lines behind the line that ends at an offset."""
    end = file.line_end(max(at - 1, 0))
    gap = "" if file.text[:end].endswith("\n") else "\n"
    return file.edit(end, end, gap + lines)


def _replacement(base: _Side, head: _Side, restored: _Member, present: _Member) -> Edit | None:
    """Return the edit that gives a member of head the value of base, None if that is no value on one line."""
    new, old = (
        side.file.text[member.value.start_mark.index : end_of(member.value)]
        for side, member in ((base, restored), (head, present))
    )
    if "\n" in new or "\n" in old or new == old:
        return None
    start = present.value.start_mark.index
    return head.file.edit(start, start + len(old), new)


def _entry_edit(base: _Side, file: TextFile, entries: list[Any]) -> Edit | None:
    """Return the edit that writes the whole entry of base behind the entry that it followed."""
    at = base.entries.index(base.entry)
    by_op = {_op_of(entry): entry for entry in entries}
    above = (by_op.get(_op_of(entry)) for entry in reversed(base.entries[:at]))
    previous = next((entry for entry in above if entry is not None), None)
    start = base.file.line_start(base.entry.start_mark.index)
    lines = base.file.text[start : base.file.line_end(end_of(base.entry) - 1)]
    if previous is None:
        first = 0 if not entries else file.line_start(entries[0].start_mark.index)
        edit = file.edit(first, first, f"{lines}\n")
    else:
        edit = _line_behind(file, end_of(previous), f"\n{lines}")
    expected = _loaded(file.text) or []
    expected.insert(0 if previous is None else entries.index(previous) + 1, _loaded(base.file.text)[at])
    return edit if _loaded(file.with_edits([edit]).decode()) == expected else None


def _loaded(text: str) -> Any:
    """Return the entries of a file as values, None if it is not valid; other items than entries are left out."""
    try:
        loaded = yaml.load(text, Loader=_LOADER)  # noqa: S506 - it is a safe one
    except yaml.YAMLError:
        return None
    return [entry for entry in loaded if isinstance(entry, dict) and entry.get("op")] if loaded else loaded


def _value_at(entry: Any, path: Path) -> Any:
    """Return the value of a member of an entry."""
    for key in path:
        entry = entry[key]
    return entry
