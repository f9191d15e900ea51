"""The grammar of a schema file: from its text to raw declarations, names and numbers as they are written.

It implements https://flatbuffers.dev/grammar. Every pattern is unambiguous, so that matching takes time
linear in the text, whatever the text is.
"""

from __future__ import annotations

from opspec_lint.documents.fbs.strings import STRING, remove_quotes
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from opspec_lint.documents.fbs.schema import Form
    from opspec_lint.documents.fbs.text import Text

    Attributes: TypeAlias = Mapping[str, "str | bool"]

_S = r"[ \t\r\n]*"
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"{_NAME}(?:{_S}\.{_S}{_NAME})*"
_META = rf"\(([^()\"']*(?:(?:{STRING})[^()\"']*)*)\)"
_ARGUMENT = r"[^()\"';{}]*"
_CALL = rf"[a-z]+\({_ARGUMENT}(?:\({_ARGUMENT}\){_ARGUMENT})*\)"
_VALUE = rf"{STRING}|\[{_S}\]|{_CALL}|[-+.A-Za-z0-9_]+"
"""A candidate for a value; `constants` validates it."""

_KEYWORD = pattern(rf"{_S}({_NAME}|\{{|\Z)")
_QUOTED = pattern(rf"{_S}({STRING}){_S};")
_NAMESPACE = pattern(rf"{_S}({_PATH})?{_S};")
_ROOT_TYPE = pattern(rf"{_S}({_PATH}){_S};")
_ATTRIBUTE = pattern(rf"{_S}({STRING}|{_NAME}){_S};")
_HEADER = pattern(rf"{_S}({_NAME}){_S}(?::{_S}({_PATH}){_S})?(?:{_META})?{_S}\{{")
_BODY = pattern(rf"[^{{}}\"']*(?:(?:{STRING})[^{{}}\"']*)*\}}")
# The items. The last group of each pattern is the text of its attributes, on which `_parse_items` relies.
# The groups of a field: name, type, or else the type of items, their number and the closing bracket, then the default.
_FIELD = pattern(
    rf"{_S}({_NAME}){_S}:{_S}(?:({_PATH})|\[{_S}({_PATH}){_S}(?::{_S}([A-Za-z0-9_]+){_S})?(\])){_S}"
    rf"(?:={_S}({_VALUE}))?{_S}(?:{_META})?{_S};"
)
_ENUM_VALUE = pattern(rf"{_S}({_NAME}){_S}(?:={_S}({_VALUE}))?{_S}(?:{_META})?{_S}(?:,|\Z)")
_MEMBER = pattern(rf"{_S}(?:({_PATH}){_S}:{_S})?({_PATH}){_S}(?:={_S}({_VALUE}))?{_S}(?:{_META})?{_S}(?:,|\Z)")
_SERVICE_CALL = pattern(rf"{_S}({_NAME}){_S}\({_S}({_PATH}){_S}\){_S}:{_S}({_PATH}){_S}(?:{_META})?{_S};")

_META_ITEM = pattern(rf"{_S}({_NAME}|{STRING}){_S}(?::{_S}({_VALUE}){_S})?(?:,|\Z)")
_BLANK = pattern(rf"{_S}\Z")
_SPACES = pattern(r"[ \t\r\n]+")
_BRACE = pattern(rf"[{{}}]|{STRING}")

FORMS = ("table", "struct", "enum", "union", "rpc_service")
_INCLUDES = ("include", "native_include")


class RawItem(Record):
    """A field, enum value, union member or call as it is written, with its offset `at` in the body of its declaration.

    `name` is "" for a member without an alias, `type` is "" for an enum value. `length` is the length of an array, ""
    for a vector, None for other types. The `type` of a call is its argument type, its `value` its result type.
    """

    name: str
    at: int
    type: str = ""
    length: str | None = None
    value: str | None = None
    attributes: Attributes

    @property
    def label(self) -> str:
        """The name; of a member without an alias, its type."""
        return self.name or self.type


class RawDeclaration(Record):
    """A declaration as it is written: names, types and values as texts, places in the text as numbers.

    The text between the braces begins at `body_at` and ends at `end_at`.
    """

    form: Form
    name: str
    namespace: str
    at: int
    text: Text
    underlying: str | None
    attributes: Attributes
    items: tuple[RawItem, ...]
    body_at: int
    end_at: int

    def place(self, item: RawItem) -> int:
        """Return the offset of an item in the text."""
        return self.body_at + item.at

    @property
    def full_name(self) -> str:
        """The name with its namespace."""
        return f"{self.namespace}.{self.name}" if self.namespace else self.name


class RawRoot(Record):
    """A root type as it is written: its name, the namespace there, its place, and the number of declarations above."""

    name: str
    namespace: str
    at: int
    above: int


class RawFile(Record):
    """The content of one file: each include, root type and so on, with its place.

    `attributes` are the declared ones, each with the number of declarations above it.
    """

    text: Text
    includes: tuple[tuple[str, int], ...]
    declarations: tuple[RawDeclaration, ...]
    attributes: tuple[tuple[str, int], ...]
    roots: tuple[RawRoot, ...]
    file_identifier: tuple[str, int] | None
    file_extension: tuple[str, int] | None


_parsed: dict[tuple[str, str], tuple[RawItem, ...]] = {}
"""The items of bodies by their grammar and text. Base and head mostly have the same bodies."""
_MOST_KEPT = 512
"""The most bodies whose items are cached."""
_LONGEST_KEPT = 1 << 12
"""The most characters of a body whose items are cached."""


def parse(text: Text) -> RawFile:
    """Return the content of a file.

    Raises:
        InputError: the file is no schema; the message names the line and what was expected there.
    """
    return _Parser(text).parse()


class ItemSpan(Record):
    """The offsets of an item: its start, its end, and the end of the `;` or `,` behind it, if there is one."""

    start: int
    end: int
    after: int


def item_spans(raw: RawDeclaration) -> list[ItemSpan]:
    """Return the offsets of the items of a declaration, in their order."""
    pattern, _, _ = _GRAMMARS[_ITEMS_OF[raw.form]]
    blank = raw.text.blank
    spans = []
    for item in raw.items:
        start = raw.place(item)
        match = pattern.match(blank, start, raw.end_at)
        text = blank[start : start if match is None else match.end()].rstrip()
        without_separator = text.rstrip(";,").rstrip()
        spans.append(ItemSpan(start=start, end=start + len(without_separator), after=start + len(text)))
    return spans


class _Parser:
    """A parser of the statements of a file."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._blank = text.blank
        self._namespace = ""
        self._includes: list[tuple[str, int]] = []
        self._declarations: list[RawDeclaration] = []
        self._attributes: list[tuple[str, int]] = []
        self._roots: list[RawRoot] = []
        self._named: dict[str, tuple[str, int]] = {}

    def parse(self) -> RawFile:
        """Return the statements of the file. Raises InputError at the first one that is no statement of a schema."""
        at, may_include = 0, True
        while (match := self._keyword(at))[1]:
            keyword, start = match[1], match.start(1)
            if keyword in _INCLUDES and not may_include:
                self._text.refuse(start, f"{keyword} stands below a declaration", "move it to the top of the file")
            may_include = may_include and keyword in _INCLUDES
            at = self._statement(keyword, start, match.end(1))
        return RawFile(
            text=self._text,
            includes=tuple(self._includes),
            declarations=tuple(self._declarations),
            attributes=tuple(self._attributes),
            roots=tuple(self._roots),
            file_identifier=self._named.get("file_identifier"),
            file_extension=self._named.get("file_extension"),
        )

    def _keyword(self, at: int) -> re.Match[str]:
        """Match the keyword that begins a statement; at the end of the file it is empty."""
        return self._match(_KEYWORD, at, "a declaration such as table, enum or namespace")

    def _statement(self, keyword: str, start: int, at: int) -> int:
        """Parse the statement that a keyword begins, and return its end."""
        if keyword in FORMS:
            return self._declaration(keyword, start, at)  # type: ignore[arg-type]
        if keyword == "{":
            return self._object(start)
        if keyword in (*_INCLUDES, "file_identifier", "file_extension"):
            match = self._match(_QUOTED, at, f"a string in quotes and ; after {keyword}")
            self._store_string(keyword, self._string_content(match[1], match.start(1)), start)
        elif keyword == "namespace":
            match = self._match(_NAMESPACE, at, "a name and ; after namespace")
            self._namespace = _remove_spaces(match[1] or "")
        elif keyword == "attribute":
            match = self._match(_ATTRIBUTE, at, "a name and ; after attribute")
            self._attributes.append((self._string_content(match[1], match.start(1)), len(self._declarations)))
        elif keyword == "root_type":
            match = self._match(_ROOT_TYPE, at, "the name of a table and ; after root_type")
            above = len(self._declarations)
            self._roots.append(RawRoot(name=_remove_spaces(match[1]), namespace=self._namespace, at=start, above=above))
        else:
            self._text.unexpected(start, "a declaration such as table, enum or namespace")
        return match.end()

    def _store_string(self, keyword: str, text: str, start: int) -> None:
        """Keep the string of a statement: all includes, and the last of any other keyword."""
        if keyword == "include":
            self._includes.append((text, start))
        else:
            self._named[keyword] = text, start

    def _string_content(self, text: str, at: int) -> str:
        """Return the content of a string in quotes."""
        try:
            return remove_quotes(text)
        except ValueError as error:
            return self._text.refuse(at, str(error))

    def _declaration(self, form: Form, start: int, at: int) -> int:
        """Add the declaration whose name begins at an offset; return the offset behind its brace."""
        header = self._match(_HEADER, at, f"a name and {{ after {form}")
        if header[2] and form not in ("enum", "union"):
            self._text.unexpected(header.start(2), f"{{ behind the name of the {form}")
        body = self._match(_BODY, header.end(), f"}} at the end of the {form} {header[1]!r}")
        self._declarations.append(
            RawDeclaration(
                form=form,
                name=header[1],
                namespace=self._namespace,
                at=start,
                text=self._text,
                underlying=header[2] and _remove_spaces(header[2]),
                attributes=self._parse_metadata(header[3], header.start(3)),
                items=self._items(form, header.end(), body.end() - 1),
                body_at=header.end(),
                end_at=body.end() - 1,
            )
        )
        return body.end()

    def _items(self, form: Form, start: int, end: int) -> tuple[RawItem, ...]:
        """Return the items between the braces of a declaration."""
        # Items have offsets from the beginning of the body, so that they hold wherever the same body is.
        grammar, body = key = _ITEMS_OF[form], self._blank[start:end]
        if key in _parsed:
            return _parsed[key]
        pattern, make, expected = _GRAMMARS[grammar]
        items = tuple(self._parse_items(pattern, make, body, start, expected))
        if end - start <= _LONGEST_KEPT:
            if len(_parsed) >= _MOST_KEPT:
                _parsed.clear()
            _parsed[key] = items
        return items

    def _parse_items(
        self,
        pattern: re.Pattern[str],
        make: Callable[[re.Match[str], Attributes], RawItem],
        body: str,
        start: int,
        expected: str,
    ) -> list[RawItem]:
        """Return the items in the body of a declaration, each made of the match of a pattern; refuse any other text."""
        items: list[RawItem] = []
        at, length = 0, len(body)
        while at < length:
            match = pattern.match(body, at)
            if match is None:
                if _BLANK.match(body, at):
                    break
                self._text.unexpected(start + at, expected)
            last_group = match.re.groups
            items.append(make(match, self._parse_metadata(match[last_group], start + match.start(last_group))))
            at = match.end()
        return items

    def _parse_metadata(self, meta: str | None, start: int) -> Attributes:
        """Return the attributes in brackets, with their values as they are written."""
        if meta is None:
            return _NONE
        attributes: dict[str, str | bool] = {}
        at, is_open = 0, True
        while is_open:
            match = _META_ITEM.match(meta, at)
            if match is None:
                self._text.unexpected(start + at, "attributes such as (deprecated, id: 4)")
            attributes[self._string_content(match[1], start + match.start(1))] = True if match[2] is None else match[2]
            at, is_open = match.end(), match[0].endswith(",")
        return attributes

    def _object(self, at: int) -> int:
        """Skip an object of JSON, with which a schema file may end; return the end of the file."""
        if not self._roots:
            self._text.refuse(at, "the values in braces are of no root_type", "remove them, or declare a root_type")
        depth = 0
        for brace in _BRACE.finditer(self._blank, at):
            depth += (brace[0] == "{") - (brace[0] == "}")
            if not depth:
                if not _BLANK.match(self._blank, brace.end()):
                    self._text.unexpected(brace.end(), "the end of the file after the values in braces")
                return len(self._blank)
        return self._text.refuse(at, "expected } to close the block that begins here, but the text ends")

    def _match(self, pattern: re.Pattern[str], at: int, expected: str) -> re.Match[str]:
        match = pattern.match(self._blank, at)
        if match is None:
            self._text.unexpected(at, expected)
        return match


_NONE: Attributes = {}


def _make_field(match: re.Match[str], attributes: Attributes) -> RawItem:
    name, single_type, item_type, count, bracket, value, _ = match.groups()
    kind = _remove_spaces(single_type or item_type)
    length = None if bracket is None else count or ""
    return RawItem(name=name, at=match.start(1), type=kind, length=length, value=value, attributes=attributes)


def _make_enum_value(match: re.Match[str], attributes: Attributes) -> RawItem:
    return RawItem(name=match[1], at=match.start(1), value=match[2], attributes=attributes)


def _make_member(match: re.Match[str], attributes: Attributes) -> RawItem:
    alias, at = _remove_spaces(match[1] or ""), match.start(1 if match[1] else 2)
    return RawItem(name=alias, at=at, type=_remove_spaces(match[2]), value=match[3], attributes=attributes)


def _make_call(match: re.Match[str], attributes: Attributes) -> RawItem:
    argument, result = _remove_spaces(match[2]), _remove_spaces(match[3])
    return RawItem(name=match[1], at=match.start(1), type=argument, value=result, attributes=attributes)


_ITEMS_OF = {"table": "field", "struct": "field", "enum": "value", "union": "member", "rpc_service": "call"}
_GRAMMARS = {
    "field": (_FIELD, _make_field, "a field such as `name:type = value (attributes);`"),
    "value": (_ENUM_VALUE, _make_enum_value, "a value such as `NAME = 1,`"),
    "member": (_MEMBER, _make_member, "a member such as `Name: Table,`"),
    "call": (_SERVICE_CALL, _make_call, "a call such as `Name(Request):Response;`"),
}
"""For each form of items: the pattern of an item, the maker of an item from its match, and a phrase for messages."""


def _remove_spaces(path: str) -> str:
    """Return a dotted name without the spaces in it."""
    return path if path.isidentifier() else _SPACES.sub("", path)
