"""An encoder of ONNX models, field by field in protobuf's wire format, without protobuf.

It runs in this process and, as text in front of a probe, in the interpreters that try the models. So it needs only
Python 3.6 and its standard library.
"""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CODES = (
    *("undefined", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16"),
    *("double", "uint32", "uint64", "complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz"),
    *("float8e5m2", "float8e5m2fnuz", "uint4", "int4", "float4e2m1", "float8e8m0", "uint2", "int2"),
)
ATTRIBUTES = {"FLOAT": (1, 2), "INT": (2, 3), "STRING": (3, 4), "FLOATS": (6, 7), "INTS": (7, 8), "STRINGS": (8, 9)}
"""The number of an attribute type, and the number of the field of AttributeProto with its values."""
SOME = {1: 1.0, 2: 1, 3: "a", 6: [1.0], 7: [1], 8: ["a"]}
"""A sample value of each attribute type, by its number."""


def attribute(name: str, kind: str, value: "Any" = None) -> bytes:
    """Return an attribute as a field of a node; without `value`, the attribute gets a sample value."""
    number, field = ATTRIBUTES.get(kind, (0, 0))
    given = SOME.get(number) if value is None else value
    items = given if isinstance(given, (list, tuple)) else [] if given is None else [given]
    data = b"".join(scalar(field, item) for item in items)
    return part(5, part(1, name.encode()) + data + tagged(20, 0) + varint(number))


def empty_tensor(name: str, kind: str) -> bytes:
    """Return an attribute that is a tensor of type `kind` without elements, as a field of a node."""
    inner = kind.rstrip()[:-1].partition("(")[2]
    tensor = tagged(1, 0) + varint(0) + tagged(2, 0) + varint(CODES.index(inner) if inner in CODES else 0)
    return part(5, part(1, name.encode()) + part(5, tensor) + tagged(20, 0) + varint(4))


def scalar(field: int, value: "Any") -> bytes:
    """Return a field with a number or a text."""
    if isinstance(value, float):
        return tagged(field, 5) + struct.pack("<f", value)
    if isinstance(value, int):
        # protobuf writes a negative integer as the unsigned 64-bit number with the same bits.
        return tagged(field, 0) + varint(value & (1 << 64) - 1)
    return part(field, str(value).encode())


def operation(domain: str, op: str, inputs: "list[str]", outputs: "list[str]", attributes: "list[bytes]") -> bytes:
    """Return a node as a field of a graph."""
    names = [part(1, name.encode()) for name in inputs] + [part(2, name.encode()) for name in outputs]
    return part(1, b"".join([*names, part(4, op.encode()), *attributes, part(7, domain.encode())]))


def model(ir_version: int, domain: str, version: int, graph: bytes, imported: "Any" = ()) -> bytes:
    """Return a model that imports `version` of `domain`; `graph` are the encoded fields of its graph.

    `imported` are further imports, as (domain, version).
    """
    imports = [part(8, part(1, name.encode()) + tagged(2, 0) + varint(version)) for name, version in imported]
    imports.append(part(8, part(1, domain.encode()) + tagged(2, 0) + varint(version)))
    return tagged(1, 0) + varint(ir_version) + part(7, graph + part(2, b"g")) + b"".join(imports)


def value_info(number: int, name: str, kind: str, rank: "int | None" = None) -> bytes:
    """Return an input or output as a field of a graph; with `rank`, its shape has this rank and open sizes."""
    return part(number, part(1, name.encode()) + part(2, type_of(kind, rank)))


def type_of(kind: str, rank: "int | None" = None) -> bytes:
    """Return the TypeProto of a type such as `seq(tensor(float))`, empty if the type is not known."""
    outer, _, inner = kind.rstrip()[:-1].partition("(")
    if outer in ("tensor", "sparse_tensor"):
        code = CODES.index(inner) if inner in CODES else 0
        shape = b"" if rank is None else part(2, part(1, b"") * rank)
        return part(1 if outer == "tensor" else 8, tagged(1, 0) + varint(code) + shape)
    if outer in ("seq", "optional"):
        return part(4 if outer == "seq" else 9, part(1, type_of(inner)))
    if outer == "map":
        key, _, value = inner.partition(",")
        value = value.strip() if "(" in value else f"tensor({value.strip()})"
        code = CODES.index(key.strip()) if key.strip() in CODES else 0
        return part(5, tagged(1, 0) + varint(code) + part(2, type_of(value)))
    return b""


def part(number: int, data: bytes) -> bytes:
    """Return a field of wire type 2: bytes, text or a message."""
    return tagged(number, 2) + varint(len(data)) + data


def tagged(number: int, kind: int) -> bytes:
    """Return the tag of a field: its number and wire type."""
    return varint(number << 3 | kind)


def varint(value: int) -> bytes:
    """Return an integer as a protobuf varint."""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])
