"""Op lists and specs: nothing is lost on the way, and what is no op list is one plain error."""

from __future__ import annotations

import json
import random
import tracemalloc
from argparse import Namespace
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2, json_format, text_format
from hypothesis import given, settings
from hypothesis import strategies as st
from mutate import mutate
from verdicts import spec as spec_of_ops

from opspec_lint import files, specfile
from opspec_lint.check import check
from opspec_lint.commands import validate
from opspec_lint.document import decode
from opspec_lint.errors import InputError
from opspec_lint.tensorflow import attrvalues, messages, oplists
from opspec_lint.tensorflow.messages import message

SPECS = sorted((Path(__file__).parents[2] / "specs").glob("tensorflow-*.json"))
RELEASE = files.read_spec(str(SPECS[0]))
BINARY = oplists.dump(RELEASE)


def read(data: bytes | str):
    return files.spec_of(decode(data if isinstance(data, bytes) else data.encode(), "ops"))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_a_released_spec_is_its_op_list_and_back(path):
    released = files.read_spec(str(path))
    data = oplists.dump(released)
    again = read(data)
    assert again.ordered
    assert oplists.dump(again) == data
    assert list(again.ops) == list(released.ops)
    assert all(again.ops[name] == op for name, op in released.ops.items())


def test_released_specs_say_which_graphs_they_read_and_write():
    assert {path.stem.partition("-")[2] for path in SPECS} >= {"1.15.0", "2.4.4", "2.8.4", "2.12.1", "2.15.1"}
    for path in SPECS:
        versions = files.read_spec(str(path)).graph_versions
        assert versions is not None
        assert versions.producer >= 134
        assert versions.producer_since


def test_all_forms_of_an_op_list_are_one_spec():
    oplist = message("OpList").FromString(BINARY)
    text = text_format.MessageToString(oplist)
    commented = f"# written by hand\n\n{text}"
    as_json = json_format.MessageToJson(oplist, preserving_proto_field_name=True)
    for each in (text, commented, as_json):
        assert oplists.dump(read(each)) == BINARY


@pytest.mark.parametrize("seed", range(20))
def test_an_op_that_tensorflow_would_refuse_is_read_and_written_too(seed):
    chance = random.Random(seed)  # noqa: S311
    oplist = message("OpList").FromString(BINARY)
    ops = [chance.choice(oplist.op) for _ in range(40)]
    ops = [message("OpDef").FromString(each.SerializeToString()) for each in {op.name: op for op in ops}.values()]
    for op in ops:
        mutate(op, chance, 3)
        op.deprecation.SetInParent()
    spec = spec_of_ops(ops)
    for name, op in spec.ops.items():
        original = next(each for each in ops if each.name == name)
        for attr in original.attr:
            if not attr.has_minimum:
                attr.minimum = 0  # said without being in force, which is all that is not kept
        single = spec.but(ops={name: op})
        for again in (single, read(specfile.dumps(single))):
            (back,) = message("OpList").FromString(oplists.dump(again)).op
            assert text_format.MessageToString(back) == text_format.MessageToString(original)


def test_an_op_that_stands_twice_is_a_history():
    ops = [message("OpDef")(name="F"), message("OpDef")(name="G"), message("OpDef")(name="F", is_stateful=True)]
    spec = spec_of_ops(ops)
    assert spec.ops["F"].is_stateful is True
    assert [op.is_stateful for op in spec.earlier["F"]] == [False]
    assert list(spec.earlier) == ["F"]
    again = read(specfile.dumps(spec))
    assert again.earlier["F"] == spec.earlier["F"]
    assert specfile.dumps(again) == specfile.dumps(spec)


def test_a_folder_of_histories_is_one_spec(tmp_path):
    (tmp_path / "F.pbtxt").write_text('op { name: "F" }\nop { name: "F" is_stateful: true }')
    (tmp_path / "G.pbtxt").write_text('op { name: "G" }')
    (tmp_path / "README").write_text("not an op list")
    spec = files.read_spec(str(tmp_path))
    assert sorted(spec.ops) == ["F", "G"]
    assert len(spec.earlier["F"]) == 1
    (tmp_path / "H.pbtxt").write_text("nonsense: 1")
    with pytest.raises(InputError, match=r"H\.pbtxt"):
        files.read_spec(str(tmp_path))


def test_a_folder_without_any_is_a_folder(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        files.read_spec(str(tmp_path))


DEEP_TEXT = 'op { name: "F" attr { default_value ' + "{ func { attr { value " * 3000 + "} } }" * 3000 + "} }"
DEEP_JSON: object = {}
for _ in range(60):
    DEEP_JSON = {"func": {"attr": {"a": DEEP_JSON}}}
HOSTILE = {
    "truncated": BINARY[:-3],
    "cut in a length": BINARY[:2],
    "another message": b"\n\x07\n\x01x\x12\x02No\x22\x02\x08\x05",
    "a graph": descriptor_pb2.FileDescriptorSet(file=[descriptor_pb2.FileDescriptorProto(name="x")]).SerializeToString()
    + b"\x22\x02\x08\x01",
    "an op without a name": b"\n\x00\n\x03\n\x01F",
    "noise": b"\n" + bytes(range(256)) * 40,
    "a length of gigabytes": b"\n\xff\xff\xff\xff\x7f\x00",
    "an endless varint": b"\n" + b"\xff" * 100,
    "groups": b"\n\x0a" + b"\x0b" * 10,
    "text of another message": 'node { name: "a" op: "Const" }',
    "text cut short": 'op { name: "F" attr { name',
    "text nested deep": DEEP_TEXT,
    "text that ends a brace too early": 'op { name: "F" } }',
    "text with an unknown type": 'op { name: "F" input_arg { name: "x" type: DT_NOTHING } }',
    "text without a name": "op { is_stateful: true }",
    "JSON of another message": json.dumps({"op": [{"name": "F", "device": "x"}]}),
    "JSON of other types": json.dumps({"op": [{"name": 1}]}),
    "JSON that is no list of messages": json.dumps({"op": [1, "x", None]}),
    "JSON without ops": json.dumps({"op": []}),
    "JSON nested deep": json.dumps({"op": [{"name": "F", "attr": [{"default_value": DEEP_JSON}]}]}),
    "JSON with a key twice": '{"op": [{"name": "F", "name": "G"}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_op_list_is_one_error_on_one_line(name):
    with pytest.raises(InputError) as caught:
        read(HOSTILE[name])
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500
    assert caught.value.advice


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_bytes_are_an_error_or_a_spec(data):
    at = data.draw(st.integers(0, 3000))
    damaged = bytearray(BINARY[:4000])
    damaged[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        spec = read(bytes(damaged))
    except InputError:
        return
    assert specfile.dumps(spec)


def test_memory_is_bounded_by_what_is_read():
    data = b"\n\x04\n\x02Fx" * 200_000  # one op, declared that often
    tracemalloc.start()
    try:
        read(data)
        assert tracemalloc.get_traced_memory()[1] < 40 * len(data)
    finally:
        tracemalloc.stop()


def test_the_proto_is_compiled_as_protoc_would():
    parsed = descriptor_pb2.FileDescriptorProto.FromString(
        messages.descriptor(
            "message A { repeated B b = 1; oneof o { int64 i = 2; E e = 3; } } // c\n"
            "message B { map<string, A> m = 1; }\nenum E { ZERO = 0; ONE = 1; }"
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
    assert b.field[0].type_name == ".opspec.B.MEntry"
    assert [value.name for value in parsed.enum_type[0].value] == ["ZERO", "ONE"]


VALUES = [
    ("s: 'SAME'", "string", "SAME"),
    (r"s: '\377'", "string", {"bytes": "/w=="}),
    ("i: -1", "int", -1),
    ("f: 0.1", "float", 0.1),
    ("f: 16777216", "float", 16777216.0),
    ("b: true", "bool", True),
    ("type: DT_FLOAT", "type", "float"),
    ("type: 9999", "type", "9999"),
    ("shape { }", "shape", ()),
    ("shape { unknown_rank: true }", "shape", "unknown"),
    ("shape { dim { size: 2 } dim { size: -1 } dim { } }", "shape", (2, -1, 0)),
    ("shape { dim { size: 2 name: 'n' } }", "shape", {"dim": ({"size": 2, "name": "n"},)}),
    ("tensor { dtype: DT_INT32 int_val: 1 }", "tensor", {"tensor": {"dtype": "DT_INT32", "int_val": (1,)}}),
    (
        "func { name: 'f' attr { key: 'T' value { b: true } } }",
        "func",
        {"name": "f", "attr": ({"key": "T", "value": {"b": True}},)},
    ),
    ("list { }", "list(int)", ()),
    ("list { type: [DT_INT32, DT_HALF] }", "list(type)", ("int32", "half")),
    ("list { shape { dim { size: 1 } } shape { } }", "list(shape)", ((1,), ())),
    ("list { f: [0.1, nan] }", "list(float)", None),
    ("", "int", {"attr_value": ()}),
    ("i: 1", "float", {"attr_value": ("int", 1)}),
    ("placeholder: 'p'", "int", {"attr_value": ("placeholder", "p")}),
    ("list { }", "int", {"attr_value": ("list()", ())}),
    ("list { i: 1 b: true }", "list(int)", {"attr_value": ("list", {"i": (1,), "b": (True,)})}),
    ("f: 0.5", "int", {"attr_value": ("float", 0.5)}),
]


@pytest.mark.parametrize(("text", "kind", "value"), VALUES)
def test_values_of_attrs(text, kind, value):
    original = text_format.Parse(text, message("AttrValue")())
    found = attrvalues.read(original, kind)
    if value is not None:
        assert found == value
    back = message("AttrValue")()
    attrvalues.write(back, found, kind)
    assert back.SerializeToString(deterministic=True) == original.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("x", "int"), (1, "string"), ("nothing", "type"), (1, "list(int)"), (1, "strange"), ((1,), "int")],
)
def test_a_value_that_no_attr_of_the_type_holds_is_an_error(value, kind):
    with pytest.raises(ValueError, match=r"\w"):
        attrvalues.write(message("AttrValue")(), value, kind)


def test_validate_warns_of_ops_that_tensorflow_would_refuse(tmp_path):
    path = tmp_path / "ops.pbtxt"
    path.write_text('op { name: "F" input_arg { name: "x" type_attr: "T" } }\nop { name: "G" }')
    outcome = validate.run(Namespace(files=[str(path)], canonical=False), color=False)
    assert "ops.F: the framework refuses the declaration: No attr with name 'T' for input 'x'" in outcome.text
    assert outcome.code == 0


def test_an_op_that_both_sides_declare_alike_is_not_looked_at_and_one_that_changed_is():
    wrong = message("OpDef")(name="F")
    wrong.input_arg.add(name="x", type_attr="T")
    worse = message("OpDef").FromString(wrong.SerializeToString())
    worse.is_stateful = True
    found = check(spec_of_ops([wrong]), spec_of_ops([worse])).findings
    assert [finding.rule for finding in found if finding.level == "error"] == ["op_invalid"]
    assert check(spec_of_ops([wrong]), spec_of_ops([wrong])).findings == ()
