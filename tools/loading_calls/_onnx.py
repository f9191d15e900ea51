"""The files of ONNX, and the public calls of ONNX and ONNX Runtime."""

import os
import pathlib
from importlib import import_module
from importlib.util import find_spec

FLOAT, INT64 = 1, 7


def start():
    """Import the package, and return its name and version."""
    name = "onnx" if find_spec("onnx") else "onnxruntime"
    return f"{name} {import_module(name).__version__}"


def save(path, nodes, opsets=(), weights=(), external=False):
    """Save a model; without opsets, it imports the newest one that the release has."""
    onnx = import_module("onnx")
    helper = onnx.helper
    values = [helper.make_tensor_value_info(name, FLOAT, [2]) for name in ("x", "y")]
    graph = helper.make_graph([helper.make_node(*node) for node in nodes], "g", values[:1], values[1:], list(weights))
    imported = [helper.make_opsetid(*opset) for opset in opsets] or [
        helper.make_opsetid("", onnx.defs.onnx_opset_version())
    ]
    # The IR version of opset 17, which every measured release reads.
    model = helper.make_model(graph, opset_imports=imported)
    if opsets:
        model.ir_version = 8
    onnx.save(model, path, save_as_external_data=external, size_threshold=0, location="weights.bin")
    if external:
        os.remove(os.path.join(os.path.dirname(path), "weights.bin"))


def weight(kind=FLOAT):
    """Return a weight."""
    data = import_module("numpy").array([1, 2], "float32" if kind == FLOAT else "int64").tobytes()
    return import_module("onnx").helper.make_tensor("w", kind, [2], data, raw=True)


def load(path):
    """Load by ONNX, with external weights."""
    import_module("onnx").load(path)


def check_file(path, **options):
    """Check a file."""
    import_module("onnx").checker.check_model(path, **options)


def check_model(path, **options):
    """Check a model that was loaded without its weights."""
    onnx = import_module("onnx")
    onnx.checker.check_model(onnx.load(path, load_external_data=False), **options)


def infer_shapes(path):
    """Infer shapes and types."""
    onnx = import_module("onnx")
    onnx.shape_inference.infer_shapes(onnx.load(path, load_external_data=False), strict_mode=True)


def evaluate(path):
    """Create the reference evaluator."""
    import_module("onnx.reference").ReferenceEvaluator(path)


def session(path, as_bytes=False, level=""):
    """Create a session."""
    runtime = import_module("onnxruntime")
    options = runtime.SessionOptions()
    if level:
        options.graph_optimization_level = getattr(runtime.GraphOptimizationLevel, level)
    model = pathlib.Path(path).read_bytes() if as_bytes else path
    runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


RELU = [("Relu", ["x"], ["y"])]
ADD = [("Add", ["x", "w"], ["y"])]
OPSET_17 = [("", 17)]
SAVERS = {
    "newest opset": ("model.onnx", lambda path: save(path, RELU)),
    "opset 17": ("model.onnx", lambda path: save(path, RELU, OPSET_17)),
    "wrong type": ("model.onnx", lambda path: save(path, ADD, OPSET_17, [weight(INT64)])),
    "unknown op": ("model.onnx", lambda path: save(path, [("Nothing", ["x"], ["y"])], OPSET_17)),
    "other domain": (
        "model.onnx",
        lambda path: save(path, [("Nothing", ["x"], ["y"], None, None, "mine")], [*OPSET_17, ("mine", 1)]),
    ),
    "weights missing": ("model.onnx", lambda path: save(path, ADD, OPSET_17, [weight()], external=True)),
}
EVERY = {
    "onnx.load": load,
    "onnx.checker.check_model(model)": check_model,
    "onnx.checker.check_model(path)": check_file,
    "onnx.checker.check_model(model, full_check=True)": lambda path: check_model(path, full_check=True),
    "onnx.shape_inference.infer_shapes": infer_shapes,
    "onnx.reference.ReferenceEvaluator": evaluate,
    "InferenceSession(path)": session,
    "InferenceSession(bytes)": lambda path: session(path, as_bytes=True),
    "InferenceSession, ORT_DISABLE_ALL": lambda path: session(path, level="ORT_DISABLE_ALL"),
}
CALLS = {
    kind: {call: load for call, load in EVERY.items() if call.startswith("Inference") == (not find_spec("onnx"))}
    for kind in SAVERS
}
if not find_spec("onnx"):
    SAVERS = {}
