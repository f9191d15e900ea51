"""TensorFlow's op declarations as protobuf messages, without TensorFlow: the classes are made of `opdef.proto`.

They live in a descriptor pool of their own, so that they never meet those of a TensorFlow in the same process.
"""

from __future__ import annotations

import os
import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

_PACKAGE = "opspec"
_PREFIX = "DT_"
_SCALARS = {
    "double": 1,
    "float": 2,
    "int64": 3,
    "uint64": 4,
    "int32": 5,
    "bool": 8,
    "string": 9,
    "bytes": 12,
    "uint32": 13,
}
"""The codes of FieldDescriptorProto.Type."""
_MESSAGE, _ENUM = 11, 14
_OPTIONAL, _REPEATED = 1, 3
_COMMENT = re.compile(r"//.*")
_FORM = re.compile(
    r"(?P<open>message|enum|oneof) (?P<name>\w+) \{"
    r"|(?P<repeated>repeated )?(?:map<(?P<key>\w+), (?P<item>\w+)>|(?P<type>\w+)) (?P<field>\w+) = (?P<number>\d+);"
    r"|(?P<word>\w+) = (?P<code>\d+);"
    r"|\}"
)


@cache
def message(name: str) -> Any:
    """Return the class of a message of `opdef.proto`, such as "OpList"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{_PACKAGE}.{name}"))


@cache
def enum_names(name: str) -> Mapping[int, str]:
    """Return the names of an enum of `opdef.proto` by their numbers."""
    return {value.number: value.name for value in _pool().FindEnumTypeByName(f"{_PACKAGE}.{name}").values}


def data_type(number: int) -> str:
    """Return a data type as TensorFlow prints it, `float` for DT_FLOAT, and its number where it has no name."""
    return enum_names("DataType").get(number, str(number)).removeprefix(_PREFIX).lower()


def data_type_number(name: str) -> int:
    """Return the number of a data type.

    Raises:
        ValueError: there is none of that name.
    """
    for number, known in enum_names("DataType").items():
        if known == _PREFIX + name.upper():
            return number
    return int(name)


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pool

    with open(os.path.join(os.path.dirname(__file__), "opdef.proto"), encoding="utf-8") as stream:
        text = stream.read()
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor(text))
    return pool


def descriptor(proto: str) -> bytes:
    """Return the serialized FileDescriptorProto of a .proto text in the few forms of the language that are used here.

    All messages and enums stand at the top, a oneof comes last in its message, and syntax is that of proto3.
    """
    text = _COMMENT.sub("", proto)
    enums = set(re.findall(r"enum (\w+) ", text))
    forms = _FORM.finditer(text)
    declared = [
        _record(5, _text(1, form["name"]), *_enum_values(forms))
        if form["open"] == "enum"
        else _record(4, _text(1, form["name"]), *_members(forms, form["name"], enums))
        for form in forms
    ]
    return b"".join([_text(1, "opspec/opdef.proto"), _text(2, _PACKAGE), *declared, _text(12, "proto3")])


def _enum_values(forms: Iterator[re.Match[str]]) -> Iterator[bytes]:
    for form in forms:
        if form["word"] is None:
            return
        yield _record(2, _text(1, form["word"]), _number(2, int(form["code"])))


def _members(forms: Iterator[re.Match[str]], name: str, enums: set[str], *, oneof: bool = False) -> Iterator[bytes]:
    """Yield the fields of a message up to its brace, or of the oneof in it; the entries of a map are a message too."""
    for form in forms:
        if form["open"] == "oneof":
            yield _record(8, _text(1, form["name"]))
            yield from _members(forms, name, enums, oneof=True)
        elif form["field"] is None:
            return
        elif form["key"]:
            entry = f"{form['field'].capitalize()}Entry"
            pair = _field("key", 1, form["key"], enums), _field("value", 2, form["item"], enums)
            yield _record(3, _text(1, entry), *pair, _record(7, _number(7, 1)))
            yield _field(form["field"], int(form["number"]), f"{name}.{entry}", enums, label=_REPEATED)
        else:
            label = _REPEATED if form["repeated"] else _OPTIONAL
            yield _field(form["field"], int(form["number"]), form["type"], enums, label=label, oneof=oneof)


def _field(  # noqa: PLR0913 - a field is its facts
    name: str, number: int, kind: str, enums: set[str], *, label: int = _OPTIONAL, oneof: bool = False
) -> bytes:
    code = _SCALARS.get(kind) or (_ENUM if kind in enums else _MESSAGE)
    parts = [_text(1, name), _number(3, number), _number(4, label), _number(5, code)]
    if kind not in _SCALARS:
        parts.append(_text(6, f".{_PACKAGE}.{kind}"))
    if oneof:
        parts.append(_number(9, 0))
    return _record(2, *parts)


def _record(field: int, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def _text(field: int, text: str) -> bytes:
    return _record(field, text.encode())


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
