"""The attrs of a node: read from the bytes that a graph has of them, and checked against what an op declares."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import attr_values
from opspec_lint.frameworks.tensorflow.extract.messages import data_type
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.kit import protobuf
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import shorten
from opspec_lint.models import wire
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import Release
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr

_SHORT = 512
"""Bytes of an attr that is kept whole; of a longer tensor the elements are left out."""
_TENSOR = 8
"""The field of an AttrValue that holds a tensor."""
_NODE, _ATTR = (1, 2, 3, 4, 5), 5
"""The fields of a NodeDef that are looked at, and that of its attrs."""
_HEAD = (1, 2)
"""The fields of a TensorProto that say its type and its shape."""
PLACEHOLDER = "placeholder"
"""The field of an AttrValue that stands for an attr of the function around the node."""


class Problem(Record):
    """What is wrong with an attr of a node: the rule's event, the word of the loader's error, and the words for it."""

    event: EventId
    reason: str
    name: str
    facts: tuple[tuple[str, str], ...] = ()
    old: Any = None
    new: Any = None


def short(entries: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the attrs of a node without the elements of long tensors."""
    found = tuple(entries)
    if not found or len(max(found, key=len)) <= _SHORT:
        return found
    return tuple([each if len(each) <= _SHORT else _shortened(each) for each in found])


def read(entries: Iterable[bytes]) -> dict[str, Any]:
    """Return the attrs of a node as AttrValue messages, by name.

    Raises:
        InputError: the attrs cannot be decoded.
    """
    from google.protobuf.message import DecodeError

    entry_class, value_class = message("RawEntry"), message("AttrValue")
    found = {}
    try:
        for each in entries:
            entry = entry_class.FromString(each)
            found[entry.key] = value_class.FromString(entry.value)
    except DecodeError:
        raise InputError("an attr of a node", "its bytes cannot be decoded", advice="is the file complete?") from None
    return found


def short_node(node: memoryview) -> bytes:
    """Return a NodeDef without the elements of long tensors; what is none is left to the decoder."""
    parts = []
    try:
        for number, kind, begin, end in wire.fields(node):
            if kind == wire.BYTES and number in _NODE:
                is_long = number == _ATTR and end - begin > _SHORT
                part = node[begin:end]
                parts.append(protobuf.bytes_field(number, _shortened(part) if is_long else bytes(part)))
    except ValueError:
        return bytes(node)
    return b"".join(parts)


def _shortened(entry: bytes | memoryview) -> bytes:
    """Return an entry of the map of attrs; of a tensor in it there are left its type, its shape, and which field it is.

    What is no entry at all is left to the decoder.
    """
    view = memoryview(entry) if isinstance(entry, bytes) else entry
    try:
        parts = {number: (begin, end) for number, kind, begin, end in wire.fields(view) if kind == wire.BYTES}
        begin, end = parts[2]
        inner = [(number, at, to) for number, kind, at, to in wire.fields(view[begin:end]) if kind == wire.BYTES]
        if [number for number, _, _ in inner] != [_TENSOR]:
            return bytes(entry)  # a list, or a value that is stated twice: the decoder says which counts
        tensor = view[begin:end][inner[0][1] : inner[0][2]]
        head = b"".join(
            _field(number, kind, tensor, at, to) for number, kind, at, to in wire.fields(tensor) if number in _HEAD
        )
    except (ValueError, KeyError):
        return bytes(entry)
    key = bytes(view[slice(*parts[1])]) if 1 in parts else b""
    return protobuf.bytes_field(1, key) + protobuf.bytes_field(2, protobuf.bytes_field(_TENSOR, head))


def _field(number: int, kind: int, data: memoryview, begin: int, end: int) -> bytes:
    if kind == wire.VARINT:
        return protobuf.varint_field(number, begin)
    return protobuf.bytes_field(number, bytes(data[begin:end])) if kind == wire.BYTES else b""


def value_of(found: Any, kind: str) -> Any:
    """Return an AttrValue as the spec has values of attrs of a kind."""
    return attr_values.read(found, kind)


def problems(attr: Attr, found: Any, release: Release) -> Iterator[Problem]:
    """Yield what is wrong with the value that a node gives to an attr."""
    kind = str(attr.type)
    which = found.WhichOneof("value")
    if which == PLACEHOLDER:
        return
    value = value_of(found, kind)
    if isinstance(value, dict) and values.OTHER_TYPE in value:
        given = value[values.OTHER_TYPE]
        yield _wrong_type(attr, given[0] if given else "nothing")
        return
    items = value if kind.startswith("list(") else (value,)
    element = kind.removeprefix("list(").removesuffix(")")
    if element == "type":
        wrong = next((item for item in items if not release.knows_type(item)), None)
        if wrong is not None:
            yield _wrong_type(attr, f"the data type {wrong}")
            return
    yield from _limits(attr, value, items)


def _wrong_type(attr: Attr, given: str) -> Problem:
    facts = (("declared", str(attr.type)), ("given", given))
    return Problem(event="model_attr_type", reason="attr_type", name=attr.name, facts=facts, old=given, new=attr.type)


def _limits(attr: Attr, value: Any, items: Any) -> Iterator[Problem]:
    allowed = attr.allowed_values
    if isinstance(allowed, tuple):
        wrong = next((item for item in items if item not in allowed), None)
        if wrong is not None:
            facts = (("value", _shown(wrong)), ("problem", f"is not among {_shown(list(allowed))}"))
            yield Problem(
                event="model_attr_value",
                reason="attr_value",
                name=attr.name,
                facts=facts,
                old=wrong if isinstance(wrong, str) else None,
                new=list(allowed),
            )
    least = attr.minimum
    if least is None or least is UNKNOWN:
        return
    is_list = str(attr.type).startswith("list(")
    size = len(value) if is_list else value
    if isinstance(size, int) and size < int(least):
        what = "has a length" if is_list else "is"
        facts = (("value", str(size)), ("problem", f"{what} below the minimum {int(least)}"))
        yield Problem(
            event="model_attr_value", reason="attr_minimum", name=attr.name, facts=facts, old=size, new=int(least)
        )


def _shown(value: Any) -> str:
    return shorten(values.show(value), 200)


def dtype_of(found: Any) -> str | None:
    """Return the data type that an AttrValue holds, or that of its tensor; None where it holds none."""
    which = found.WhichOneof("value")
    if which == "type":
        return data_type(found.type)
    return data_type(found.tensor.dtype) if which == "tensor" else None
