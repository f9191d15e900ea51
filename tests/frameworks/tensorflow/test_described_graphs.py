"""What is said of a graph and of a meta graph: its signatures, assets and collections, and what its nodes call."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.models.recognise import read_model
from tests.support.models import onnx_models
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    calls,
    function,
    graph,
    meta_graph,
    node,
    placeholder,
    saved_model,
    write,
)

X = placeholder()


def described(tmp_path, meta):
    (meta_graph,) = read_model(str(saved_model(tmp_path, meta))).meta_graphs
    return meta_graph


def test_a_signature_names_the_tensors_that_it_takes_and_gives(tmp_path):
    meta = meta_graph(graph(X), "serve", "a")
    signature = meta.signature_def["serving"]
    signature.method_name = "predict"
    given = signature.inputs["image"]
    given.name, given.dtype = "x:0", FLOAT
    given.tensor_shape.dim.add(size=-1)
    sparse = signature.outputs["ids"]
    sparse.coo_sparse.values_tensor_name, sparse.dtype = "values:0", INT32
    result = described(tmp_path, meta)
    assert result.tags == ("a", "serve")
    (messages,) = result.signatures
    assert (messages.key, messages.method, messages.defaults) == ("serving", "predict", {})
    assert {
        key: (argument.name, argument.dtype, argument.shape, argument.encoding, argument.code)
        for key, argument in messages.inputs.items()
    } == {"image": ("x:0", "float32", (-1,), "name", FLOAT)}
    (ids,) = messages.outputs.values()
    assert (ids.name, ids.dtype, ids.encoding) == ("values:0", "int32", "coo_sparse")


def test_assets_are_those_of_the_field_or_else_of_the_collection(tmp_path):
    meta = meta_graph(graph(X))
    asset = message("AssetFileDef")(filename="words.txt")
    asset.tensor_info.name = "table:0"
    kept = meta.collection_def["saved_model_assets"].any_list.value.add()
    kept.value = asset.SerializeToString()
    meta.collection_def["none"].SetInParent()
    result = described(tmp_path, meta)
    assert [(asset.file, asset.tensor, asset.is_collected) for asset in result.assets] == [
        ("words.txt", "table:0", True)
    ]
    assert result.collections == {"none": 0, "saved_model_assets": 1}
    meta.asset_file_def.add(filename="own.txt")
    (own,) = described(tmp_path, meta).assets
    assert (own.file, own.is_collected) == ("own.txt", False)


def test_ops_that_read_write_or_print_are_named_once(tmp_path):
    ops = [node("w", "WriteFile"), node("r", "ReadFile"), node("p", "Placeholder", dtype=FLOAT)]
    path = write(tmp_path / "graph.pb", graph(*ops))
    assert any(
        "scan denies ReadFile, WriteFile, which" in find_remark for find_remark in read_model(path).find_remarks()
    )


def test_what_the_nodes_of_an_op_call_is_read_of_each(tmp_path):
    nodes = [node("a", "Call", f=calls("one")), node("b", "Call", f=calls("two")), node("c", "NoOp"), node("d", "NoOp")]
    path = write(tmp_path / "graph.pb", graph(*nodes, functions=[function("one"), function("two")]))
    (meta,) = read_model(path).meta_graphs
    main, *functions = meta.graphs
    assert [function.name for function in functions] == ["one", "two"]
    sketches = [main.nodes.sketch(at) for at in range(len(main.nodes))]
    assert [(sketch.name, sketch.calls) for sketch in sketches] == [
        *(("a", ("one",)), ("b", ("two",)), ("c", ()), ("d", ())),
    ]


def test_a_map_has_no_order_so_attrs_are_named_in_that_of_their_names(tmp_path):
    def attr(name, called):
        value = message("AttrValue")()
        calls(called)(value)
        return 5, onnx_models.message((1, name), (2, value.SerializeToString()))

    branches = [attr("then_branch", "yes"), attr("else_branch", "no")]
    read = []
    for number, stored in enumerate((branches, branches[::-1])):
        path = tmp_path / f"{number}.pb"
        path.write_bytes(onnx_models.message((1, onnx_models.message((1, "c"), (2, "If"), *stored))))
        ((graph,),) = (meta.graphs for meta in read_model(str(path)).meta_graphs)
        read.append((graph.nodes.sketch(0).calls, list(graph.nodes[0].attrs)))
    assert read == [(("no", "yes"), ["else_branch", "then_branch"])] * 2
