from __future__ import annotations

from google.protobuf import descriptor_pb2

from opspec_lint.kit.protobuf import descriptor


def test_the_proto_is_compiled_as_protoc_would():
    parsed = descriptor_pb2.FileDescriptorProto.FromString(
        descriptor(
            "message A { repeated B b = 1; oneof o { int64 i = 2; E e = 3; } } // c\n"
            "message B { map<string, A> m_n = 1; fixed32 f = 2; }\nenum E { ZERO = 0; ONE = 1; }",
            "a.proto",
        )
    )
    a, b = parsed.message_type
    assert [(field.name, field.number, field.type, field.label) for field in a.field] == [
        ("b", 1, 11, 3),
        ("i", 2, 3, 1),
        ("e", 3, 14, 1),
    ]
    assert [field.HasField("oneof_index") for field in a.field] == [False, True, True]
    assert b.nested_type[0].options.map_entry
    assert b.field[0].type_name == ".opspec.B.MNEntry"
    assert b.field[1].type == 7
    assert parsed.name == "opspec/a.proto"
    assert [value.name for value in parsed.enum_type[0].value] == ["ZERO", "ONE"]
