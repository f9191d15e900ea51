"""The grammar of a schema file: from its text to raw declarations, names and numbers as they are written.

The grammar is that of https://flatbuffers.dev/grammar. Every pattern is unambiguous, so that matching takes time
linear in the text, whatever the text is.
"""

from __future__ import annotations

import re

from opspec_lint.documents.fbs.text import STRING
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from opspec_lint.documents.fbs.schema import Form
    from opspec_lint.documents.fbs.text import Text

    Attributes: TypeAlias = Mapping[str, "str | bool"]
    RawItem: TypeAlias = tuple[str, int, str, "str | None", "str | None", Attributes]
    Body: TypeAlias = tuple[tuple[RawItem, ...], int | None]

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PATH = rf"{_NAME}(?:\s*\.\s*{_NAME})*"
_META = rf'\(([^()"]*(?:{STRING}[^()"]*)*)\)'
_CALL = r"(?:deg|rad|a?cos|a?sin|a?tan)\s*\([-+.\w\s]*\)"
_VALUE = rf"{STRING}|\[\s*\]|{_CALL}|[-+]?\s*[\w.][-+.\w]*"
"""What may be a value; `constants` tells whether it is one."""

_WORD = re.compile(rf"\s*({_NAME}|\{{|;|\Z)")
_INCLUDE = re.compile(rf"\s*({STRING})\s*;")
_NAMESPACE = re.compile(rf"\s*({_PATH})?\s*;")
_NAMED = re.compile(rf"\s*({_PATH})\s*;")
_ATTRIBUTE = re.compile(rf"\s*(?:{STRING}|{_NAME})\s*;")
_HEADER = re.compile(rf"\s*({_NAME})\s*(?::\s*({_NAME})\s*)?(?:{_META})?\s*\{{")
_BODY = re.compile(rf'[^{{}}"]*(?:{STRING}[^{{}}"]*)*\}}')
_FIELD = re.compile(
    rf"\s*({_NAME})\s*:\s*(?:({_PATH})|\[\s*({_PATH})\s*(?::\s*(\w+)\s*)?(\]))\s*(?:=\s*({_VALUE}))?\s*(?:{_META})?\s*;"
)
_ENUM_VALUE = re.compile(rf"\s*({_NAME})\s*(?:=\s*({_VALUE}))?\s*(?:{_META})?\s*(?:,|\Z)")
_MEMBER = re.compile(rf"\s*(?:({_NAME})\s*:\s*)?({_PATH})\s*(?:=\s*({_VALUE}))?\s*(?:{_META})?\s*(?:,|\Z)")
_META_ITEM = re.compile(rf"\s*({_NAME}|{STRING})\s*(?::\s*({_VALUE})\s*)?(?:,|\Z)")
_BLANK = re.compile(r"\s*\Z")
_SPACES = re.compile(r"\s+")
_BRACE = re.compile(r'[{}]|"[^"\\\n]*(?:\\.[^"\\\n]*)*"')

FORMS = ("table", "struct", "enum", "union")


class RawDeclaration(Record):
    """A declaration as it is written: its items with names, types and values as texts, places in the text as numbers.

    `items` are fields, values or members: name ("" for a member without an alias), place, type, length of an array
    ("" for a vector, None for what is neither), value, attributes.
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

    def place(self, item: RawItem) -> int:
        """Return where an item stands in the text."""
        return self.body_at + item[1]


class RawFile(Record):
    """What one file says: each include, root type and the like with its place. A root has its namespace besides."""

    text: Text
    includes: tuple[tuple[str, int], ...]
    declarations: tuple[RawDeclaration, ...]
    root: tuple[str, str, int] | None
    file_identifier: tuple[str, int] | None
    file_extension: tuple[str, int] | None


_parsed: dict[tuple[str, str], tuple[RawItem, ...]] = {}
_AT_MOST = 4096
"""The bodies that were parsed before: those of base and head are mostly the same texts."""


def parse(text: Text) -> RawFile:
    """Return what a file says.

    Raises:
        InputError: it is no schema; the message names the line and what was expected there.
    """
    return _Parser(text).parse()


class _Parser:
    """Goes through the statements of a file."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._blank = text.blank
        self._namespace = ""
        self._includes: list[tuple[str, int]] = []
        self._declarations: list[RawDeclaration] = []
        self._root: tuple[str, str, int] | None = None
        self._named: dict[str, tuple[str, int]] = {}

    def parse(self) -> RawFile:
        at = 0
        while True:
            word = _WORD.match(self._blank, at)
            if word is None:
                self._text.unexpected(at, "a declaration such as table, enum or namespace")
            if not word[1]:
                return RawFile(
                    text=self._text,
                    includes=tuple(self._includes),
                    declarations=tuple(self._declarations),
                    root=self._root,
                    file_identifier=self._named.get("file_identifier"),
                    file_extension=self._named.get("file_extension"),
                )
            at = self._statement(word[1], word.start(1), word.end(1))

    def _statement(self, word: str, start: int, at: int) -> int:
        """Read the statement that a word begins, and return where it ends."""
        if word in FORMS:
            return self._declaration(word, start, at)  # type: ignore[arg-type]
        if word == ";":
            return at
        if word == "{":
            return self._object(start)
        if word == "rpc_service":
            return self._object(self._match(_HEADER, at, "a name and {").end() - 1)
        if word in ("include", "native_include"):
            found = self._match(_INCLUDE, at, f"a file name in quotes and ; after {word}")
            if word == "include":
                self._includes.append((unquoted(found[1]), start))
            return found.end()
        if word == "namespace":
            found = self._match(_NAMESPACE, at, "a name and ; after namespace")
            self._namespace = _joined(found[1] or "")
            return found.end()
        if word == "attribute":
            return self._match(_ATTRIBUTE, at, "a name and ; after attribute").end()
        if word == "root_type":
            found = self._match(_NAMED, at, "the name of a table and ; after root_type")
            self._root = _joined(found[1]), self._namespace, start
            return found.end()
        if word in ("file_identifier", "file_extension"):
            found = self._match(_INCLUDE, at, f"a string in quotes and ; after {word}")
            self._named[word] = unquoted(found[1]), start
            return found.end()
        return self._text.unexpected(start, "a declaration such as table, enum or namespace")

    def _declaration(self, form: Form, start: int, at: int) -> int:
        header = self._match(_HEADER, at, f"a name and {{ after {form}")
        if header[2] and form in ("table", "struct"):
            self._text.unexpected(header.start(2), f"{{ behind the name of the {form}")
        body = self._match(_BODY, header.end(), f"}} at the end of the {form} {header[1]!r}")
        self._declarations.append(
            RawDeclaration(
                form=form,
                name=header[1],
                namespace=self._namespace,
                at=start,
                text=self._text,
                underlying=header[2],
                attributes=self._attributes(header[3], header.start(3)),
                items=self._items(form, header.end(), body.end() - 1),
                body_at=header.end(),
            )
        )
        return body.end()

    def _items(self, form: Form, start: int, end: int) -> tuple[RawItem, ...]:
        """Return what stands between the braces of a declaration."""
        key = _ITEMS_OF[form], self._blank[start:end]
        if key not in _parsed:
            if len(_parsed) >= _AT_MOST:
                _parsed.clear()
            pattern, take, expected = _GRAMMARS[key[0]]
            _parsed[key] = tuple(self._each(pattern, take, key[1], start, expected))
        return _parsed[key]

    def _each(
        self,
        pattern: re.Pattern[str],
        take: Callable[[re.Match[str]], tuple[str, int, str, str | None, str | None]],
        body: str,
        start: int,
        expected: str,
    ) -> list[RawItem]:
        items: list[RawItem] = []
        at, length = 0, len(body)
        while at < length:
            found = pattern.match(body, at)
            if found is None:
                if _BLANK.match(body, at):
                    break
                self._text.unexpected(start + at, expected)
            meta = found.lastindex and found[found.re.groups]
            items.append(
                (*take(found), self._attributes(meta, start + found.start(found.re.groups)) if meta else _NONE)
            )
            at = found.end()
        return items

    def _attributes(self, meta: str | None, start: int) -> Attributes:
        if meta is None:
            return _NONE
        found: dict[str, str | bool] = {}
        at = 0
        while at < len(meta):
            item = _META_ITEM.match(meta, at)
            if item is None:
                if _BLANK.match(meta, at):
                    break
                self._text.unexpected(start + at, "attributes such as (deprecated, id: 4)")
            found[unquoted(item[1])] = True if item[2] is None else item[2]
            at = item.end()
        return found

    def _object(self, at: int) -> int:
        """Return where an object in braces ends that declares nothing."""
        depth = 0
        for found in _BRACE.finditer(self._blank, at):
            depth += (found[0] == "{") - (found[0] == "}")
            if not depth:
                return found.end()
        return self._text.refuse(at, "expected } to close the block that begins here, but the text ends")

    def _match(self, pattern: re.Pattern[str], at: int, expected: str) -> re.Match[str]:
        found = pattern.match(self._blank, at)
        if found is None:
            self._text.unexpected(at, expected)
        return found


_NONE: Attributes = {}


def _field(found: re.Match[str]) -> tuple[str, int, str, str | None, str | None]:
    length = None if found[5] is None else found[4] or ""
    return found[1], found.start(1), _joined(found[2] or found[3]), length, found[6]


def _enum_value(found: re.Match[str]) -> tuple[str, int, str, str | None, str | None]:
    return found[1], found.start(1), "", None, found[2]


def _member(found: re.Match[str]) -> tuple[str, int, str, str | None, str | None]:
    return found[1] or "", found.start(1 if found[1] else 2), _joined(found[2]), None, found[3]


_ITEMS_OF = {"table": "field", "struct": "field", "enum": "value", "union": "member"}
_GRAMMARS = {
    "field": (_FIELD, _field, "a field such as `name:type = value (attributes);`"),
    "value": (_ENUM_VALUE, _enum_value, "a value such as `NAME = 1,`"),
    "member": (_MEMBER, _member, "a member such as `Name: Table,`"),
}


def _joined(path: str) -> str:
    """Return a dotted name without the spaces that may stand in it."""
    return path if path.isidentifier() else _SPACES.sub("", path)


_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def unquoted(text: str) -> str:
    """Return what a string in quotes says; anything else as it is."""
    if text[:1] != '"':
        return text
    inside = text[1:-1]
    return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), inside) if "\\" in inside else inside
