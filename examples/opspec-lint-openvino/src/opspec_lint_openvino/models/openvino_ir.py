"""The format of IR models: NAME.xml, with the weights in NAME.bin beside it, which are not read."""

from opspec_lint.models.format import ModelFormat


def claims(candidate):
    """Return True if a file begins with the element of a network."""
    from opspec_lint_openvino.saved import ir

    return candidate.is_file and ir.is_model(candidate.head)


def read(candidate):
    """Return the model in a file. Raises InputError if it cannot be read."""
    from opspec_lint.models.model import MetaGraph, Model
    from opspec_lint_openvino.saved import ir

    content = ir.read(candidate.path, candidate.data)
    graphs = tuple(graphs_of(content.net))
    named = {layer.version for layer in layers_of(content.net)}
    opsets = {version: int(version[5:]) for version in named if version[5:].isdecimal()}
    meta_graph = MetaGraph(
        written_by=content.written_by,
        producer=content.ir_version,
        opsets=dict(sorted(opsets.items(), key=lambda item: item[1])),
        graphs=graphs,
        signatures=(signature_of(content.net),),
    )
    weights = content.weights or 0
    sizes = {"graph": len(candidate.view), "weights": weights}
    return Model(file=candidate.path, meta_graphs=(meta_graph,), measure=lambda: sizes, content=content)


def layers_of(net):
    """Yield the layers of a graph, and those in its subgraphs."""
    for layer in net.layers:
        yield layer
        for body in layer.bodies:
            yield from layers_of(body)


def graphs_of(net, name="", within=None, before=0):
    """Yield the graphs of a model, each after the one that contains it."""
    from opspec_lint.models.model import Graph, Nodes

    nodes = Nodes(net.layers, to_node, lambda layer: layer.op)
    yield Graph(name=name, nodes=nodes, within=within, state=lambda: tensors_in(net))
    count = 1
    for layer in net.layers:
        for number, body in enumerate(layer.bodies):
            inner = list(graphs_of(body, f"{layer.name}/{number}", before, before + count))
            count += len(inner)
            yield from inner


def to_node(layer, index):
    """Return a layer in the common form."""
    from opspec_lint.models.model import Node

    taken = tuple("" if source is None else ":".join(source) for _, source in layer.inputs)
    made = tuple(f"{layer.id}:{port}" for port in layer.outputs)
    name = layer.name or f"{layer.op}#{index}"
    return Node(name=name, op=layer.op, inputs=(("", taken),), outputs=(("", made),), attrs=layer.data)


def tensors_in(net):
    """Return the tensors of a graph, by layer and port."""
    from opspec_lint.models.model import Tensor

    return {
        f"{layer.id}:{port}": Tensor(name=f"{layer.id}:{port}", dtype=dtype, shape=shape)
        for layer in net.layers
        for port, (dtype, shape) in layer.outputs.items()
    }


def signature_of(net):
    """Return the parameters and results of a model as its signature."""
    from opspec_lint.models.model import Signature

    tensors = tensors_in(net)
    inputs, outputs = {}, {}
    for layer in net.layers:
        made = tensors.get(f"{layer.id}:0")
        if layer.type == "Parameter" and made is not None:
            inputs[layer.name] = made
        for _, source in layer.inputs if layer.type == "Result" else ():
            if source is not None and ":".join(source) in tensors:
                outputs[layer.name] = tensors[":".join(source)]
    return Signature(key="model", inputs=inputs, outputs=outputs)


MODEL_FORMAT = ModelFormat(summary="OpenVINO's IR (NAME.xml)", claims=claims, read=read)
