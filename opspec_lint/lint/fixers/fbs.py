"""Puts back into a schema (`.fbs`) what base has: fields in their slots, values and members under their numbers.

Each fix is tried: the schema is read again with its edits, and all that base numbers, and that had its number before,
must have it still.
"""

from __future__ import annotations

from opspec_lint.documents.fbs.written import attribute_span, number_span, with_attributes, written
from opspec_lint.fixes.fix import Fix
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.documents.fbs.written import Item, Written, WrittenDeclaration
    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Origin

_REQUIRED: tuple[RuleId, ...] = ("slot_added_required", "slot_required_set")
_RESTORED: tuple[RuleId, ...] = (
    *("slot_removed", "slot_reassigned", "enum_value_removed", "enum_value_renumbered"),
    *("union_member_removed", "union_member_retyped"),
)
_OTHERS = (".json", ".yaml", ".yml")


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a finding about a declaration."""
    if finding.rule in _REQUIRED:
        name = finding.new_name or finding.name or ""
        yield from _optional(_side(sides.head, finding.head_origin, finding.op, name), name)
        return
    base = _side(sides.base, finding.base_origin, finding.op, finding.name)
    head = None if base is None else _side(sides.head, finding.head_origin, base.declared.declared.name)
    if base is not None and head is not None and base.declared.declared.form == head.declared.declared.form:
        yield from _Restoration(base, head).fixes(finding.name or "")


class _Side(Record):
    """A declaration of one side, in its file."""

    files: Files
    path: str
    file: TextFile
    schema: Written
    declared: WrittenDeclaration

    def with_edits(self, edits: Iterable[Edit]) -> WrittenDeclaration | None:
        """Return the declaration as it is after some edits; None if the schema is none then."""
        try:
            schema = written(self.file.with_edits(edits), self.path, self.files.read, self.files.include)
        except InputError:
            return None
        return schema.declarations.get(self.declared.declared.name)


def _side(files: Files, place: Origin | None, name: str | None, item: str | None = None) -> _Side | None:
    """Return a declaration of a file, by its name, or by an item that stands at a place; None if there is none."""
    if place is None or place.file.endswith(_OTHERS):
        return None
    file = files.text(place.file)
    key = "fbs", place.file
    if file is not None and key not in files.memory:
        files.memory[key] = _written(files, place.file, file)
    schema: Written | None = files.memory.get(key)
    if file is None or schema is None:
        return None
    found = schema.declarations.get(name or "") or next(
        (each for each in schema.declarations.values() if _stands_at(file, place, each.item(item))), None
    )
    return None if found is None else _Side(files=files, path=place.file, file=file, schema=schema, declared=found)


def _stands_at(file: TextFile, place: Origin, item: Item | None) -> bool:
    return item is not None and file.line_of(item.start) == place.line


def _written(files: Files, path: str, file: TextFile) -> Written | None:
    try:
        return written(file.data or b"", path, files.read, files.include)
    except InputError:
        return None


def _optional(head: _Side | None, name: str) -> Iterator[Fix]:
    """Yield the fix that takes `required` from a field."""
    item = None if head is None else head.declared.item(name)
    span = None if head is None or item is None else attribute_span(head.schema.blank, item, "required")
    if head is None or span is None:
        return
    edit = head.file.edit(*span, "")
    after = head.with_edits((edit,))
    found = None if after is None else after.item(name)
    if after is not None and found is not None and "required" not in found.attributes:
        description = f"remove `required` from '{name}' of '{head.declared.declared.name}'"
        yield Fix(description=description, safety="safe", edits=(edit,))


def _is_needed(item: Item) -> bool:
    """Tell whether an old reader refuses or missorts a table without a field, so that it cannot be deprecated."""
    return not {"required", "key"}.isdisjoint(item.attributes)


class _Restoration:
    """The parts of base's declaration that head's does not have."""

    def __init__(self, base: _Side, head: _Side) -> None:
        self._base, self._head = base, head
        self._before, self._now = base.declared.numbers, head.declared.numbers
        self._form = head.declared.declared.form
        self._missing = [each for each in base.declared.items if each.name not in self._now]
        self._has_ids = any("id" in each.attributes for each in head.declared.items)

    def fixes(self, name: str) -> Iterator[Fix]:
        """Yield the fix that restores an item: the first one of the ways that does so, the one with the least edits."""
        if name not in self._before:
            return
        for edits in self._ways(name):
            if edits and self._restores(name, edits):
                yield Fix(description=self._description(name), safety="safe", edits=tuple(edits))
                return

    def _ways(self, name: str) -> Iterator[list[Edit]]:
        """Yield edits that may restore an item: it alone, all that is missing, or every number spelt out."""
        yield self._inserted([each for each in self._missing if each.name == name])
        yield self._inserted(self._missing)
        if self._form in ("enum", "union"):
            yield self._numbered()
        elif self._form == "table":
            yield self._identified()

    def _restores(self, name: str, edits: list[Edit]) -> bool:
        after = self._head.with_edits(edits)
        if after is None:
            return False
        numbers = after.numbers
        kept = {each for each, number in self._before.items() if self._now.get(each) == number}
        return all(numbers.get(each) == self._before[each] for each in (*kept, name))

    def _description(self, name: str) -> str:
        number, whole = self._before[name], f"'{self._head.declared.declared.name}'"
        if self._form == "table":
            is_deprecated = any(each.name == name and not _is_needed(each) for each in self._missing)
            return f"put '{name}' back into slot {number} of {whole}{', deprecated' if is_deprecated else ''}"
        return f"put '{name}' = {number} back into {whole}"

    def _inserted(self, items: Iterable[Item], numbers: Mapping[str, int] | None = None) -> list[Edit]:
        """Return the edits that insert items of base behind those that they follow in base."""
        edits: list[Edit] = []
        for item in items:
            text = self._text(item, None if numbers is None else numbers[item.name])
            edits += [each for each in self._insertion(item, text) if each not in edits]
        return edits

    def _insertion(self, item: Item, text: str) -> list[Edit]:
        head, end = self._head, ";" if self._form in ("table", "struct") else ","
        names = [each.name for each in self._base.declared.items]
        above = (head.declared.item(each) for each in reversed(names[: names.index(item.name)]))
        before = next((each for each in above if each is not None), None)
        first = next(iter(head.declared.items), None)
        if before is None:
            at = head.declared.body if first is None else first.start
            indent = None if first is None else self._indent(first)
            if indent is not None:
                at = head.file.line_start(at)
                return [head.file.edit(at, at, f"{indent}{text}{end}\n")]
            return [head.file.edit(at, at, f"{text}{end} " if first is not None else f" {text}{end} ")]
        indent = self._indent(before)
        behind = head.file.line_end(before.after)
        if indent is None or head.schema.blank[before.after : behind].strip():
            at = before.after if end == ";" else before.end
            return [head.file.edit(at, at, f" {text};" if end == ";" else f", {text}")]
        comma = [] if before.after > before.end else [head.file.edit(before.end, before.end, end)]
        return [*comma, head.file.edit(behind, behind, f"{indent}{text}{end}\n")]

    def _indent(self, item: Item) -> str | None:
        """Return the white space before an item, None if anything else stands before it in its line."""
        file = self._head.file
        before = file.text[file.line_start(item.start) : item.start]
        return before if not before.strip(" \t") else None

    def _text(self, item: Item, number: int | None) -> str:
        """Return an item of base as head is to have it: on one line, and with its number unless that is None."""
        blank = self._base.schema.blank
        text = blank[item.start : item.end]
        if self._form in ("table", "struct"):
            ids = [f"id: {item.number}"] if self._has_ids or number is not None else []
            text = with_attributes(
                text,
                has_some=bool(item.attributes),
                add=[*([] if _is_needed(item) else ["deprecated"]), *ids],
                drop=() if ids else ("id",),
            )
        elif number is not None:
            start, end = (each - item.start for each in number_span(blank, item))
            text = f"{text[:start]} = {self._spelt(number)}{text[end:]}"
        return " ".join(text.split()) if "\n" in text else text

    def _numbered(self) -> list[Edit]:
        """Return the edits that give every item of base its number, and others numbers that base has not."""
        edits = self._inserted(self._missing, self._before)
        taken = set(self._before.values())
        taken |= {number for name, number in self._now.items() if name not in self._before and number not in taken}
        fresh = max(taken) + 1 if not self._is_flags else 2 * max(taken)
        last: int | None = None
        for item in self._head.declared.items:
            wanted = self._before.get(item.name, item.number)
            if item.name not in self._before and wanted in self._before.values():
                wanted, fresh = fresh, (2 * fresh if self._is_flags else fresh + 1)
            start, end = number_span(self._head.schema.blank, item)
            if start == end and not self._follows(wanted, last, has_more=bool(self._missing)):
                edits.append(self._head.file.edit(end, end, f" = {self._spelt(wanted)}"))
            elif start != end and wanted != item.number:
                edits.append(self._head.file.edit(start, end, f" = {self._spelt(wanted)}"))
            last = wanted
        return edits

    @property
    def _is_flags(self) -> bool:
        return self._head.declared.declared.is_bit_flags

    def _spelt(self, number: int) -> int:
        return number.bit_length() - 1 if self._is_flags else number

    def _follows(self, number: int, last: int | None, *, has_more: bool) -> bool:
        """Tell whether a number is counted to behind the last one; nothing is, where items are inserted."""
        if has_more:
            return False
        if last is None:
            return self._spelt(number) == (1 if self._form == "union" else 0)
        return self._spelt(number) == self._spelt(last) + 1

    def _identified(self) -> list[Edit]:
        """Return the edits that give every field of a table its id: those of base their slots, others the next ones."""
        head = self._head
        edits = self._inserted(self._missing, self._before)
        fresh = max(self._before.values(), default=-1) + 1
        kinds = {each.name: each.type.strip("[]") for each in head.declared.declared.fields}
        for item in head.declared.items:
            slot = self._before.get(item.name)
            if slot is None:
                declared = head.schema.declarations.get(kinds[item.name])
                slot = fresh + (declared is not None and declared.declared.form == "union")
                fresh = slot + 1
            text = head.file.text[item.start : item.end]
            new = with_attributes(text, has_some=bool(item.attributes), add=[f"id: {slot}"])
            if str(item.attributes.get("id")) != str(slot):
                edits.append(head.file.edit(item.start, item.end, new))
        return edits


FIXER = Fixer(rules=(*_REQUIRED, *_RESTORED), fixes=fixes)
