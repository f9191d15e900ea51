"""Files that are made to harm, shown in every format: a picture or a message, in bounded time and memory."""

from __future__ import annotations

import random

import pytest
from google.protobuf import text_format

from opspec_lint.models.view import VIEWS
from tests.support import limited
from tests.support.models.tensorflow_models import (
    FLOAT,
    STRING,
    bundle,
    calls,
    function,
    graph,
    meta_graph,
    node,
    placeholder,
    saved_model,
)
from tests.support.programs import run

X = placeholder()
OBJECTS = """
nodes { children { node_id: 1 local_name: "f" } children { node_id: 0 local_name: "me" }
        children { node_id: 2 local_name: "signatures" } user_object {} }
nodes { function { concrete_functions: "one" function_spec { fullargspec { named_tuple_value { name: "FullArgSpec"
  values { key: "args" value { list_value { values { string_value: "x" } } } } } } } } }
nodes { children { node_id: 1 local_name: "serving_default" } user_object {} }
concrete_functions { key: "one" value {
  canonicalized_input_signature { tuple_value { values { tensor_spec_value { name: "x" shape { dim { size: 3 } } } }
    values { type_spec_value { type_spec_class: RAGGED_TENSOR_SPEC type_state { tuple_value {} } } } } }
  output_signature { dict_value { fields { key: "y" value { float64_value: nan } } } } } }
"""


def shown(path):
    """The exit codes of all formats, which must come without a traceback and within the limits."""
    outcome = limited.call(_shown, str(path), seconds=20)
    assert outcome.failure == ""
    codes, errors = zip(*outcome.value, strict=True)
    assert not any("internal error" in error for error in errors), errors
    assert set(codes) <= {0, 3}
    return set(codes)


def _shown(path):
    ran = [run("show", path, "--format", name) for name in VIEWS.names()]
    return [(result.code, result.err[:500]) for result in ran]


def model(folder):
    meta = meta_graph(graph(X, node("a/b/c", "Pool", "x", T=FLOAT, k=2), functions=[function("one", X)]), "serve")
    text_format.Parse(OBJECTS, meta.object_graph_def, descriptor_pool=meta.DESCRIPTOR.file.pool)
    saved_model(folder, meta)
    bundle(folder / "variables" / "variables", [("w", STRING, [2], bytes(8))])
    return folder


def test_a_whole_model_is_shown(tmp_path):
    assert shown(model(tmp_path)) == {0}


@pytest.mark.parametrize(("file", "expected"), [("saved_model.pb", {0, 3}), ("variables/variables.index", {0})])
def test_damaged_models(tmp_path, file, expected):
    path = model(tmp_path) / file
    whole, rng = path.read_bytes(), random.Random(file)  # noqa: S311 - no secret
    _shown(str(tmp_path))  # what is loaded once stays with the processes that are to come
    parts = [whole[: len(whole) * part // 10] for part in range(10)]
    for _ in range(20):
        changed = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        parts.append(bytes(changed))
    codes = set()
    for data in parts:
        path.write_bytes(data)
        codes |= shown(tmp_path)
    assert codes == expected


def _length(data):
    digits, value = [], len(data)
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value]) + data


def test_structures_nested_ten_thousand_deep(tmp_path):
    structure = b""
    for _ in range(10_000):  # a tuple of a tuple of a tuple ...
        structure = b"\xa2\x03" + _length(b"\x0a" + _length(structure))
    concrete = b"\x0a\x03one\x12" + _length(b"\x1a" + _length(structure))
    objects = b"\x12" + _length(concrete)
    saved = b"\x12" + _length(b"\x3a" + _length(objects))
    (tmp_path / "saved_model.pb").write_bytes(saved)
    assert shown(tmp_path) == {3}


def test_structures_as_deep_as_protobuf_nests_them(tmp_path):
    deep = "values { list_value { " * 40 + "} }" * 40
    meta = meta_graph(graph(X), "serve")
    text = (
        'nodes { children { node_id: 1 local_name: "f" } } nodes { function { concrete_functions: "one" } }'
        f'concrete_functions {{ key: "one" value {{ output_signature {{ list_value {{ {deep} }} }} }} }}'
    )
    text_format.Parse(text, meta.object_graph_def, descriptor_pool=meta.DESCRIPTOR.file.pool)
    assert shown(saved_model(tmp_path, meta)) == {0}


def test_many_nodes_in_a_cycle(tmp_path):
    count = 20_000
    nodes = [node(f"n{at}", "Pool", f"n{(at + 1) % count}", T=FLOAT, k=1) for at in range(count)]
    (tmp_path / "graph.pb").write_bytes(graph(*nodes).SerializeToString())
    assert shown(tmp_path / "graph.pb") == {0}


def test_names_of_ten_thousand_scopes(tmp_path):
    nodes = [node("/".join(["a"] * 10_000) + f"/{at}", "NoOp") for at in range(20)]
    odd = [node(name, "NoOp") for name in ("", "/", "//", "a//b", "/a", "a/")]
    (tmp_path / "graph.pb").write_bytes(graph(*nodes, *odd).SerializeToString())
    assert shown(tmp_path / "graph.pb") == {0}


def test_functions_that_call_each_other_thousands_deep(tmp_path):
    call = {"Tin": [], "Tout": []}
    chain = [function(f"f{at}", node("c", "PartitionedCall", f=calls(f"f{at + 1}"), **call)) for at in range(3000)]
    made = graph(node("c", "PartitionedCall", f=calls("f0"), **call), functions=[*chain, function("f3000", X)])
    (tmp_path / "graph.pb").write_bytes(made.SerializeToString())
    assert shown(tmp_path / "graph.pb") == {0}


def test_objects_that_lead_to_each_other_on_very_many_ways(tmp_path):
    """Forty objects in a row, each with two ways to the next: a million million ways to the last one."""
    text = "".join(
        f'nodes {{ children {{ node_id: {at + 1} local_name: "a" }} children {{ node_id: {at + 1} local_name: "b" }} }}'
        for at in range(40)
    )
    meta = meta_graph(graph(X), "serve")
    text_format.Parse(text + "nodes { function {} }", meta.object_graph_def, descriptor_pool=meta.DESCRIPTOR.file.pool)
    assert shown(saved_model(tmp_path, meta)) == {0}


def test_a_node_that_takes_very_many_tensors(tmp_path):
    nodes = [X, node("y", "NoOp", *["x"] * 200_000), node("z", "NoOp", "y")]
    (tmp_path / "graph.pb").write_bytes(graph(*nodes).SerializeToString())
    assert shown(tmp_path / "graph.pb") == {0}
