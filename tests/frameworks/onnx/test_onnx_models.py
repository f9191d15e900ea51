"""The parts of ONNX models that are read: graphs, subgraphs, functions, imports, weights in the file and in others."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.kit.errors import InputError
from opspec_lint.models.model import Asset
from opspec_lint.models.recognise import read_model
from tests.support.models.onnx_models import attr, field, function, graph, message, model, node, value, weight, whole


def read(tmp_path, data):
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    return read_model(str(path))


def test_all_that_a_model_states(tmp_path):
    made = read(tmp_path, whole())
    (meta,) = made.meta_graphs
    assert (made.framework, made.format, meta.written_by, meta.producer) == ("onnx", "onnx", "made 1.0", 8)
    assert meta.opsets == {"ai.onnx": 17, "my.ops": 1}
    assert [(graph.name, graph.ops()) for graph in meta.graphs] == [
        ("", ("If", "my.ops.Mine")),
        ("choose.then_branch", ("Identity",)),
        ("choose.else_branch", ("Identity",)),
        ("my.ops.Mine", ("Relu",)),
    ]
    (signature,) = meta.signatures
    assert {name: (argument.dtype, argument.shape) for name, argument in signature.inputs.items()} == {
        "x": ("float", (-1, 3)),
        "c": ("bool", ()),
    }
    assert {name: output.shape for name, output in signature.outputs.items()} == {"y": None}
    assert [(variable.name, variable.dtype, variable.shape) for variable in meta.variables] == [
        ("w", "float", (2,)),
        ("far", "int64", (-1, 4)),
    ]
    assert meta.assets == (Asset(file="../elsewhere.bin", tensor="far"),)
    assert made.remarks == ()
    weights = len(weight("w", [2], data=bytes(8)) + weight("far", [-1, 4], 7, file="../elsewhere.bin"))
    assert made.sizes() == {"graph": len(whole()) - weights, "weights_in_graph": weights}


def test_a_node_with_its_attributes(tmp_path):
    attrs = (attr("i", i=-3), attr("f", f=0.5), attr("s", s="NHWC"), attr("n", ints=[1, -1]), attr("t", t=b""))
    (meta,) = read(tmp_path, model(graph([node("Op", ["a", ""], ["b"], *attrs)]))).meta_graphs
    (result,) = meta.graphs[0].nodes
    assert (result.name, result.op, result.inputs, result.outputs) == (
        "Op#0",
        "Op",
        (("", ("a", "")),),
        (("", ("b",)),),
    )
    assert result.attrs == {"i": -3, "f": 0.5, "s": "NHWC", "n": [1, -1], "t": {"type": "tensor"}}


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        (message((4, message((1, message((1, message((1, 7)))))))), "sequence"),
        (message((9, message((1, message((1, message((1, 7)))))))), "optional"),
        (message((5, message((1, 8), (2, message((1, message((1, 7)))))))), "map of string to"),
        (message((8, message((1, 7)))), "sparse"),
    ],
)
def test_what_is_no_plain_tensor(tmp_path, kind, encoding):
    given = message((1, "x"), (2, kind))
    (meta,) = read(tmp_path, model(graph([node("Op")], [given]))).meta_graphs
    tensor = meta.signatures[0].inputs["x"]
    assert (tensor.dtype, tensor.encoding) == ("int64", encoding)


def test_what_the_imports_do_not_state_is_reported(tmp_path):
    assert "imports no operator set" in read(tmp_path, model(graph([node("Op")]), opsets=())).remarks[0]
    twice = read(tmp_path, model(graph([node("Op")]), opsets=[("", 12), ("", 13)]))
    assert "the domain ai.onnx is imported more than once" in twice.remarks[0]


def test_graphs_of_training_and_sparse_weights(tmp_path):
    sparse = message((1, weight("s", [2], 1)), (3, 100), (3, 100))
    main = graph([node("Op")]) + field(15, sparse)
    training = message((1, graph([node("Init")])), (2, graph([node("Adam")])))
    (meta,) = read(tmp_path, model(main) + field(20, training)).meta_graphs
    assert [(graph.name, graph.ops()) for graph in meta.graphs[1:]] == [
        ("training initialization", ("Init",)),
        ("training algorithm", ("Adam",)),
    ]
    assert [(variable.name, variable.shape) for variable in meta.variables] == [("s", (100, 100))]


def test_graphs_as_deep_as_protobuf_takes_them(tmp_path):
    def nested(depth):
        inner = graph([node("Op")])
        for _ in range(depth):
            inner = graph([node("If", (), (), attr("then", g=inner))])
        return model(inner)

    (meta,) = read(tmp_path, nested(reading.MAX_DEPTH)).meta_graphs
    assert len(meta.graphs) == reading.MAX_DEPTH + 1
    with pytest.raises(InputError, match="nested more than 32 levels deep"):
        read(tmp_path, nested(reading.MAX_DEPTH + 1))


@pytest.mark.parametrize(
    "broken",
    [
        graph() + field(1, b"\x0a\xff"),
        graph() + field(11, b"\x0a\xff"),
        graph() + field(5, b"\x08"),
        graph([node("Op") + field(5, b"\x0a\xff")]),
        graph() + b"\x0a",
    ],
)
def test_a_damaged_part_makes_it_no_model(tmp_path, broken):
    with pytest.raises(InputError, match="is not an ONNX model"):
        read(tmp_path, model(broken))


def test_names_that_are_no_text_are_written_out(tmp_path):
    (meta,) = read(tmp_path, model(graph([node(b"\xff\xfe", [b"\xe9"])]), function("d", b"\xf0"))).meta_graphs
    assert meta.graphs[0].ops() == ("\\xff\\xfe",)
    assert meta.graphs[1].name == "d.\\xf0"


def test_a_weight_is_not_read(tmp_path):
    path = tmp_path / "m.onnx"
    size = 3 << 30
    rest = field(1, 1) + field(2, 1) + field(8, "w")
    raw = _length(9, size)
    tensor = _length(5, len(rest) + len(raw) + size) + rest + raw
    whole_graph = _length(7, len(tensor) + size)
    with path.open("wb") as stream:
        stream.write(field(1, 8) + field(8, field(2, 17)) + whole_graph + tensor)
        stream.truncate(stream.tell() + size)
    (meta,) = read_model(str(path)).meta_graphs
    assert [variable.name for variable in meta.variables] == ["w"]


def _length(number, size):
    return field(number, b"")[:-1] + field(1, size)[1:]


def test_the_value_of_a_dimension_may_be_zero(tmp_path):
    (meta,) = read(tmp_path, model(graph([node("Op")], [value("x", 1, [0, "n"])]))).meta_graphs
    assert meta.signatures[0].inputs["x"].shape == (0, -1)


def test_a_graph_in_two_parts_is_one(tmp_path):
    parts = field(7, graph([node("A")], [value("x")])) + field(7, graph([node("B")], [value("y")]))
    (meta,) = read(tmp_path, field(1, 8) + parts).meta_graphs
    assert [graph.ops() for graph in meta.graphs] == [("A", "B")]
    assert list(meta.signatures[0].inputs) == ["x", "y"]


@pytest.mark.parametrize(
    ("code", "name"),
    [(1, "float"), (4, "uint16"), (10, "float16"), (11, "double"), (16, "bfloat16"), (21, "uint4"), (99, "99")],
)
def test_a_tensor_shows_the_name_of_its_element_type(tmp_path, code, name):
    path = tmp_path / "m.onnx"
    path.write_bytes(model(graph([node("Relu", ["x"], ["y"])], [value("x", code, [2])], [value("y", 1, [2])])))
    (signature,) = read_model(str(path)).meta_graphs[0].signatures
    assert signature.inputs["x"].dtype == name
