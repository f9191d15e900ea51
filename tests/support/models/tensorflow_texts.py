"""Builds graphs, saved models and checkpoints of TensorFlow from the texts of scenes."""

from __future__ import annotations

import json
import math
import re

from opspec_lint.spec import values
from tests.support.models import node_lines
from tests.support.models.tensorflow_models import (
    FLOAT,
    INT32,
    STRING,
    bundle,
    function,
    graph,
    message,
    meta_graph,
    node,
    string_tensor,
    write,
)

DTYPES = {"float": FLOAT, "int32": INT32, "string": STRING}
TENSOR = re.compile(r"(\S+): (\w+)(\[.*\])?")
ATTRS = {
    "int": lambda into, value: setattr(into, "i", value),
    "float": lambda into, value: setattr(into, "f", value),
    "bool": lambda into, value: setattr(into, "b", value),
    "string": lambda into, value: setattr(into, "s", value.encode()),
    "type": lambda into, value: setattr(into, "type", DTYPES[value]),
    "func": lambda into, value: setattr(into.func, "name", value),
    "shape": lambda into, value: [into.shape.dim.add(size=size) for size in value],
    "tensor": lambda into, value: setattr(into.tensor, "dtype", DTYPES[value]),
}
"""Sets an attr of a type; the value of a tensor is the type of its elements."""
OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
OF_GRAPH = ("versions", "function", "device")
OF_SAVED_MODEL = ("tags", "signature", "restore", "asset", "variable", "layer", "optimizer")


def graph_def(path, text):
    """Write a GraphDef: nodes, `versions {...}`, `device NODE: DEVICE`, and `function f: NODE` for each node of `f`."""
    write(path, _graph(*node_lines.read(text, *OF_GRAPH)))


def saved_model(path, text):
    """Write a `saved_model.pb` of one meta graph.

    A line states one part: `tags serve gpu`, `signature predict(x)`, `asset words.txt`, `restore w: float` for what a
    session restores, and objects of TensorFlow 2: `variable w: float[2]`, `layer dense` of Keras, and `optimizer adam`
    with a slot of the first variable.
    """
    nodes, lines = node_lines.read(text, *OF_GRAPH, *OF_SAVED_MODEL)
    tags = " ".join(lines["tags"]).split() or ["serve"]
    meta = meta_graph(_graph(nodes, lines), *tags, restores=[name.partition(":")[0] for name in lines["restore"]])
    for line in lines["signature"]:
        key, _, tensor = line.rstrip(")").partition("(")
        meta.signature_def[key].inputs["x"].name = f"{tensor}:0"
    for name in lines["asset"]:
        meta.asset_file_def.add(filename=name).tensor_info.name = "x:0"
    if lines["variable"] or lines["layer"]:
        _add_objects(meta.object_graph_def.nodes, lines)
    write(path, message("SavedModel")(saved_model_schema_version=1, meta_graphs=[meta]))


def checkpoint(path, text):
    """Write a checkpoint of tensors, `w: float[2]` a line, and of the object graph that leads to them."""
    tensors = [_tensor(line) for line in text.splitlines() if line != OBJECT_GRAPH]
    if len(tensors) < len(text.splitlines()):
        tensors.append((OBJECT_GRAPH, STRING, [], _saved_objects([name for name, *_ in tensors])))
    bundle(path.with_suffix(""), tensors)


def _tensor(line):
    name, kind, shape = TENSOR.fullmatch(line).groups()
    sizes = json.loads(shape or "[]")
    return name, DTYPES[kind], sizes, bytes(4 * math.prod(sizes))


def _saved_objects(names):
    """Return the value of the object graph of a checkpoint whose keys are the names of variables."""
    saved = message("TrackableObjectGraph")()
    root = saved.nodes.add()
    for at, name in enumerate(names, 1):
        root.children.add(node_id=at, local_name=name)
        saved.nodes.add().attributes.add(name="VARIABLE_VALUE", full_name=name, checkpoint_key=name)
    return string_tensor(saved.SerializeToString())


def _add_objects(objects, lines):
    """Add a root, and the objects that lines state."""
    root = objects.add()
    root.user_object.identifier = "_generic_user_object"
    for line in lines["variable"]:
        name, dtype, sizes, _ = _tensor(line)
        root.children.add(node_id=len(objects), local_name=name)
        variable = objects.add().variable
        variable.dtype = dtype
        for size in sizes:
            variable.shape.dim.add(size=size)
    for name in lines["layer"]:
        root.children.add(node_id=len(objects), local_name=name)
        layer = objects.add().user_object
        layer.identifier, layer.metadata = "_tf_keras_layer", "{}"
    for name in lines["optimizer"]:
        root.children.add(node_id=len(objects), local_name=name)
        optimizer = objects.add()
        optimizer.user_object.identifier = "optimizer"
        optimizer.slot_variables.add(original_variable_node_id=1, slot_name="m", slot_variable_node_id=1)


def _graph(nodes, lines):
    functions = {}
    devices = [line.split(": ") for line in lines["device"]]
    for line in lines["function"]:
        name, _, text = line.partition(": ")
        functions.setdefault(name, []).extend(node_lines.read(text)[0])
    bodies = [function(name, *map(_node, body)) for name, body in functions.items()]
    stated = {"producer": 1395, **node_lines.stated(lines["versions"])}
    return graph(*(_node(line, devices) for line in nodes), functions=bodies, **stated)


def _node(op, devices=()):
    """Return the NodeDef of a line: it takes its inputs, and its output is its name."""
    (output,) = op.outputs
    made = node(
        output.name, op.name, *(argument.name for argument in op.inputs), device=dict(devices).get(output.name, "")
    )
    for attr in op.attrs:
        ATTRS[attr.type](made.attr[attr.name], values.thaw(attr.default_value))
    return made
