"""Messages in protobuf's text format, in the forms that op lists are written in.

protobuf's own reader of the format is written in Python; it takes 17 microseconds and 100 bytes of memory for every
item of a list. This one knows fewer forms, and makes the same of them. What is of another form, or wrong, it leaves to
protobuf, which has the words for it.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_BLANK = r"\s*(?:#[^\n]*\n\s*)*"
_ONE = r"\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_NUMBER = r"(-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan)(?![\w.+-]))"
_WORD = r"([A-Za-z_]\w*(?![\w+-]))"
_TEXT = rf"((?:{_ONE})(?:\s*(?:{_ONE}))*)"
_SEPARATOR = rf"{_BLANK}[,;]?"
_FIELD = pattern(
    rf"{_BLANK}([A-Za-z_]\w*){_BLANK}(?::?{_BLANK}(\{{)|:{_BLANK}(?:(\[)|(?:{_NUMBER}|{_WORD}|{_TEXT}){_SEPARATOR}))",
    "a",
)
_BRACE, _BRACKET, _FIRST_VALUE = 2, 3, 4
"""Groups of `_FIELD`; the values are in the order of `_VALUES`."""
_VALUES = (_NUMBER, _WORD, _TEXT)
_CLOSED = pattern(rf"{_BLANK}\}}{_SEPARATOR}", "a")
_END = pattern(rf"{_BLANK}\Z", "a")
_ONE_TEXT = pattern(_ONE)
_DEPTH = 90
"""Levels of messages; protobuf's own limit is 100."""
_BOOLS = {"true": True, "false": False}
_MESSAGE = 11
_FLOATS, _INTEGERS = (1, 2), (3, 4, 5, 6, 7, 13, 18)
_BOOL, _BYTES, _ENUM = 8, 12, 14
"""Codes of FieldDescriptor.type."""


class _OtherFormError(Exception):
    """The text is not in the forms that are known here."""


class _Field(Record):
    """A field. `group` is that of `_FIELD` in which its values stand, and `value` makes one of a text.

    `again` is another occurrence of it, and `item` a value in brackets with what follows.
    """

    name: str
    is_repeated: bool
    is_message: bool
    oneof: str | None
    group: int
    value: Callable[[str], Any]
    again: re.Pattern[str]
    item: re.Pattern[str]


def merge(text: str, message: Any) -> bool:
    """Set the fields of an empty message to what a text says; tell whether it is in the forms that are known here.

    If it is not, the message holds some of what the text says.
    """
    try:
        _Reader(text).read(message)
    except (_OtherFormError, ValueError, TypeError, OverflowError):  # the latter, of what a field cannot hold
        return False
    return True


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._fields: dict[str, dict[str, _Field]] = {}

    def read(self, message: Any) -> None:
        text, at = self._text, 0
        stack: list[tuple[Any, dict[str, _Field], set[str]]] = [(message, self._fields_of(message), set())]
        while True:
            inside, fields, seen = stack[-1]
            match = _FIELD.match(text, at)
            if match is None:
                match = _CLOSED.match(text, at)
                if match is None or len(stack) == 1:
                    break
                stack.pop()
                at = match.end()
                continue
            at = match.end()
            field = fields.get(match[1])
            if field is None or field.is_message is not (match[_BRACE] is not None):
                raise _OtherFormError
            if not field.is_repeated:
                _check_first(field, inside, seen)
            if field.is_message:
                part = getattr(inside, field.name)
                made = part.add() if field.is_repeated else part
                if not field.is_repeated:
                    made.SetInParent()
                stack.append((made, self._fields_of(made), set()))
                if len(stack) > _DEPTH:
                    raise _OtherFormError
            elif field.is_repeated:
                at = self._items(match, field, getattr(inside, field.name))
            else:
                setattr(inside, field.name, field.value(_required(match[field.group])))
        if len(stack) > 1 or _END.match(text, at) is None:
            raise _OtherFormError

    def _items(self, match: re.Match[str], field: _Field, into: Any) -> int:
        """Add the items of a repeated field, those of its next occurrences included; return where they end."""
        text, add, value, at = self._text, into.append, field.value, match.end()
        if match[_BRACKET] is None:
            add(value(_required(match[field.group])))
            again = field.again.match
            while (found := again(text, at)) is not None:
                add(value(found[1]))
                at = found.end()
            return at
        item = field.item.match
        while (found := item(text, at)) is not None:
            add(value(found[1]))
            at = found.end()
            if found[2] != ",":
                return at
        raise _OtherFormError

    def _fields_of(self, message: Any) -> dict[str, _Field]:
        descriptor = message.DESCRIPTOR
        if descriptor.name not in self._fields:
            known = (field for field in descriptor.fields if not _is_map(field))
            self._fields[descriptor.name] = {field.name: _field(field) for field in known}
        return self._fields[descriptor.name]


def _check_first(field: _Field, message: Any, seen: set[str]) -> None:
    """Make sure that a field which may stand once does, and no other of its oneof."""
    if field.name in seen or (field.oneof is not None and message.WhichOneof(field.oneof) is not None):
        raise _OtherFormError
    seen.add(field.name)


def _field(descriptor: Any) -> _Field:
    from opspec_lint.frameworks.tensorflow.extract.plain_messages import is_repeated

    oneof = descriptor.containing_oneof
    kind, value = _value_of(descriptor)
    return _Field(
        name=descriptor.name,
        is_repeated=is_repeated(descriptor),
        is_message=descriptor.type == _MESSAGE,
        oneof=None if oneof is None else oneof.name,
        group=_FIRST_VALUE + _VALUES.index(kind),
        value=value,
        again=re.compile(rf"{_BLANK}{descriptor.name}{_BLANK}:{_BLANK}{kind}{_SEPARATOR}", re.ASCII),
        item=re.compile(rf"{_BLANK}{kind}{_BLANK}(,|\]{_SEPARATOR})", re.ASCII),
    )


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _value_of(field: Any) -> tuple[str, Callable[[str], Any]]:
    """Return which values a field takes, and the function that makes one of its text."""
    kind = field.type
    if kind in _INTEGERS:
        return _NUMBER, int
    if kind in _FLOATS:
        return _NUMBER, float
    if kind == _BOOL:
        return _WORD, lambda word: _known(_BOOLS, word)
    if kind == _ENUM:
        numbers = {value.name: value.number for value in field.enum_type.values}
        return _WORD, lambda word: _known(numbers, word)
    return _TEXT, _bytes if kind == _BYTES else lambda text: _bytes(text).decode()


def _required(text: str | None) -> str:
    if text is None:
        raise _OtherFormError
    return text


def _known(values: dict[str, Any], word: str) -> Any:
    if word not in values:
        raise _OtherFormError
    return values[word]


def _bytes(text: str) -> bytes:
    from google.protobuf import text_encoding

    pieces = _ONE_TEXT.findall(text)
    if len(pieces) == 1 and "\\" not in text and text.isascii():
        return text[1:-1].encode()
    return b"".join(text_encoding.CUnescape(piece[1:-1]) for piece in pieces)
