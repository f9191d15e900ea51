"""Descriptors of protobuf messages, made at run time from the text of a `.proto` file.

So neither generated code nor the classes of a framework are needed. The numbers of fields are from
`google/protobuf/descriptor.proto`: 5 of a FileDescriptorProto is `enum_type`.
"""

from __future__ import annotations

import re

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "opspec"
"""The package of all messages that are made here."""
_SCALARS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "fixed64": 6,
    "fixed32": 7,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
    "sint64": 18,
}
"""The codes of FieldDescriptorProto.Type."""
_MESSAGE, _ENUM = 11, 14
_OPTIONAL, _REPEATED = 1, 3
_COMMENT = pattern(r"//.*")
_FORM = pattern(
    r"(?P<open>message|enum|oneof) (?P<name>\w+) \{"
    r"|(?P<repeated>repeated )?(?:map<(?P<key>\w+), (?P<item>\w+)>|(?P<type>\w+)) (?P<field>\w+) = (?P<number>\d+);"
    r"|(?P<word>\w+) = (?P<code>\d+);"
    r"|\}"
)


def descriptor(proto: str, file: str, *, writes_zeros: bool = False) -> bytes:
    """Return the serialized FileDescriptorProto of a .proto text.

    It supports a part of the language: messages and enums are at the top level, a oneof is the last item of its
    message, and the syntax is proto3. With `writes_zeros` it is proto2: a number that is set to 0 is written, as a
    required field must be.
    """
    text = _COMMENT.sub("", proto)
    enums = set(re.findall(r"enum (\w+) ", text))
    forms = _FORM.finditer(text)
    declared = [
        bytes_field(5, _text(1, form["name"]), *_enum_values(forms))
        if form["open"] == "enum"
        else bytes_field(4, _text(1, form["name"]), *_members(forms, form["name"], enums))
        for form in forms
    ]
    syntax = b"" if writes_zeros else _text(12, "proto3")
    return b"".join([_text(1, f"{PACKAGE}/{file}"), _text(2, PACKAGE), *declared, syntax])


def _enum_values(forms: Iterator[re.Match[str]]) -> Iterator[bytes]:
    for form in forms:
        if form["word"] is None:
            return
        yield bytes_field(2, _text(1, form["word"]), varint_field(2, int(form["code"])))


def _members(forms: Iterator[re.Match[str]], name: str, enums: set[str], *, oneof: bool = False) -> Iterator[bytes]:
    """Yield the fields of a message up to its brace, or of its oneof; the entries of a map are a message, too."""
    for form in forms:
        if form["open"] == "oneof":
            yield bytes_field(8, _text(1, form["name"]))
            yield from _members(forms, name, enums, oneof=True)
        elif form["field"] is None:
            return
        elif form["key"]:
            entry = f"{form['field'].title().replace('_', '')}Entry"
            pair = _field("key", 1, form["key"], enums), _field("value", 2, form["item"], enums)
            yield bytes_field(3, _text(1, entry), *pair, bytes_field(7, varint_field(7, 1)))
            yield _field(form["field"], int(form["number"]), f"{name}.{entry}", enums, label=_REPEATED)
        else:
            label = _REPEATED if form["repeated"] else _OPTIONAL
            yield _field(form["field"], int(form["number"]), form["type"], enums, label=label, oneof=oneof)


def _field(  # noqa: PLR0913 - a field is its facts
    name: str, number: int, kind: str, enums: set[str], *, label: int = _OPTIONAL, oneof: bool = False
) -> bytes:
    """Return a field of a message as an encoded FieldDescriptorProto."""
    code = _SCALARS.get(kind) or (_ENUM if kind in enums else _MESSAGE)
    parts = [_text(1, name), varint_field(3, number), varint_field(4, label), varint_field(5, code)]
    if kind not in _SCALARS:
        parts.append(_text(6, f".{PACKAGE}.{kind}"))
    # A field with an explicit oneof_index belongs to a oneof; each message has at most one here.
    if oneof:
        parts.append(varint_field(9, 0))
    return bytes_field(2, *parts)


def bytes_field(field: int, *parts: bytes) -> bytes:
    """Return a field that holds bytes, a text or a message."""
    body = b"".join(parts)
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def _text(field: int, text: str) -> bytes:
    return bytes_field(field, text.encode())


def varint_field(field: int, value: int) -> bytes:
    """Return a field that holds a number, as a varint."""
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
