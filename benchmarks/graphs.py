"""Generator of graphs of TensorFlow, of any size, as converters and savers write them."""

from __future__ import annotations

from typing import Any

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

FLOAT, BOOL = 1, 10


def many_nodes(count: int) -> bytes:
    """Return a graph of small nodes."""
    graph = message("GraphDef")()
    graph.versions.producer = 1087
    names = [f"layer_{at // 50}/block/op_{at}" for at in range(count)]
    for at, name in enumerate(names):
        node = graph.node.add(name=name, op=("Const", "Identity", "AddV2", "Relu")[at % 4])
        if not at % 4:
            _fill(node, b"12345678")
            continue
        node.attr["T"].type = FLOAT
        node.input.extend(names[at - 1 - distance] for distance in range(2 if node.op == "AddV2" else 1))
    data: bytes = graph.SerializeToString()
    return data


def saved_model(count: int) -> bytes:
    """Return a SavedModel of a graph of small nodes."""
    saved = message("SavedModel")(saved_model_schema_version=1)
    meta = saved.meta_graphs.add(graph_def=message("GraphDef").FromString(many_nodes(count)))
    meta.meta_info_def.tags.append("serve")
    data: bytes = saved.SerializeToString()
    return data


def loops(count: int) -> bytes:
    """Return a graph of loops with a conditional, as TensorFlow 1 writes them: a switch comes after its user."""
    graph = message("GraphDef")()
    graph.versions.producer = 1087
    graph.node.add(name="x", op="Placeholder").attr["dtype"].type = FLOAT
    graph.node.add(name="p", op="Placeholder").attr["dtype"].type = BOOL

    def add(name: str, op: str, *inputs: str, colocated_with: str = "") -> None:
        node = graph.node.add(name=name, op=op, input=inputs)
        if op != "LoopCond":
            node.attr["T"].type = FLOAT
        if op == "Merge":
            node.attr["N"].i = 2
        if op == "Enter":
            node.attr["frame_name"].s = b"while"
        if colocated_with:
            node.attr["_class"].list.s.append(f"loc:@{colocated_with}".encode())

    for at in range(count):
        scope = f"model/while_{at}"
        add(f"{scope}/cond/mul", "Mul", f"{scope}/cond/Switch:1", f"{scope}/cond/Switch:1")
        add(f"{scope}/cond/sub", "Neg", f"{scope}/cond/Switch")
        add(f"{scope}/cond/Switch", "Switch", "x", "p", colocated_with="x")
        add(f"{scope}/cond/Merge", "Merge", f"{scope}/cond/sub", f"{scope}/cond/mul")
        add(f"{scope}/Enter", "Enter", f"{scope}/cond/Merge")
        add(f"{scope}/Merge", "Merge", f"{scope}/Enter", f"{scope}/NextIteration")
        add(f"{scope}/LoopCond", "LoopCond", "p", f"^{scope}/Merge")
        add(f"{scope}/Switch", "Switch", f"{scope}/Merge", f"{scope}/LoopCond", colocated_with=f"{scope}/Merge")
        add(f"{scope}/add", "AddV2", f"{scope}/Switch:1", "x")
        add(f"{scope}/NextIteration", "NextIteration", f"{scope}/add")
        add(f"{scope}/Exit", "Exit", f"{scope}/Switch")
    data: bytes = graph.SerializeToString()
    return data


def many_attrs(count: int) -> bytes:
    """Return a graph of nodes as converters write them: every attr is there, and the shapes of outputs."""
    graph = message("GraphDef")()
    graph.versions.producer = 1087
    names = [f"model/encoder/layer_{at // 12}/attention/op_{at}" for at in range(count)]
    for at, name in enumerate(names):
        node = graph.node.add(name=name, op=("Conv2D", "MaxPool", "AddV2")[at % 3] if at else "Placeholder")
        if not at:
            node.attr["dtype"].type = FLOAT
            continue
        node.attr["T"].type = FLOAT
        node.input.extend(names[max(0, at - 1 - distance)] for distance in range(1 if node.op == "MaxPool" else 2))
        if node.op != "AddV2":
            node.attr["padding"].s, node.attr["data_format"].s = b"SAME", b"NHWC"
            for attr in ("strides", "ksize" if node.op == "MaxPool" else "dilations"):
                node.attr[attr].list.i.extend((1, 1, 1, 1))
        for size in (-1, 7 << at % 4, 14, 64 << at % 5):
            shapes = node.attr["_output_shapes"].list.shape
            (shapes[0] if shapes else shapes.add()).dim.add(size=size)
    data: bytes = graph.SerializeToString()
    return data


def unlike_constants(count: int) -> bytes:
    """Return a graph of different constants, and of nodes that take constants far away from them."""
    graph = message("GraphDef")()
    graph.versions.producer = 1087
    for at in range(count):
        _fill(graph.node.add(name=f"constants/c{at}", op="Const"), at.to_bytes(4, "little") * 50)
    for at in range(count):
        taken = f"constants/c{at * 7919 % count}"
        graph.node.add(name=f"taken/r{at}", op="Relu", input=[taken]).attr["T"].type = FLOAT
    data: bytes = graph.SerializeToString()
    return data


def large_constants(count: int) -> bytes:
    """Return a graph of constants of 50 kB, each with one node that takes it."""
    graph = message("GraphDef")()
    graph.versions.producer = 1087
    for at in range(count):
        _fill(graph.node.add(name=f"c{at}", op="Const"), b"1234" * 12500)
        graph.node.add(name=f"r{at}", op="Relu", input=[f"c{at}"]).attr["T"].type = FLOAT
    data: bytes = graph.SerializeToString()
    return data


def _fill(node: Any, content: bytes) -> None:
    node.attr["dtype"].type = FLOAT
    tensor = node.attr["value"].tensor
    tensor.dtype = FLOAT
    tensor.tensor_shape.dim.add(size=len(content) // 4)
    tensor.tensor_content = content
