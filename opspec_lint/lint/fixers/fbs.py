"""Fixes for FlatBuffers schemas (`.fbs`): put fields back into their slots, values and members under their numbers.

A field gets its type or its default value of base again; the other one of the two stays as head declares it.

1. Candidate edits: insert the item alone; insert all missing items; write out every number or `id`.
2. Each candidate is applied in memory, and the schema is parsed again.
3. The first candidate that gives the item its number of base, and moves no other item of base, is the fix. If an item
   needs that every number is written, all items of the declaration do: fixes are applied together.
"""

from __future__ import annotations

from functools import cached_property

from opspec_lint.documents.fbs.editable import attribute_span, number_span, read_for_editing, with_attributes
from opspec_lint.fixes.fix import Fix
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.lint.fixer import Fixer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.documents.fbs.editable import EditableDeclaration, EditableItem, EditableSchema
    from opspec_lint.documents.fbs.schema import SchemaField
    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import Edit, TextFile
    from opspec_lint.lint.fixer import Sides
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.ids import RuleId
    from opspec_lint.spec.model import Origin

_DECLARED: tuple[RuleId, ...] = (  # a field has another type or default value
    *("slot_default_changed", "slot_type_changed", "slot_width_changed", "struct_field_resized"),
    *("slot_byte_to_bool", "slot_bytes_to_string", "slot_string_to_bytes"),
)
_REQUIRED: tuple[RuleId, ...] = ("slot_added_required", "slot_required_set")
_RESTORED: tuple[RuleId, ...] = (  # an item is gone, or under another number
    *("slot_removed", "slot_reassigned", "enum_value_removed", "enum_value_renumbered"),
    *("union_member_removed", "union_member_retyped"),
)
# Origins of findings in spec files; any other file is tried as a schema, as its name may end in anything.
_NOT_SCHEMAS = (".json", ".yaml", ".yml")


def fixes(finding: Finding, sides: Sides) -> Iterator[Fix]:
    """Yield the fix of a finding: a field that is optional again, or an item that is back in its place."""
    if finding.rule in _REQUIRED:
        name = finding.new_name or finding.name or ""
        yield from _without_required(_side(sides.head, finding.head_origin, finding.op, name), name)
        return
    base = _side(sides.base, finding.base_origin, finding.op, finding.name)
    head = None if base is None else _side(sides.head, finding.head_origin, base.declared.declared.name)
    if base is None or head is None or base.declared.declared.form != head.declared.declared.form:
        return
    if finding.rule in _DECLARED:
        yield from _redeclared(base, head, finding.name or "", is_default=finding.rule == "slot_default_changed")
    else:
        yield from _restoration(base, head).fixes(finding.name or "")


class _Side(Record):
    """A declaration of base or head, with its file and the parsed schema."""

    files: Files
    path: str
    file: TextFile
    schema: EditableSchema
    declared: EditableDeclaration

    def with_edits(self, edits: Iterable[Edit]) -> EditableDeclaration | None:
        """Return the declaration after edits of its file; None if the file no longer parses or lacks it."""
        try:
            schema = read_for_editing(self.file.with_edits(edits), self.path, self.files.read, self.files.include)
        except InputError:
            return None
        return schema.declarations.get(self.declared.declared.name)


def _side(files: Files, place: Origin | None, name: str | None, item: str | None = None) -> _Side | None:
    """Return the declaration `name` of a file, or else the one whose item `item` is at the line of `place`."""
    file = None if place is None or place.file.endswith(_NOT_SCHEMAS) else files.text(place.file)
    if place is None or file is None:
        return None
    # Findings of one schema come in a row: the file is parsed once for all of them.
    key = "fbs", place.file
    if key not in files.memory:
        files.memory[key] = _read_schema(files, place.file, file)
    schema: EditableSchema | None = files.memory[key]
    if schema is None:
        return None
    declaration = schema.declarations.get(name or "")
    if declaration is None:
        with_item = (
            candidate for candidate in schema.declarations.values() if _starts_at(file, place, candidate.item(item))
        )
        declaration = next(with_item, None)
    if declaration is None:
        return None
    return _Side(files=files, path=place.file, file=file, schema=schema, declared=declaration)


def _starts_at(file: TextFile, place: Origin, item: EditableItem | None) -> bool:
    """Return whether an item begins at the line of a place."""
    return item is not None and file.line_of(item.start) == place.line


def _read_schema(files: Files, path: str, file: TextFile) -> EditableSchema | None:
    """Return the parsed schema of a file, None if the file is no schema."""
    try:
        return read_for_editing(file.data or b"", path, files.read, files.include)
    except InputError:
        return None


def _without_required(head: _Side | None, name: str) -> Iterator[Fix]:
    """Yield the fix that removes the attribute `required` of a field."""
    item = None if head is None else head.declared.item(name)
    span = None if head is None or item is None else attribute_span(head.schema.blank, item, "required")
    if head is None or span is None:
        return
    edit = head.file.edit(*span, "")
    after = head.with_edits((edit,))
    item_after = None if after is None else after.item(name)
    if after is not None and item_after is not None and "required" not in item_after.attributes:
        description = f"remove `required` from '{name}' of '{head.declared.declared.name}'"
        yield Fix(description=description, safety="safe", edits=(edit,))


def _redeclared(base: _Side, head: _Side, name: str, *, is_default: bool) -> Iterator[Fix]:
    """Yield the fix that gives a field of head the default value of base, or its type."""
    old, new = base.declared.item(name), head.declared.item(name)
    if old is None or new is None:
        return
    type_in_base, default_in_base = _type_and_default(base.schema.blank, old)
    type_in_head, default_in_head = _type_and_default(head.schema.blank, new)
    start, end = default_in_base if is_default else type_in_base
    edit = head.file.edit(*(default_in_head if is_default else type_in_head), base.schema.text[start:end])
    in_base, restored = _field(base.declared, name), _field(head.with_edits((edit,)), name)
    if in_base is None or restored is None:
        return
    # The text of a type may mean something else in head, so the edited file decides.
    if (in_base.default == restored.default) if is_default else (in_base.type == restored.type):
        what = "default value" if is_default else "type"
        yield Fix(
            description=f"restore the {what} of '{name}' of '{head.declared.declared.name}'",
            safety="safe",
            edits=(edit,),
        )


def _type_and_default(blank: str, item: EditableItem) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the spans of the type of a field, and of its default value with the `=`; an empty span if it has none."""
    start, end = number_span(blank, item)
    behind_colon = blank.index(":", item.start) + 1
    between = blank[behind_colon:start]
    type_start = behind_colon + len(between) - len(between.lstrip())
    return (type_start, start), (start, end)


def _field(declaration: EditableDeclaration | None, name: str) -> SchemaField | None:
    """Return a field of a declaration, None if there is none, or no declaration."""
    fields = () if declaration is None else declaration.declared.fields
    return next((field for field in fields if field.name == name), None)


def _is_needed(item: EditableItem) -> bool:
    """Return whether old readers fail on a table without the field: `required` is verified, `key` is searched by."""
    return not {"required", "key"}.isdisjoint(item.attributes)


def _restoration(base: _Side, head: _Side) -> _Restoration:
    """Return the restoration of a declaration, one for all of its findings."""
    key = "fbs restoration", base.path, head.path, head.declared.declared.name
    if key not in head.files.memory:
        head.files.memory[key] = _Restoration(base, head)
    restoration: _Restoration = head.files.memory[key]
    return restoration


class _Restoration:
    """The restoration of items of a declaration of base in head."""

    def __init__(self, base: _Side, head: _Side) -> None:
        self._base, self._head = base, head
        # The number of each item in base and in head, by name.
        self._before, self._now = base.declared.numbers, head.declared.numbers
        self._form = head.declared.declared.form
        self._missing = [item for item in base.declared.items if item.name not in self._now]
        self._has_ids = any("id" in item.attributes for item in head.declared.items)
        self._numbers: dict[tuple[Edit, ...], Mapping[str, int]] = {}

    def fixes(self, name: str) -> Iterator[Fix]:
        """Yield the first candidate, which has the fewest edits, that restores an item; none if all fail."""
        if name not in self._before:
            return
        candidates = self._insertion_candidates(name)
        if self._needs_all_numbers:
            candidates = [self._all_numbers, *candidates]
        for edits in candidates:
            if self._restores(name, edits):
                yield Fix(description=self._description(name), safety="safe", edits=tuple(edits))
                return

    def _insertion_candidates(self, name: str) -> list[list[Edit]]:
        """Return candidate edits: insert the item, insert all missing items."""
        return [
            self._insertions([item for item in self._missing if item.name == name]),
            self._insertions(self._missing),
        ]

    @cached_property
    def _all_numbers(self) -> list[Edit]:
        """The edits that write out every number or `id`; none for a struct."""
        if self._form in ("enum", "union"):
            return self._with_all_numbers()
        return self._with_all_ids() if self._form == "table" else []

    @cached_property
    def _needs_all_numbers(self) -> bool:
        """True if insertions do not give each item its number of base again."""
        moved = [name for name, number in self._before.items() if self._now.get(name) != number]
        return not all(any(self._restores(name, edits) for edits in self._insertion_candidates(name)) for name in moved)

    def _restores(self, name: str, edits: list[Edit]) -> bool:
        """Return whether edits give an item its number of base, and no other item loses its number of base."""
        numbers = self._numbers_after(edits)
        kept = (item_name for item_name, number in self._before.items() if self._now.get(item_name) == number)
        return all(numbers.get(item_name) == self._before[item_name] for item_name in (name, *kept))

    def _numbers_after(self, edits: list[Edit]) -> Mapping[str, int]:
        """Return the numbers of the items after edits, which many items may share; none without an edit."""
        key = tuple(edits)
        if key not in self._numbers:
            after = self._head.with_edits(edits) if edits else None
            self._numbers[key] = {} if after is None else after.numbers
        return self._numbers[key]

    def _description(self, name: str) -> str:
        """Return what the fix does: "put 'x' back into slot 3 of 'Table', deprecated"."""
        number, whole = self._before[name], f"'{self._head.declared.declared.name}'"
        if self._form == "table":
            is_deprecated = any(item.name == name and not _is_needed(item) for item in self._missing)
            return f"put '{name}' back into slot {number} of {whole}{', deprecated' if is_deprecated else ''}"
        return f"put '{name}' = {number} back into {whole}"

    def _insertions(self, items: Iterable[EditableItem], numbers: Mapping[str, int] | None = None) -> list[Edit]:
        """Return the edits that insert items of base, each after the item that precedes it in base."""
        edits: list[Edit] = []
        for item in items:
            text = self._text(item, None if numbers is None else numbers[item.name])
            edits += [edit for edit in self._insertion(item, text) if edit not in edits]
        return edits

    def _insertion(self, item: EditableItem, text: str) -> list[Edit]:
        """Return the edits that insert the text of an item: on a separate line, if its neighbour is on one.

        It is inserted behind the nearest item before it in base that head has, or else at the beginning.
        """
        names = [declared_item.name for declared_item in self._base.declared.items]
        preceding = (self._head.declared.item(name) for name in reversed(names[: names.index(item.name)]))
        previous = next((candidate for candidate in preceding if candidate is not None), None)
        return [self._insertion_first(text)] if previous is None else self._insertion_behind(previous, text)

    @property
    def _separator(self) -> str:
        """The sign that ends an item."""
        return ";" if self._form in ("table", "struct") else ","

    def _insertion_first(self, text: str) -> Edit:
        """Return the edit that inserts the text of an item before all items of head."""
        head, text = self._head, f"{text}{self._separator}"
        first = next(iter(head.declared.items), None)
        if first is None:
            return head.file.edit(head.declared.body, head.declared.body, f" {text} ")
        indent = self._indent(first)
        if indent is None:
            return head.file.edit(first.start, first.start, f"{text} ")
        line_start = head.file.line_start(first.start)
        return head.file.edit(line_start, line_start, f"{indent}{text}\n")

    def _insertion_behind(self, previous: EditableItem, text: str) -> list[Edit]:
        """Return the edits that insert the text of an item behind an item of head."""
        head, separator = self._head, self._separator
        indent = self._indent(previous)
        behind_line = head.file.line_end(previous.after)
        if indent is None or head.schema.blank[previous.after : behind_line].strip():
            if separator == ";":
                return [head.file.edit(previous.after, previous.after, f" {text};")]
            return [head.file.edit(previous.end, previous.end, f", {text}")]
        # An enum may end without a comma after its last value.
        comma = [] if previous.after > previous.end else [head.file.edit(previous.end, previous.end, separator)]
        return [*comma, head.file.edit(behind_line, behind_line, f"{indent}{text}{separator}\n")]

    def _indent(self, item: EditableItem) -> str | None:
        """Return the indentation of an item, None if something else precedes it in its line."""
        file = self._head.file
        before = file.text[file.line_start(item.start) : item.start]
        return before if not before.strip(" \t") else None

    def _text(self, item: EditableItem, number: int | None) -> str:
        """Return the text of an item of base for head: on one line, with `number` unless it is None.

        A field comes back as `deprecated`, since it keeps its slot so, but no code can use it again.
        """
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
            start, end = (offset - item.start for offset in number_span(blank, item))
            text = f"{text[:start]} = {self._written_number(number)}{text[end:]}"
        return " ".join(text.split()) if "\n" in text else text

    def _with_all_numbers(self) -> list[Edit]:
        """Return the edits that write out numbers: for items of base the same, for new items unused ones."""
        edits = self._insertions(self._missing, self._before)
        # Bit flags are powers of two here; the source text has the position of the bit (`_written_number`).
        new_numbers = (number for name, number in self._now.items() if name not in self._before)
        largest = max((*self._before.values(), *new_numbers))
        unused = 2 * largest if self._is_flags else largest + 1
        last: int | None = None
        for item in self._head.declared.items:
            target = self._before.get(item.name, item.number)
            if item.name not in self._before and target in self._before.values():
                target = unused
                unused = 2 * unused if self._is_flags else unused + 1
            start, end = number_span(self._head.schema.blank, item)
            if start == end and not self._is_counted_to(target, last, has_more=bool(self._missing)):
                edits.append(self._head.file.edit(end, end, f" = {self._written_number(target)}"))
            elif start != end and target != item.number:
                edits.append(self._head.file.edit(start, end, f" = {self._written_number(target)}"))
            last = target
        return edits

    @property
    def _is_flags(self) -> bool:
        """The declaration is an enum with `bit_flags`."""
        return self._head.declared.declared.is_bit_flags

    def _written_number(self, number: int) -> int:
        """Return the number as a schema writes it: for `bit_flags`, the position of the bit."""
        return number.bit_length() - 1 if self._is_flags else number

    def _is_counted_to(self, number: int, last: int | None, *, has_more: bool) -> bool:
        """Return whether an item needs no written number after an item with number `last`; no if items are inserted."""
        if has_more:
            return False
        if last is None:
            return self._written_number(number) == (1 if self._form == "union" else 0)  # 0 is NONE
        return self._written_number(number) == self._written_number(last) + 1

    def _with_all_ids(self) -> list[Edit]:
        """Return the edits that write an `id` for every field of a table: slots of base, then new fields."""
        head = self._head
        edits = self._insertions(self._missing, self._before)
        unused = max(self._before.values(), default=-1) + 1
        kinds = {field.name: field.type.strip("[]") for field in head.declared.declared.fields}
        for item in head.declared.items:
            slot = self._before.get(item.name)
            if slot is None:
                # A field of a union takes two slots, the first one for its type; its `id` is that of the second.
                declared = head.schema.declarations.get(kinds[item.name])
                is_union = declared is not None and declared.declared.form == "union"
                slot = unused + 1 if is_union else unused
                unused = slot + 1
            text = head.file.text[item.start : item.end]
            new = with_attributes(text, has_some=bool(item.attributes), add=[f"id: {slot}"])
            if str(item.attributes.get("id")) != str(slot):
                edits.append(head.file.edit(item.start, item.end, new))
        return edits


FIXER = Fixer(rules=(*_DECLARED, *_REQUIRED, *_RESTORED), fixes=fixes)
