"""The attrs of a node: parsing of their bytes, and the check of their values against the declarations of an op.

A node's attrs are the raw entries of the map `attr` of its NodeDef. Elements of large tensors are removed before an
entry is parsed, since no check looks at them and they are most of the bytes of a frozen graph.
"""

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

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr

_MAX_KEPT_BYTES = 512
"""Size in bytes up to which an attr keeps the elements of its tensor."""
_TENSOR_FIELD = 8
"""Number of the field `tensor` of an AttrValue."""
_NODE_FIELDS, _ATTR_FIELD = (1, 2, 3, 4, 5), 5
"""Numbers of the fields name, op, input, device and attr of a NodeDef, and of attr alone."""
_HEADER_FIELDS = (1, 2)
"""Numbers of the fields `dtype` and `tensor_shape` of a TensorProto."""
PLACEHOLDER = "placeholder"
"""The field of an AttrValue that takes its value from an attr of the function that contains the node."""


class AttrProblem(Record):
    """An invalid attr value of a node: event, reason, and `facts` that fill in the text of the rule."""

    event: EventId
    reason: str
    name: str
    facts: tuple[tuple[str, str], ...] = ()
    old: Any = None
    new: Any = None


def strip_tensors(entries: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the attr entries of a node; tensors in entries above 512 bytes keep only dtype and shape."""
    all_entries = tuple(entries)
    if not all_entries or len(max(all_entries, key=len)) <= _MAX_KEPT_BYTES:
        return all_entries
    return tuple([entry if len(entry) <= _MAX_KEPT_BYTES else _strip_entry(entry) for entry in all_entries])


def read(entries: Iterable[bytes]) -> dict[str, Any]:
    """Parse the attr entries of a node into AttrValue messages by name; undecodable bytes are an InputError."""
    from google.protobuf.message import DecodeError

    entry_class, value_class = message("RawEntry"), message("AttrValue")
    attr_values_by_name = {}
    try:
        for data in entries:
            entry = entry_class.FromString(data)
            attr_values_by_name[entry.key] = value_class.FromString(entry.value)
    except DecodeError:
        raise InputError(
            "an attr of a node", "its bytes cannot be decoded", advice="it may be truncated: copy it again"
        ) from None
    return attr_values_by_name


def strip_node(node: memoryview) -> bytes:
    """Return the bytes of a NodeDef, where tensors in attrs above 512 bytes keep only dtype and shape."""
    parts = []
    try:
        for number, kind, begin, end in wire.fields(node):
            if kind == wire.BYTES and number in _NODE_FIELDS:
                is_long = number == _ATTR_FIELD and end - begin > _MAX_KEPT_BYTES
                part = node[begin:end]
                parts.append(protobuf.bytes_field(number, _strip_entry(part) if is_long else bytes(part)))
    except ValueError:
        return bytes(node)  # not a NodeDef: the caller's decoder raises the error
    return b"".join(parts)


def _strip_entry(entry: bytes | memoryview) -> bytes:
    """Return an attr entry without the elements of its tensor; any other entry is returned unchanged."""
    view = memoryview(entry) if isinstance(entry, bytes) else entry
    try:
        # An entry of a map: 1 key, 2 value.
        parts = {number: (begin, end) for number, kind, begin, end in wire.fields(view) if kind == wire.BYTES}
        value = view[slice(*parts[2])]
        inner = [(number, at, to) for number, kind, at, to in wire.fields(value) if kind == wire.BYTES]
        if [number for number, _, _ in inner] != [_TENSOR_FIELD]:
            # A list, or a value that occurs twice: protobuf merges the two, which a cut cannot imitate.
            return bytes(entry)
        ((_, tensor_begin, tensor_end),) = inner
        tensor = value[tensor_begin:tensor_end]
        head = b"".join(
            _copy_field(number, kind, tensor, at, to)
            for number, kind, at, to in wire.fields(tensor)
            if number in _HEADER_FIELDS
        )
    except (ValueError, KeyError):
        return bytes(entry)  # not an entry: the caller's decoder raises the error
    key = bytes(view[slice(*parts[1])]) if 1 in parts else b""
    return protobuf.bytes_field(1, key) + protobuf.bytes_field(2, protobuf.bytes_field(_TENSOR_FIELD, head))


def _copy_field(number: int, kind: int, data: memoryview, begin: int, end: int) -> bytes:
    """Serialize a field again: a varint, or bytes; other wire types are dropped."""
    # `wire.fields` puts the value itself in the place of the start of a varint.
    if kind == wire.VARINT:
        return protobuf.varint_field(number, begin)
    return protobuf.bytes_field(number, bytes(data[begin:end])) if kind == wire.BYTES else b""


def value_of(attr_value: Any, kind: str) -> Any:
    """Convert an AttrValue to the form that specs use for values of attrs of type `kind`, such as "list(int)"."""
    return attr_values.read(attr_value, kind)


def problems(attr: Attr, attr_value: Any, release: TargetRelease) -> Iterator[AttrProblem]:
    """Yield the problems of the value that a node gives to an attr: type, allowed values, minimum."""
    kind = str(attr.type)
    which = attr_value.WhichOneof("value")
    if which == PLACEHOLDER:
        return  # known only at the call of the function
    value = value_of(attr_value, kind)
    if isinstance(value, dict) and values.OTHER_TYPE in value:
        # Either the type and the value, or () for an AttrValue without a value.
        given_type, *_ = value[values.OTHER_TYPE] or ("nothing",)
        yield _type_problem(attr, given_type)
        return
    items = value if kind.startswith("list(") else (value,)
    element = kind.removeprefix("list(").removesuffix(")")
    if element == "type":
        wrong = next((item for item in items if not release.knows_type(item)), None)
        if wrong is not None:
            yield _type_problem(attr, f"the data type {wrong}")
            return
    yield from _limit_problems(attr, value, items)


def _type_problem(attr: Attr, given: str) -> AttrProblem:
    """Return the problem that a value has another type than the attr declares."""
    facts = (("declared", str(attr.type)), ("given", given))
    return AttrProblem(
        event="model_attr_type", reason="attr_type", name=attr.name, facts=facts, old=given, new=attr.type
    )


def _limit_problems(attr: Attr, value: Any, items: Any) -> Iterator[AttrProblem]:
    """Yield the problems of a value that is not allowed, or below the minimum."""
    allowed = attr.allowed_values
    if isinstance(allowed, tuple):
        wrong = next((item for item in items if item not in allowed), None)
        if wrong is not None:
            facts = (("value", _value_text(wrong)), ("problem", f"is not among {_value_text(list(allowed))}"))
            yield AttrProblem(
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
        yield AttrProblem(
            event="model_attr_value", reason="attr_minimum", name=attr.name, facts=facts, old=size, new=int(least)
        )


def _value_text(value: Any) -> str:
    return shorten(values.show(value), 200)


def dtype_of(attr_value: Any) -> str | None:
    """Return the data type in an AttrValue of type `type` or `tensor`, None for any other."""
    which = attr_value.WhichOneof("value")
    if which == "type":
        return data_type(attr_value.type)
    return data_type(attr_value.tensor.dtype) if which == "tensor" else None
