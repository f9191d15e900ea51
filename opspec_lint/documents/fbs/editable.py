"""The positions of declarations, items and attributes in the text of a schema, for an edit of the text."""

from __future__ import annotations

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.fbs.strings import STRING
from opspec_lint.documents.fbs.syntax import item_spans, parse
from opspec_lint.documents.fbs.text import Text
from opspec_lint.documents.file_context import context_in_tree
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.documents.fbs.schema import SchemaDeclaration
    from opspec_lint.documents.fbs.syntax import Attributes, RawDeclaration

_ATTRIBUTE = pattern(rf"(?:{STRING})|([A-Za-z_]\w*)(\s*:\s*(?:{STRING}|[-+.\w]+))?")
_NUMBER = pattern(rf"(?<!\s)\s*=\s*(?:{STRING}|[-+.\w]+)\Z")
_BRACKET = pattern(rf"{STRING}|[()]")


class EditableItem(Record):
    """A field, value or member. `start`, `end` and `after` are offsets; `end` is before the final `;` or `,`.

    `number` is its slot in a table, its number in an enum or a union.
    """

    name: str
    number: int
    start: int
    end: int
    after: int
    attributes: Attributes


class EditableDeclaration(Record):
    """A declaration with the positions of its items; `body` is the offset at which the items begin."""

    declared: SchemaDeclaration
    items: tuple[EditableItem, ...]
    body: int

    def item(self, name: str | None) -> EditableItem | None:
        """Return the item with a name, or None."""
        return next((item for item in self.items if item.name == name), None)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each item, by its name."""
        return {item.name: item.number for item in self.items}


class EditableSchema(Record):
    """A file of a schema: `blank` is its text without comments, `declarations` are by full name."""

    text: str
    blank: str
    declarations: Mapping[str, EditableDeclaration]


def read_for_editing(
    data: bytes, path: str, read: Callable[[str], bytes | None], include: Iterable[str] = ()
) -> EditableSchema:
    """Return a file of a schema with the positions in its text.

    Args:
        data: the bytes of the file.
        path: its path in the tree.
        read: returns the bytes of another file of the tree.
        include: the folders in which included files are searched.

    Raises:
        InputError: the file is no schema.
    """
    schema = read_schema(data, path, context_in_tree(path, read, str, include))
    text = Text(data, path)
    declarations = {
        raw.full_name: _declaration(raw, schema.declarations[raw.full_name]) for raw in parse(text).declarations
    }
    return EditableSchema(text=text.original, blank=text.blank, declarations=declarations)


def _declaration(raw: RawDeclaration, declared: SchemaDeclaration) -> EditableDeclaration:
    """Return a declaration with the offsets and numbers of its items; an item without a number is left out."""
    numbers = numbers_of(declared)
    items: list[EditableItem] = []
    for item, span in zip(raw.items, item_spans(raw), strict=True):
        name = item.label.replace(".", "_")
        if name in numbers:
            items.append(
                EditableItem(
                    name=name,
                    number=numbers[name],
                    start=span.start,
                    end=span.end,
                    after=span.after,
                    attributes=item.attributes,
                )
            )
    return EditableDeclaration(declared=declared, items=tuple(items), body=raw.body_at)


def numbers_of(declared: SchemaDeclaration) -> dict[str, int]:
    """Return the slots or numbers of the items of a declaration, by name; the bytes contain these."""
    if declared.form == "enum":
        return {value.name: value.number for value in declared.values}
    if declared.form == "union":
        return {member.name: member.number for member in declared.members}
    return {field.name: field.slot for field in declared.fields}


def with_attributes(text: str, *, has_some: bool, add: Iterable[str] = (), drop: Iterable[str] = ()) -> str:
    """Return the text of an item with some attributes added, such as `id: 3`, and others removed.

    Args:
        text: the text.
        has_some: whether it has attributes.
        add: attributes as they are written.
        drop: names of attributes.
    """
    start = _attributes_at(text) if has_some else len(text)
    added = list(add)
    names = {*drop, *(attribute.partition(":")[0] for attribute in added)}
    kept = [match[0] for match in _ATTRIBUTE.finditer(text, start) if match[1] not in names]
    attributes = [*kept, *added]
    return text[:start].rstrip() + (f" ({', '.join(attributes)})" if attributes else "")


def attribute_span(blank: str, item: EditableItem, name: str) -> tuple[int, int] | None:
    """Return the range to delete so that an item lacks an attribute: with its comma, or with the brackets.

    Args:
        blank: the text without comments.
        item: the item.
        name: the attribute.
    """
    if name not in item.attributes:
        return None
    text = blank[item.start : item.end]
    opened = _attributes_at(text)
    matches = list(_ATTRIBUTE.finditer(text, opened))
    index = next(at for at, match in enumerate(matches) if match[1] == name)
    if len(matches) == 1:
        return item.start + len(text[:opened].rstrip()), item.end
    if index + 1 < len(matches):
        return item.start + matches[index].start(), item.start + matches[index + 1].start()
    return item.start + matches[index - 1].end(), item.start + matches[index].end()


def number_span(blank: str, item: EditableItem) -> tuple[int, int]:
    """Return the span of the number of a value or member, with its `=`; an empty span if it has no written number."""
    text = blank[item.start : item.end]
    text = text[: _attributes_at(text)].rstrip() if item.attributes else text
    match = _NUMBER.search(text)
    return item.start + (len(text) if match is None else match.start()), item.start + len(text)


def _attributes_at(text: str) -> int:
    """Return the start of the parentheses at the end of an item."""
    depth = 0
    for bracket in reversed(list(_BRACKET.finditer(text))):
        depth += (bracket[0] == ")") - (bracket[0] == "(")
        if not depth and bracket[0] == "(":
            return bracket.start()
    return len(text)
