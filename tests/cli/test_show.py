from __future__ import annotations

import json

import pytest
from google.protobuf import text_format
from jsonschema import Draft202012Validator

from opspec_lint.documents.schema import load
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    STRING,
    bundle,
    graph,
    meta_graph,
    node,
    placeholder,
    saved_model,
    strings,
    write,
)
from tests.support.programs import run

OBJECTS = """
nodes { children { node_id: 1 local_name: "f" } children { node_id: 2 local_name: "signatures" }
        children { node_id: 3 local_name: "g" } children { node_id: 5 local_name: "layer" } user_object {} }
nodes { function { concrete_functions: "f1" concrete_functions: "f2" function_spec {
    is_method: true
    fullargspec { named_tuple_value { name: "FullArgSpec"
      values { key: "args" value { list_value {
        values { string_value: "self" } values { string_value: "x" } values { string_value: "n" } } } }
      values { key: "varargs" value { string_value: "rest" } }
      values { key: "varkw" value { none_value {} } }
      values { key: "defaults" value { tuple_value { values { int64_value: 3 } } } }
      values { key: "kwonlyargs" value { list_value { values { string_value: "scale" } } } }
      values { key: "kwonlydefaults" value { dict_value { fields {
        key: "scale" value { float64_value: inf } } } } } } } } } }
nodes { children { node_id: 4 local_name: "serving_default" } user_object { identifier: "signature_map" } }
nodes { bare_concrete_function { concrete_function_name: "g1" argument_keywords: "a" allowed_positional_arguments: 1 } }
nodes { bare_concrete_function { concrete_function_name: "f1" argument_keywords: "x" } }
nodes { children { node_id: 6 local_name: "__call__" } children { node_id: 0 local_name: "top" } user_object {} }
nodes { function {} }
concrete_functions { key: "f1" value {
  canonicalized_input_signature { tuple_value {
    values { tuple_value {
      values { tensor_spec_value { name: "x" dtype: DT_FLOAT shape { dim { size: -1 } dim { size: 2 } } } }
      values { int64_value: 3 } } }
    values { dict_value { fields { key: "scale" value { bool_value: true } } } } } }
  output_signature { list_value { values { type_spec_value { type_spec_class: RAGGED_TENSOR_SPEC type_state {
    tuple_value { values { tensor_shape_value { unknown_rank: true } } values { tensor_dtype_value: DT_INT64 }
                  values { int64_value: 1 } values { tensor_dtype_value: DT_INT32 } } } } } } } } }
concrete_functions { key: "f2" value {
  canonicalized_input_signature { none_value {} } output_signature { none_value {} } } }
concrete_functions { key: "g1" value {
  canonicalized_input_signature { tuple_value {} } output_signature { tensor_spec_value { dtype: DT_BOOL } } } }
"""
NONE = {"kind": "value", "type": "NoneType", "value": None}


def shown(*paths):
    """The models that the JSON has, which must be as its schema says."""
    document = json.loads(run("show", *paths, "--format", "json").out)
    schema = load("show")
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    return document["models"]


def with_objects(tmp_path, text=OBJECTS):
    meta = meta_graph(graph(placeholder()), "serve")
    text_format.Parse(text, meta.object_graph_def, descriptor_pool=meta.DESCRIPTOR.file.pool)
    return saved_model(tmp_path, meta)


def test_functions_and_signatures(tmp_path):
    (model,) = shown(with_objects(tmp_path))
    x = {"kind": "tensor", "name": "x", "shape": [None, 2], "dtype": "float32"}
    f1 = {
        "inputs": {
            "kind": "tuple",
            "items": [
                {"kind": "tuple", "items": [x, {"kind": "value", "type": "int", "value": 3}]},
                {"kind": "dict", "items": {"scale": {"kind": "value", "type": "bool", "value": True}}},
            ],
        },
        "outputs": {
            "kind": "list",
            "items": [
                {"kind": "ragged", "shape": None, "dtype": "int64", "ragged_rank": 1, "row_splits_dtype": "int32"}
            ],
        },
        "arg_keywords": ["x"],
        "num_positional_args": 0,
    }
    assert model["signatures"] == {"serving_default": f1}
    assert model["functions"]["f"] == {
        "parameters": [
            {"name": "x", "kind": "positional", "default": None},
            {"name": "n", "kind": "positional", "default": {"kind": "value", "type": "int", "value": 3}},
            {"name": "rest", "kind": "varargs", "default": None},
            {"name": "scale", "kind": "keyword", "default": {"kind": "value", "type": "float", "value": "inf"}},
        ],
        "concrete_functions": [
            f1,
            {"arg_keywords": None, "num_positional_args": None, "inputs": NONE, "outputs": NONE},
        ],
    }
    assert model["functions"]["g"] == {
        "bare": True,
        "parameters": [],
        "concrete_functions": [
            {
                "arg_keywords": ["a"],
                "num_positional_args": 1,
                "inputs": {"kind": "tuple", "items": []},
                "outputs": {"kind": "tensor", "name": None, "shape": [], "dtype": "bool"},
            }
        ],
    }
    assert model["functions"]["layer.__call__"] == {"parameters": [], "concrete_functions": []}
    assert set(model["functions"]) == {"f", "g", "layer.__call__"}


def test_functions_as_text(tmp_path):
    text = run("show", with_objects(tmp_path)).out
    assert "  function: f(x, n=3, *rest, scale='inf'): 2 traces\n" in text
    assert "    ((x: float32[?, 2], 3), {scale: True}) -> [ragged int64]\n" in text
    assert "  function: layer.__call__: not traced, so it cannot be called\n" in text


def test_what_the_graph_of_objects_names_and_does_not_have_is_left_out(tmp_path):
    text = """
    nodes { children { node_id: 9 local_name: "far" } children { node_id: -1 local_name: "before" }
            children { node_id: 1 local_name: "f" } children { node_id: 0 local_name: "me" } }
    nodes { function { concrete_functions: "gone" } }
    """
    (model,) = shown(with_objects(tmp_path, text))
    nothing = {"arg_keywords": None, "num_positional_args": None, "inputs": None, "outputs": None}
    assert model["functions"] == {"f": {"parameters": [], "concrete_functions": [nothing]}}
    assert model["signatures"] == {}


def test_a_trace_that_very_many_functions_name_is_written_a_few_times(tmp_path):
    """A file of some hundred kilobytes must not become gigabytes."""
    many = 1000
    children = "".join(f'children {{ node_id: {at} local_name: "f{at}" }}' for at in range(1, many))
    values = "values { bool_value: true }" * 1000
    text = (
        f"nodes {{ {children} }}"
        + 'nodes { function { concrete_functions: "one" } }' * (many - 1)
        + f'concrete_functions {{ key: "one" value {{ output_signature {{ list_value {{ {values} }} }} }} }}'
    )
    (model,) = json.loads(run("show", with_objects(tmp_path, text), "--format", "json").out)["models"]
    traces = [function["concrete_functions"][0] for function in model["functions"].values()]
    assert len(traces) == many - 1
    assert 100 < sum(trace["outputs"] is not None for trace in traces) < 250


def test_attrs_that_leaving_out_defaults_would_remove(tmp_path):
    ops = """
    op { name: "MatMul" attr { name: "transpose_a" type: "bool" default_value { b: false } }
         attr { name: "transpose_b" type: "bool" default_value { b: false } } attr { name: "T" type: "type" } }
    """
    nodes = (
        node("a", "MatMul", T=FLOAT, transpose_a=False, transpose_b=True),
        node("b", "MatMul", T=FLOAT, transpose_a=False, transpose_b=False),
        node("c", "Other", transpose_a=False),
    )
    saved_model(tmp_path / "listed", meta_graph(graph(*nodes), "serve", ops=ops))
    saved_model(tmp_path / "bare", meta_graph(graph(*nodes), "serve"))
    listed, bare = (
        model["meta_graphs"][0]["strippable_attrs"] for model in shown(tmp_path / "listed", tmp_path / "bare")
    )
    assert listed == [
        {"op": "MatMul", "attr": "transpose_a", "nodes": 2},
        {"op": "MatMul", "attr": "transpose_b", "nodes": 1},
    ]
    assert bare is None
    text = run("show", tmp_path / "listed").out
    assert "  attrs equal to their defaults: MatMul.transpose_a 2, MatMul.transpose_b 1\n" in text


def test_variables_of_a_collection_have_the_type_and_shape_of_their_nodes(tmp_path):
    def shape(into):
        into.shape.dim.add(size=3)

    meta = meta_graph(graph(node("w", "VarHandleOp", dtype=INT32, shape=shape)), "train", restores=["w"])
    for name in ("w:0", "lost:0"):
        meta.collection_def["variables"].bytes_list.value.append(
            message("VariableDef")(variable_name=name).SerializeToString()
        )
    write(tmp_path / "m.meta", meta)
    bundle(tmp_path / "m", [("w", INT32, [3], bytes(12))])
    (model,) = shown(tmp_path / "m.meta")
    result = model["meta_graphs"][0]
    assert result["variables"] == [["w:0", [3], "int32"], ["lost:0", None, None]]
    assert (result["collections"], result["collection_sizes"]) == (["variables"], {"variables": 2})
    assert result["saver_def"]["restore_op_name"] == "save/restore"
    assert result["saver_def"]["version"] == "legacy"


def test_a_checkpoint_with_the_state_around_it(tmp_path):
    bundle(tmp_path / "ck-7", [("w", FLOAT, [2], bytes(8))])
    (tmp_path / "checkpoint").write_text(
        'model_checkpoint_path: "/elsewhere/ck-7"\nall_model_checkpoint_paths: "ck-3"\nlater: 1\n', encoding="utf-8"
    )
    for path in (tmp_path, tmp_path / "checkpoint", tmp_path / "ck-7", tmp_path / "ck-7.index"):
        (model,) = shown(path)
        assert model["checkpoint_facts"] == {
            "version": 2,
            "shards": 1,
            "producer": 1,
            "min_consumer": 0,
            "state": {"model_checkpoint_path": "/elsewhere/ck-7", "all_model_checkpoint_paths": ["ck-3"]},
        }
        assert model["bytes"] == {"variables": 8 + (tmp_path / "ck-7.index").stat().st_size}
    (tmp_path / "checkpoint").write_text("model_checkpoint_path: {", encoding="utf-8")
    (model,) = shown(tmp_path / "ck-7")
    assert "state" not in model["checkpoint_facts"]


def test_bytes_by_what_they_are_for(tmp_path):
    weights = node("c", "Const", dtype=STRING, value=strings("x" * 5000))
    meta = meta_graph(graph(weights), "serve")
    for name in ("vocab.txt", "../../secret"):
        meta.asset_file_def.add(filename=name)
    saved_model(tmp_path / "saved", meta)
    (tmp_path / "secret").write_bytes(bytes(1000))
    (tmp_path / "saved" / "assets").mkdir()
    (tmp_path / "saved" / "assets" / "vocab.txt").write_bytes(bytes(77))
    (model,) = shown(tmp_path / "saved")
    data = model["bytes"]
    assert (data["variables"], data["assets"]) == (0, 77)
    assert 5000 < data["weights_in_graph"] < 5050
    assert data["graph"] + data["weights_in_graph"] == (tmp_path / "saved" / "saved_model.pb").stat().st_size


def test_a_loader_without_a_spec_is_refused(tmp_path):
    path = write(tmp_path / "m.pb", graph(placeholder()))
    ran = run("show", path, "--loader", "import_graph_def")
    assert ran.code == 2
    assert "--loader has no effect without --against" in ran.err


@pytest.mark.parametrize("command", [("show",), ("audit", "--against", "tensorflow@2.18.1")])
@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--site", "ops"), "--site has no effect without a page"),
        (("--site", "javascript:alert(1)", "--format", "html"), "'javascript:alert(1)' is no address of a site"),
        (("--site", "a b", "--format", "html"), "'a b' is no address of a site"),
    ],
)
def test_a_site_needs_a_page_and_an_address(tmp_path, command, options, error):
    path = write(tmp_path / "m.pb", graph(placeholder()))
    ran = run(*command, path, *options)
    assert ran.code == 2
    assert error in ran.err


@pytest.mark.parametrize(
    ("address", "shown"), [("../ops/", "../ops"), ("http://localhost:8000/", "http://localhost:8000"), (".", ".")]
)
def test_the_page_has_the_address_of_a_site(tmp_path, address, shown):
    path = write(tmp_path / "m.pb", graph(placeholder()))
    for command in (("show",), ("audit", "--against", "tensorflow@2.18.1")):
        assert f'"site": {{"address": "{shown}", ' in run(*command, path, "--format", "html", "--site", address).out


def test_what_can_be_read_is_shown(tmp_path):
    path = write(tmp_path / "graph.pb", graph(placeholder("x", FLOAT)))
    (tmp_path / "damaged.tflite").write_bytes(b"\x10\0\0\0TFL3" + b"\xff" * 100)
    (tmp_path / "empty.pb").write_bytes(b"")
    alone = run("show", path)
    for others in ([tmp_path / "none"], [tmp_path / "damaged.tflite", tmp_path / "empty.pb"]):
        for order in ([path, *others], [*others, path]):
            ran = run("show", *order)
            assert (ran.code, ran.out) == (3, alone.out)
            assert ran.err.count("opspec-lint: error: ") == len(others)
            assert all(str(item) in ran.err for item in others)
    ran = run("show", *others)
    assert (ran.code, ran.out, ran.err.count("error: ")) == (3, "", 2)


def test_a_spec_that_cannot_be_read_is_no_fault_of_the_models(tmp_path):
    path = write(tmp_path / "graph.pb", graph(placeholder("x", FLOAT)))
    ran = run("show", path, path, "--format", "dot", "--against", "none.json")
    assert (ran.code, ran.out, ran.err.count("error: ")) == (3, "", 1)
