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


def attribute_field(name: str, kind: str, value: "Any" = None) -> bytes:
    """Return an attribute as a field of a node; without `value`, the attribute gets a sample value."""
    number, field = ATTRIBUTES.get(kind, (0, 0))
    given = SOME.get(number) if value is None else value
    if not isinstance(given, (list, tuple)):
        given = [] if given is None else [given]
    data = b"".join(scalar_field(field, item) for item in given)
    # NodeProto: 5 attribute. AttributeProto: 1 name, 20 type.
    return bytes_field(5, bytes_field(1, name.encode()) + data + field_tag(20, 0) + varint(number))


def empty_tensor_field(name: str, kind: str) -> bytes:
    """Return an attribute that is a tensor of type `kind` without elements, as a field of a node."""
    inner = kind.rstrip()[:-1].partition("(")[2]
    # TensorProto: 1 dims, 2 data_type. AttributeProto: 5 t, 20 type, which is 4 for a tensor.
    tensor = field_tag(1, 0) + varint(0) + field_tag(2, 0) + varint(CODES.index(inner) if inner in CODES else 0)
    return bytes_field(5, bytes_field(1, name.encode()) + bytes_field(5, tensor) + field_tag(20, 0) + varint(4))


def scalar_field(field: int, value: "Any") -> bytes:
    """Return a field with a number or a text."""
    if isinstance(value, float):
        return field_tag(field, 5) + struct.pack("<f", value)
    if isinstance(value, int):
        # protobuf writes a negative integer as the unsigned 64-bit number with the same bits.
        return field_tag(field, 0) + varint(value & (1 << 64) - 1)
    return bytes_field(field, str(value).encode())


def node_field(domain: str, op: str, inputs: "list[str]", outputs: "list[str]", attributes: "list[bytes]") -> bytes:
    """Return a node as a field of a graph."""
    # GraphProto: 1 node. NodeProto: 1 input, 2 output, 4 op_type, 7 domain.
    names = [bytes_field(1, name.encode()) for name in inputs] + [bytes_field(2, name.encode()) for name in outputs]
    return bytes_field(1, b"".join([*names, bytes_field(4, op.encode()), *attributes, bytes_field(7, domain.encode())]))


def encode_model(ir_version: int, domain: str, version: int, graph: bytes, imported: "Any" = ()) -> bytes:
    """Return a model that imports `version` of `domain`; `graph` are the encoded fields of its graph.

    `imported` are further imports, as (domain, version).
    """
    # ModelProto: 1 ir_version, 7 graph, 8 opset_import (1 domain, 2 version). GraphProto: 2 name.
    imports = [
        bytes_field(8, bytes_field(1, name.encode()) + field_tag(2, 0) + varint(version)) for name, version in imported
    ]
    imports.append(bytes_field(8, bytes_field(1, domain.encode()) + field_tag(2, 0) + varint(version)))
    return field_tag(1, 0) + varint(ir_version) + bytes_field(7, graph + bytes_field(2, b"g")) + b"".join(imports)


def value_info_field(number: int, name: str, kind: str, rank: "int | None" = None) -> bytes:
    """Return an input or output as a field of a graph; with `rank`, its shape has this rank and open sizes."""
    return bytes_field(number, bytes_field(1, name.encode()) + bytes_field(2, encode_type(kind, rank)))


def encode_type(kind: str, rank: "int | None" = None) -> bytes:
    """Return the TypeProto of a type such as `seq(tensor(float))`, empty if the type is not known."""
    # TypeProto: 1 tensor_type, 4 sequence_type, 5 map_type, 8 sparse_tensor_type, 9 optional_type.
    outer, _, inner = kind.rstrip()[:-1].partition("(")
    if outer in ("tensor", "sparse_tensor"):
        code = CODES.index(inner) if inner in CODES else 0
        shape = b"" if rank is None else bytes_field(2, bytes_field(1, b"") * rank)
        return bytes_field(1 if outer == "tensor" else 8, field_tag(1, 0) + varint(code) + shape)
    if outer in ("seq", "optional"):
        return bytes_field(4 if outer == "seq" else 9, bytes_field(1, encode_type(inner)))
    if outer == "map":
        key, _, value = inner.partition(",")
        value = value.strip() if "(" in value else f"tensor({value.strip()})"
        code = CODES.index(key.strip()) if key.strip() in CODES else 0
        return bytes_field(5, field_tag(1, 0) + varint(code) + bytes_field(2, encode_type(value)))
    return b""


def bytes_field(number: int, data: bytes) -> bytes:
    """Return a field of wire type 2: bytes, text or a message."""
    return field_tag(number, 2) + varint(len(data)) + data


def field_tag(number: int, kind: int) -> bytes:
    """Return the tag of a field: its number and wire type."""
    return varint(number << 3 | kind)


def varint(value: int) -> bytes:
    """Return an integer as a protobuf varint."""
    data = bytearray()
    while value > 0x7F:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])
