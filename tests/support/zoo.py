"""Models of every format that `audit` reads, written into a folder."""

from tests.support.models import (
    onnx_models,
    paddle_programs,
    pir_models,
    pytorch_models,
    tensorflow_models,
    tflite_models,
)


def _written(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def onnx(path, op="Relu", weights=8, opset=17):
    main = onnx_models.graph(
        [onnx_models.node(op, ["x"], ["t"]), onnx_models.node("Flatten", ["t"], ["y"], onnx_models.attr("axis", i=1))],
        [onnx_models.value("x", 1, ["n", 3])],
        [onnx_models.value("y", 1, ["n", 3])],
        [onnx_models.weight("w", [weights // 4], data=bytes(weights))],
    )
    return _written(path, onnx_models.model(main, opsets=(("", opset),)))


def program(path, op="relu", **attrs):
    node = paddle_programs.node(op, {"X": ["x"]}, ("Out",), **attrs)
    return _written(path, paddle_programs.program(node))


def graph_def(path, op="Relu"):
    nodes = tensorflow_models.placeholder(), tensorflow_models.node("y", op, "x", T=tensorflow_models.FLOAT)
    return _written(path, tensorflow_models.graph(*nodes).SerializeToString())


def saved_model(folder):
    made = tensorflow_models.graph(tensorflow_models.placeholder())
    meta = tensorflow_models.meta_graph(made, "serve", restores=("w",))
    (folder / "variables").mkdir(parents=True)
    tensorflow_models.bundle(folder / "variables" / "variables", [("w", tensorflow_models.FLOAT, [1], bytes(4))])
    tensorflow_models.saved_model(folder, meta)
    return folder / "saved_model.pb"


def checkpoint(folder):
    prefix = tensorflow_models.bundle(folder / "model", [("w", tensorflow_models.FLOAT, [1], bytes(4))])
    return folder / (prefix.rpartition("/")[2] + ".index")


WRITERS = {
    "onnx": lambda folder: onnx(folder / "model.onnx"),
    "graph_def": lambda folder: graph_def(folder / "graph.pb"),
    "saved_model": lambda folder: saved_model(folder / "saved"),
    "checkpoint": checkpoint,
    "paddle_program": lambda folder: program(folder / "net.pdmodel"),
    "paddle_pir": lambda folder: _written(folder / "net.json", pir_models.program()),
    "tflite": lambda folder: _written(folder / "net.tflite", tflite_models.whole()),
    "torch.export": lambda folder: _written(folder / "net.pt2", pytorch_models.exported()),
    "torchscript": lambda folder: _written(folder / "net.pt", pytorch_models.script()),
}
