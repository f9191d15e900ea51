from __future__ import annotations

import json
import os

import pytest
from hypothesis import given, settings

from opspec_lint.documents import schema
from opspec_lint.documents.decode import Document, decode, read_document
from opspec_lint.frameworks.paddle.formats import print_op_desc
from opspec_lint.kit.errors import InputError
from opspec_lint.sources import recognise
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Output
from tests.support import paths
from tests.support.events import schema_named
from tests.support.mutations import count_keys, mutated

DATA = paths.DATA / "paddle"
RAW = ["paddle-1.8.5.json", "paddle-2.6.2.json", "paddle-3.0.0.json"]


def read(name):
    return read_document(os.path.join(DATA, name))


def some_ops():
    ops = read("paddle-2.6.2.json").value
    return {name: ops[name] for name in ("conv2d", "slice", "assign_value")}


OPS = some_ops()
SMALL = {
    "slice": {
        "Inputs": {"Input": {"dispensable": False}},
        "Outputs": {"Out": {"extra": True, "quant": False}},
        "Attrs": {"axes": {"type": 3, "default_value": [0, 1], "generated": False}, "v": {"default_value": {"a": 1}}},
    },
    "relu": {"Inputs": {}, "Outputs": {}, "Attrs": {"x": {"type": 1, "default_value": 0.5}}},
}


def schema_accepts(value):
    return not schema.faults(value, schema_named(print_op_desc.NAME))


def agrees(value):
    """Hold the fast check against the schema, and the list of faults against both."""
    if not print_op_desc.likeness(value):
        return
    keys = print_op_desc.count_keys(value, {})
    faults = list(print_op_desc.faults(value, "ops.json"))
    assert (keys is not None) == schema_accepts(value)
    assert (keys is None) == bool(faults)
    for fault in faults:
        assert fault.problem.isprintable()
        assert fault.where.isprintable()
    if keys is not None:
        assert keys <= count_keys(value)  # those within default values are not worth a walk
        assert [op.name for op in print_op_desc.load(value, "ops.json").ops.values()] == list(value)


@settings(max_examples=300)
@given(mutated(SMALL))
def test_fast_check_and_schema_agree_on_a_small_document(value):
    agrees(value)


@settings(max_examples=100)
@given(mutated(OPS))
def test_fast_check_and_schema_agree_on_real_ops(value):
    agrees(value)


@pytest.mark.parametrize("name", RAW)
def test_real_outputs_are_faultless(name):
    value = read(name).value
    assert print_op_desc.count_keys(value, {}) == count_keys(value)
    assert list(print_op_desc.faults(value, name)) == []
    assert print_op_desc.likeness(value) == 2


def test_real_output_agrees_with_the_schema_itself():
    assert schema_accepts(read("paddle-2.6.2.json").value)


@pytest.mark.parametrize(
    ("record", "faults"),
    [
        ([], [("op", "expected a mapping, found a list", "")]),
        ({"Inputs": {}, "Outputs": {}, "Attrs": []}, [("op.Attrs", "expected a mapping, found a list", "")]),
        ({}, [("op", f"the key '{key}' is missing", "") for key in ("Inputs", "Outputs", "Attrs")]),
        (
            {"Inputs": {}, "Outputs": {}, "Attrs": {}, "Input": {}, "y": 1},
            [
                ("op", 'unknown key "Input"', "did you mean 'Inputs'?"),
                ("op", 'unknown key "y"', "expected one of: Attrs, Inputs, Outputs"),
            ],
        ),
        (
            {"Inputs": {"X": {"dispensible": True}}, "Outputs": {"Out": {"extra": 1}}, "Attrs": {"a b": {"type": 18}}},
            [
                ("op.Inputs.X", 'unknown key "dispensible"', "did you mean 'dispensable'?"),
                ("op.Outputs.Out.extra", "expected true or false, found 1", ""),
                ('op.Attrs["a b"].type', "expected at most 17, found 18", ""),
            ],
        ),
        (
            {"Inputs": [], "Outputs": {}, "Attrs": {"": {"type": "INT", "generated": None}, "a": {"type": True}}},
            [
                ("op.Inputs", "expected a mapping, found a list", ""),
                ('op.Attrs[""].type', 'expected an integer, found the string "INT"', ""),
                ('op.Attrs[""].generated', "expected true or false, found null", ""),
                ("op.Attrs.a.type", "expected an integer, found true", ""),
            ],
        ),
        (
            {"Inputs": {}, "Outputs": {}, "Attrs": {"a": {"type": 1.0, "default_value": [1 << 64]}}},
            [
                ("op.Attrs.a.type", "expected an integer, found 1.0", ""),
                ("op.Attrs.a.default_value", "a list is not a value that an attr can hold", ""),
            ],
        ),
    ],
)
def test_faults_name_the_path_and_the_nearest_key(record, faults):
    rows = sorted(
        (fault.where, fault.problem.partition(": integers")[0], fault.advice)
        for fault in print_op_desc.faults({"fine": SMALL["relu"], "op": record}, "ops.json")
    )
    assert rows == sorted(faults)


def test_the_first_fault_is_the_error():
    value = {"a": SMALL["relu"], "op": {"Inputs": {"X": {"dispensible": True}}, "Outputs": {}, "Attrs": {}}, "c": 1}
    with pytest.raises(InputError) as caught:
        recognise.spec_of(Document(file="ops.json", value=value))
    assert caught.value.message == 'ops.json: op.Inputs.X: unknown key "dispensible"'
    assert caught.value.advice == "did you mean 'dispensable'?"


def test_what_is_not_stated_is_unknown():
    value = {"op": {"Inputs": {"X": {"extra": True}}, "Outputs": {"Out": {}}, "Attrs": {"a": {}, "b": {"type": 2}}}}
    assert print_op_desc.load(value, "f").ops["op"] == Op(
        name="op",
        inputs=(Input(name="X", extra=True),),
        outputs=(Output(name="Out"),),
        attrs=(Attr(name="a"), Attr(name="b", type="STRING")),
    )
    assert print_op_desc.load(value, "f").op_versions is UNKNOWN


@pytest.mark.parametrize(("name", "knows"), [("paddle-1.8.5.json", False), ("paddle-2.6.2.json", True)])
def test_1_8_5_knows_no_extra_and_no_quant(name, knows):
    op = recognise.spec_of(read(name)).ops["relu"]
    arguments = (*op.inputs, *op.outputs, *op.attrs)
    assert {argument.extra is not UNKNOWN for argument in arguments} == {knows}
    assert {argument.get("quant") is not UNKNOWN for argument in arguments} == {knows}


def test_equal_arguments_of_different_ops_keep_their_types():
    text = '{{"o": {{"Inputs": {{}}, "Outputs": {{}}, "Attrs": {{"a": {{"default_value": {}}}}}}}}}'
    attrs = [print_op_desc.load(json.loads(text.format(term)), "f").ops["o"].attrs[0] for term in ("1", "1.0", "true")]
    assert [type(attr.default_value) for attr in attrs] == [int, float, bool]


@pytest.mark.parametrize(
    ("value", "likeness"),
    [
        ({}, 1),
        ({"a": {}}, 1),
        ({"a": 3}, 1),
        ({"a": {"Inputs": 0}}, 2),
        ({"opspec": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}, 2),
        ([], 0),
        ("a", 0),
        (None, 0),
        (1, 0),
    ],
)
def test_likeness(value, likeness):
    assert print_op_desc.likeness(value) == likeness


def test_an_op_named_opspec_is_an_op():
    value = {"opspec": {"Inputs": {}, "Outputs": {}, "Attrs": {}}}
    assert list(recognise.spec_of(Document(file="f", value=value)).ops) == ["opspec"]


def test_what_yaml_leaves_a_word_is_a_number_where_the_attr_is_one():
    attrs = ", ".join(f"a{code}: {{type: {code}, default_value: 1e-05}}" for code in range(7))
    text = f"f: {{Inputs: {{}}, Outputs: {{}}, Attrs: {{{attrs}}}}}"
    result = recognise.spec_of(decode(text.encode(), "ops.yaml")).ops["f"].attrs
    assert [attr.name for attr in result if attr.default_value == 1e-05] == ["a0", "a1", "a3", "a4"]
    assert [attr.name for attr in result if attr.default_value == "1e-05"] == ["a2", "a5", "a6"]
