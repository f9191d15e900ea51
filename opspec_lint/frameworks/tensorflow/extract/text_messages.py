"""A fast parser of protobuf's text format, for the subset that op lists are written in.

Protobuf's own parser, in Python, takes 17 microseconds and 100 bytes of memory per item of a list. This one
matches a whole field with one regular expression. It gives up on any other syntax and on errors, so that the caller
parses the text with protobuf, which reports errors with line and column.
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
_STRING = r"\"[^\"\\\n]*(?:\\.[^\"\\\n]*)*\"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_NUMBER = r"(-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan)(?![\w.+-]))"
_IDENTIFIER = r"([A-Za-z_]\w*(?![\w+-]))"
_TEXT = rf"((?:{_STRING})(?:\s*(?:{_STRING}))*)"
_SEPARATOR = rf"{_BLANK}[,;]?"
_FIELD = pattern(
    rf"{_BLANK}([A-Za-z_]\w*){_BLANK}(?::?{_BLANK}(\{{)|:{_BLANK}(?:(\[)|(?:{_NUMBER}|{_IDENTIFIER}|{_TEXT}){_SEPARATOR}))",
    "a",
)
_BRACE, _BRACKET, _FIRST_VALUE = 2, 3, 4
"""Groups of `_FIELD`; the values are in the order of `_VALUES`."""
_VALUES = (_NUMBER, _IDENTIFIER, _TEXT)
_CLOSED = pattern(rf"{_BLANK}\}}{_SEPARATOR}", "a")
_END = pattern(rf"{_BLANK}\Z", "a")
_STRING_PATTERN = pattern(_STRING)
_DEPTH = 90
"""Levels of messages; protobuf's own limit is 100."""
_BOOLS = {"true": True, "false": False}
_MESSAGE = 11
_FLOATS, _INTEGERS = (1, 2), (3, 4, 5, 6, 7, 13, 18)
_BOOL, _BYTES, _ENUM = 8, 12, 14
"""Codes of FieldDescriptor.type."""


class _UnsupportedFormError(Exception):
    """Raised for syntax outside of the supported subset, valid or not."""


class _Field(Record):
    """A field of a message type, prepared for parsing.

    `group` is the group of the pattern `_FIELD` that matches its values, `value` converts the text of one. `again`
    matches a further occurrence of a repeated field, `item` a value in brackets with the comma or bracket after it.
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
    """Parse a text into an empty message, and tell whether its syntax is supported.

    If it is not, the message may have been filled in part.
    """
    try:
        _Reader(text).read(message)
    except (_UnsupportedFormError, ValueError, TypeError, OverflowError):
        # Protobuf raises the last three for values that a field cannot hold.
        return False
    return True


class _Reader:
    """The parser of one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, message: Any) -> None:
        """Parse the text into a message, with a stack in place of recursion."""
        text, at = self._text, 0
        stack: list[tuple[Any, dict[str, _Field], set[str]]] = [(message, _fields_of(message), set())]
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
                raise _UnsupportedFormError
            if not field.is_repeated:
                _refuse_repetition(field, inside, seen)
            if field.is_message:
                part = getattr(inside, field.name)
                made = part.add() if field.is_repeated else part
                if not field.is_repeated:
                    made.SetInParent()
                stack.append((made, _fields_of(made), set()))
                if len(stack) > _DEPTH:
                    raise _UnsupportedFormError
            elif field.is_repeated:
                at = self._items(match, field, getattr(inside, field.name))
            else:
                setattr(inside, field.name, field.value(_require(match[field.group])))
        if len(stack) > 1 or _END.match(text, at) is None:
            raise _UnsupportedFormError

    def _items(self, match: re.Match[str], field: _Field, into: Any) -> int:
        """Add the items of a repeated field and of its directly following occurrences; return the offset after them."""
        text, add, value, at = self._text, into.append, field.value, match.end()
        if match[_BRACKET] is None:
            add(value(_require(match[field.group])))
            again = field.again.match
            while (item_match := again(text, at)) is not None:
                add(value(item_match[1]))
                at = item_match.end()
            return at
        item = field.item.match
        while (item_match := item(text, at)) is not None:
            add(value(item_match[1]))
            at = item_match.end()
            if item_match[2] != ",":
                return at
        raise _UnsupportedFormError


_PREPARED: dict[int, tuple[Any, dict[str, _Field]]] = {}
"""Message types with their prepared fields, by identity; entries of a list are parsed one by one."""


def _fields_of(message: Any) -> dict[str, _Field]:
    """Return the prepared fields of the type of a message, without maps, which are not supported."""
    descriptor = message.DESCRIPTOR
    prepared, fields = _PREPARED.get(id(descriptor), (None, {}))
    # The id of a descriptor that was freed can belong to another one.
    if prepared is not descriptor:
        fields = {field.name: _describe_field(field) for field in descriptor.fields if not _is_map(field)}
        _PREPARED[id(descriptor)] = descriptor, fields
    return fields


def _refuse_repetition(field: _Field, message: Any, seen: set[str]) -> None:
    """Refuse a singular field that occurs again, or a second field of a oneof: protobuf reports these as errors."""
    if field.name in seen or (field.oneof is not None and message.WhichOneof(field.oneof) is not None):
        raise _UnsupportedFormError
    seen.add(field.name)


def _describe_field(descriptor: Any) -> _Field:
    """Prepare a field for parsing by its descriptor."""
    from opspec_lint.frameworks.tensorflow.extract.plain_messages import is_repeated

    oneof = descriptor.containing_oneof
    kind, value = _value_parser(descriptor)
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


def _value_parser(field: Any) -> tuple[str, Callable[[str], Any]]:
    """Return the pattern of the values of a field, and the function that converts the text of one."""
    kind = field.type
    if kind in _INTEGERS:
        return _NUMBER, int
    if kind in _FLOATS:
        return _NUMBER, float
    if kind == _BOOL:
        return _IDENTIFIER, lambda name: _look_up(_BOOLS, name)
    if kind == _ENUM:
        numbers = {value.name: value.number for value in field.enum_type.values}
        return _IDENTIFIER, lambda name: _look_up(numbers, name)
    if kind == _BYTES:
        return _TEXT, _unescape
    return _TEXT, lambda text: _unescape(text).decode()


def _require(text: str | None) -> str:
    if text is None:
        raise _UnsupportedFormError
    return text


def _look_up(values: dict[str, Any], name: str) -> Any:
    if name not in values:
        raise _UnsupportedFormError
    return values[name]


def _unescape(text: str) -> bytes:
    """Return the bytes of string literals; several in a row are concatenated."""
    from google.protobuf import text_encoding

    pieces = _STRING_PATTERN.findall(text)
    if len(pieces) == 1 and "\\" not in text and text.isascii():
        return text[1:-1].encode()
    return b"".join(text_encoding.CUnescape(piece[1:-1]) for piece in pieces)
