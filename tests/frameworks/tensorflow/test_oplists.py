"""Op lists and specs: nothing is lost on the way, and what is no op list is one plain error."""

from __future__ import annotations

import json
import random
import tracemalloc
from argparse import Namespace
from functools import cache

import pytest
from google.protobuf import descriptor_pb2, json_format, text_format
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.cli.commands import validate
from opspec_lint.frameworks.tensorflow.extract import attr_values, op_lists
from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.sources import recognise, references, released
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from opspec_lint.spec.interface.declarations import INTERFACE
from tests.frameworks.tensorflow.damage import mutate
from tests.frameworks.tensorflow.verdicts import spec as spec_of_ops
from tests.support import paths
from tests.support.released_specs import released as released_spec

SPECS = sorted(paths.SPECS.glob("tensorflow-*.json"))


@cache
def binary():
    return op_lists.dump(released_spec("tensorflow-1.15.0"))


def read(data: bytes | str):
    return recognise.spec_of(recognise.document_of(data if isinstance(data, bytes) else data.encode(), "ops"))


@pytest.mark.parametrize(
    "name",
    [
        *("tensorflow-1.15.0", "tensorflow-2.21.0"),
        *(pytest.param(path.stem, marks=pytest.mark.exhaustive) for path in SPECS),
    ],
)
def test_a_released_spec_is_its_op_list_and_back(name):
    spec = released_spec(name)
    data = op_lists.dump(spec)
    again = read(data)
    assert again.binding == "signature"
    assert op_lists.dump(again) == data
    assert list(again.ops) == list(spec.ops)
    for op in spec.ops.values():
        declared = {field: value for field, value in op.own.items() if field != "cpu_kernels"}  # no OpDef has kernels
        assert again.ops[op.name] == op.replace(own=declared)


def test_released_specs_state_which_graphs_they_read_and_write():
    assert {path.stem.partition("-")[2] for path in SPECS} >= {"1.15.0", "2.4.4", "2.8.4", "2.12.1", "2.15.1"}
    written = []
    for name in released.names({"tensorflow"}):
        versions = references.resolve(name, Reading()).spec.graph_versions
        assert versions is not None
        assert versions.producer_since
        written.append(versions.producer)
    since_2 = written[1:]
    assert since_2 == sorted(since_2), "a newer release never writes an older version"
    assert min(written) >= 100


def test_all_forms_of_an_op_list_are_a_single_spec():
    oplist = message("OpList").FromString(binary())
    text = text_format.MessageToString(oplist)
    commented = f"# written by hand\n\n{text}"
    as_json = json_format.MessageToJson(oplist, preserving_proto_field_name=True)
    for item in (text, commented, as_json):
        assert op_lists.dump(read(item)) == binary()


@pytest.mark.parametrize("seed", range(20))
def test_an_op_that_tensorflow_would_refuse_is_read_and_written_too(seed):
    chance = random.Random(seed)  # noqa: S311
    oplist = message("OpList").FromString(binary())
    ops = [chance.choice(oplist.op) for _ in range(40)]
    ops = [message("OpDef").FromString(value.SerializeToString()) for value in {op.name: op for op in ops}.values()]
    for op in ops:
        mutate(op, chance, 3)
        op.deprecation.SetInParent()
    spec = spec_of_ops(ops)
    assert spec.ops.keys() == {op.name for op in ops}
    for name, op in spec.ops.items():
        original = next(item for item in ops if item.name == name)
        for attr in original.attr:
            if not attr.has_minimum:
                attr.minimum = 0  # said without being in force, which is all that is not kept
        single = spec.replace(ops={name: op})
        for again in (single, read(canonical.dumps(single))):
            (back,) = message("OpList").FromString(op_lists.dump(again)).op
            assert text_format.MessageToString(back) == text_format.MessageToString(original)


def test_an_op_that_is_twice_is_a_history():
    ops = [message("OpDef")(name="F"), message("OpDef")(name="G"), message("OpDef")(name="F", is_stateful=True)]
    spec = spec_of_ops(ops)
    assert spec.ops["F"].get("is_stateful") is True
    assert [op.get("is_stateful") for op in spec.earlier["F"]] == [False]
    assert list(spec.earlier) == ["F"]
    again = read(canonical.dumps(spec))
    assert again.earlier["F"] == spec.earlier["F"]
    assert canonical.dumps(again) == canonical.dumps(spec)


def test_a_folder_of_histories_is_a_single_spec(tmp_path):
    (tmp_path / "F.pbtxt").write_text('op { name: "F" }\nop { name: "F" is_stateful: true }')
    (tmp_path / "G.pbtxt").write_text('op { name: "G" }')
    (tmp_path / "README").write_text("not an op list")
    spec = recognise.read(str(tmp_path)).spec
    assert sorted(spec.ops) == ["F", "G"]
    assert len(spec.earlier["F"]) == 1
    (tmp_path / "H.pbtxt").write_text("nonsense: 1")
    with pytest.raises(InputError, match=r"H\.pbtxt"):
        recognise.read(str(tmp_path))


def test_a_folder_without_any_is_a_folder(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        recognise.read(str(tmp_path))


DEEP_TEXT = 'op { name: "F" attr { default_value ' + "{ func { attr { value " * 3000 + "} } }" * 3000 + "} }"
DEEP_JSON: object = {}
for _ in range(60):
    DEEP_JSON = {"func": {"attr": {"a": DEEP_JSON}}}
HOSTILE = {
    "truncated": lambda: binary()[:-3],
    "cut in a length": lambda: binary()[:2],
    "a graph": descriptor_pb2.FileDescriptorSet(file=[descriptor_pb2.FileDescriptorProto(name="x")]).SerializeToString()
    + b"\x22\x02\x08\x01",
    "an op without a name": b"\n\x00\n\x03\n\x01F",
    "noise": b"\n" + bytes(range(256)) * 40,
    "a length of gigabytes": b"\n\xff\xff\xff\xff\x7f\x00",
    "an endless varint": b"\n" + b"\xff" * 100,
    "groups": b"\n\x0a" + b"\x0b" * 10,
    "text of another message": 'file { name: "a" }',
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
    "JSON with a lone surrogate for a key": '{"op": [{"name": "F", "\\ud800": 1}]}',
    "JSON with a lone surrogate for a name": '{"op": [{"name": "\\ud800"}]}',
    "JSON with an infinite integer": '{"op": [{"name": "F", "attr": [{"name": "a", "minimum": Infinity}]}]}',
    "JSON with no number for an integer": '{"op": [{"name": "F", "attr": [{"name": "a", "minimum": NaN}]}]}',
    "JSON with an integer that is too large": '{"op": [{"name": "F", "attr": [{"name": "a", "minimum": 1e400}]}]}',
    "JSON with a key twice": '{"op": [{"name": "F", "name": "G"}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_op_list_is_a_single_error_on_a_single_line(name):
    data = HOSTILE[name]
    with pytest.raises(InputError) as caught:
        read(data() if callable(data) else data)
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 500
    assert caught.value.advice


@settings(max_examples=300)
@given(st.data())
def test_damaged_bytes_are_an_error_or_a_spec(data):
    at = data.draw(st.integers(0, 3000))
    damaged = bytearray(binary()[:4000])
    damaged[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))
    try:
        spec = read(bytes(damaged))
    except InputError:
        return
    assert canonical.dumps(spec)


def test_memory_is_bounded_by_what_is_read():
    data = b"\n\x04\n\x02Fx" * 200_000  # one op, declared that often
    tracemalloc.start()
    try:
        read(data)
        assert tracemalloc.get_traced_memory()[1] < 40 * len(data)
    finally:
        tracemalloc.stop()


def field(number, data):
    assert len(data) < 128
    return bytes([number << 3 | 2, len(data)]) + data


@pytest.mark.parametrize("op", [b"Placeholder", b"Const", b"MatMul", b"Identity", b"NoOp", b"_Arg", b"VarHandleOp"])
@pytest.mark.parametrize("more", [b"", field(3, b"x"), field(4, b"/device:CPU:0"), field(5, field(1, b"T"))])
def test_a_graph_of_a_single_node_is_no_op_list(op, more):
    """A GraphDef holds nodes where an OpList holds ops, and a node the name of its op where an op has inputs."""
    node = field(1, b"x") + field(2, op) + more
    assert read(field(1, node)).provenance.framework == INTERFACE


def test_the_text_of_a_graph_is_no_op_list():
    assert read('node { name: "a" op: "Const" }').provenance.framework == INTERFACE


def test_an_input_without_a_name_makes_no_node():
    assert list(read(field(1, field(1, b"F") + field(2, b"\x18\x01"))).ops) == ["F"]


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
    actual = attr_values.read(original, kind)
    if value is not None:
        assert actual == value
    back = message("AttrValue")()
    attr_values.write(back, actual, kind)
    assert back.SerializeToString(deterministic=True) == original.SerializeToString(deterministic=True)


@pytest.mark.parametrize(
    ("value", "kind"),
    [("x", "int"), (1, "string"), ("nothing", "type"), (1, "list(int)"), (1, "strange"), ((1,), "int")],
)
def test_a_value_that_no_attr_of_the_type_holds_is_an_error(value, kind):
    with pytest.raises(ValueError, match=r"\w"):
        attr_values.write(message("AttrValue")(), value, kind)


def test_validate_warns_of_ops_that_tensorflow_would_refuse(tmp_path):
    path = tmp_path / "ops.pbtxt"
    path.write_text('op { name: "F" input_arg { name: "x" type_attr: "T" } }\nop { name: "G" }')
    outcome = validate.run(Namespace(files=[str(path)], canonical=False, include=[]))
    assert "ops.F: the framework refuses the declaration: No attr with name 'T' for input 'x'" in outcome.text
    assert outcome.code == 0


def test_an_op_that_both_sides_declare_alike_is_not_looked_at_and_one_that_changed_is():
    wrong = message("OpDef")(name="F")
    wrong.input_arg.add(name="x", type_attr="T")
    worse = message("OpDef").FromString(wrong.SerializeToString())
    worse.is_stateful = True
    findings = check(spec_of_ops([wrong]), spec_of_ops([worse])).findings
    assert [finding.rule for finding in findings if finding.level == "error"] == ["op_invalid"]
    assert check(spec_of_ops([wrong]), spec_of_ops([wrong])).findings == ()
