"""A schema as it is written, to be edited: where the items of each declaration stand, and what numbers they have."""

from __future__ import annotations

from opspec_lint.documents.fbs.resolve import read_schema
from opspec_lint.documents.fbs.strings import STRING
from opspec_lint.documents.fbs.syntax import parse, spans
from opspec_lint.documents.fbs.text import Text
from opspec_lint.documents.file_context import of_tree
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.documents.fbs.schema import Declaration
    from opspec_lint.documents.fbs.syntax import Attributes, RawDeclaration

_ATTRIBUTE = pattern(rf"(?:{STRING})|([A-Za-z_]\w*)(\s*:\s*(?:{STRING}|[-+.\w]+))?")
_NUMBER = pattern(rf"(?<!\s)\s*=\s*(?:{STRING}|[-+.\w]+)\Z")
_BRACKET = pattern(rf"{STRING}|[()]")


class Item(Record):
    """A field, value or member. `start`, `end` and `after` are offsets; what ends it (`;` or `,`) is not part of it.

    `number` is its slot in a table, its number in an enum or a union.
    """

    name: str
    number: int
    start: int
    end: int
    after: int
    attributes: Attributes


class WrittenDeclaration(Record):
    """A declaration with its items, as it is `declared` and where that stands; `body` is where its items begin."""

    declared: Declaration
    items: tuple[Item, ...]
    body: int

    def item(self, name: str | None) -> Item | None:
        """Return the item of a name, None where there is none."""
        return next((each for each in self.items if each.name == name), None)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each item, by its name."""
        return {each.name: each.number for each in self.items}


class Written(Record):
    """A file of a schema: `blank` is its text without comments, `declarations` are by full name."""

    text: str
    blank: str
    declarations: Mapping[str, WrittenDeclaration]


def written(data: bytes, path: str, read: Callable[[str], bytes | None], include: Iterable[str] = ()) -> Written:
    """Return a file of a schema as it is written.

    Args:
        data: the bytes of the file.
        path: its path in the tree.
        read: returns the bytes of another file of the tree.
        include: the folders in which included files are looked for.

    Raises:
        InputError: the file is no schema.
    """
    schema = read_schema(data, path, of_tree(path, read, str, include))
    text = Text(data, path)
    found = {raw.full_name: _declaration(raw, schema.declarations[raw.full_name]) for raw in parse(text).declarations}
    return Written(text=text.original, blank=text.blank, declarations=found)


def _declaration(raw: RawDeclaration, declared: Declaration) -> WrittenDeclaration:
    numbers = numbers_of(declared)
    names = [(item[0] or item[2]).replace(".", "_") for item in raw.items]
    items = (
        Item(name=name, number=numbers[name], start=span[0], end=span[1], after=span[2], attributes=item[5])
        for name, item, span in zip(names, raw.items, spans(raw), strict=True)
        if name in numbers
    )
    return WrittenDeclaration(declared=declared, items=tuple(items), body=raw.body_at)


def numbers_of(declared: Declaration) -> dict[str, int]:
    """Return the slots or numbers by which bytes refer to the items of a declaration, by name."""
    if declared.form == "enum":
        return {each.name: each.number for each in declared.values}
    if declared.form == "union":
        return {each.name: each.number for each in declared.members}
    return {each.name: each.slot for each in declared.fields}


def with_attributes(text: str, *, has_some: bool, add: Iterable[str] = (), drop: Iterable[str] = ()) -> str:
    """Return the text of an item with some attributes, such as `id: 3`, and without those of some names.

    Args:
        text: the text.
        has_some: whether it has attributes.
        add: attributes as they are written.
        drop: names of attributes.
    """
    start = _attributes_at(text) if has_some else len(text)
    wanted = list(add)
    names = {*drop, *(each.partition(":")[0] for each in wanted)}
    kept = [found[0] for found in _ATTRIBUTE.finditer(text, start) if found[1] not in names]
    every = [*kept, *wanted]
    return text[:start].rstrip() + (f" ({', '.join(every)})" if every else "")


def attribute_span(blank: str, item: Item, name: str) -> tuple[int, int] | None:
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
    found = list(_ATTRIBUTE.finditer(text, opened))
    index = next(at for at, each in enumerate(found) if each[1] == name)
    if len(found) == 1:
        return item.start + len(text[:opened].rstrip()), item.end
    if index + 1 < len(found):
        return item.start + found[index].start(), item.start + found[index + 1].start()
    return item.start + found[index - 1].end(), item.start + found[index].end()


def number_span(blank: str, item: Item) -> tuple[int, int]:
    """Return where the number of a value or member is written, with its `=`; an empty span where it is counted."""
    text = blank[item.start : item.end]
    text = text[: _attributes_at(text)].rstrip() if item.attributes else text
    found = _NUMBER.search(text)
    return item.start + (len(text) if found is None else found.start()), item.start + len(text)


def _attributes_at(text: str) -> int:
    """Return where the brackets open that an item ends with."""
    depth = 0
    for found in reversed(list(_BRACKET.finditer(text))):
        depth += (found[0] == ")") - (found[0] == "(")
        if not depth and found[0] == "(":
            return found.start()
    return len(text)
