"""The loader `read_model` of `openvino.Core`, without extensions.

The rules are those of `XmlDeserializer` in src/frontends/ir/src/ir_deserializer.cpp (and .hpp), and of frontend.cpp
beside it. A layer names an opset, the type is looked up in that opset without regard to case, and then each attribute
that the op visits is read from `data` if it is there. So an attribute that the op does not know is never read, one that
the file lacks keeps its default, a number that cannot be parsed is 0, and only the layers that a result needs are
created.

After that, the op infers its type and shape, which this loader does not do. It relies on the ports, which state what
the saving release inferred, and does not judge a layer where something contradicts them, or is unusual.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING

from opspec_lint.models import fault
from opspec_lint.models.loader import Loader, LoadOptions
from opspec_lint.spec.model import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.model import Model, Node, Tensor
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Attr, Op, Spec
    from opspec_lint_openvino.models.openvino_ir import Net

KEPT = (".Result", ".Assign")
"""The types of the layers that keep others in the model."""
EXPERIMENTAL = ("experimental", "extension")
FROM_OPSET6 = re.compile("ExperimentalDetectron.*|GRUCell|RNNCell|Proposal")
"""The types that are looked up in opset6 if a file calls their opset `experimental` (`create_node`)."""
FROM_OPSET2 = {"MVN", "ROIPooling", "ReorgYolo"}
"""The types that opset1 lacks, and which are looked up in opset2 then (`create_node`)."""
NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)\s*")
POSITIVE = ("strides", "dilations", "kernel")
"""The attributes that no validation accepts a 0 for."""
SPATIAL = (*POSITIVE, "pads_begin", "pads_end")
"""The attributes that have an item for each spatial dimension."""
UNSET: tuple[object, ...] = ("", (), "dynamic", "undefined")
"""The values of attributes that constructors do not set: a file has to state others where the op needs them."""
SAVE_AGAIN = "save the model again"


def audit(model: Model[Net], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults that make the reader refuse a model, and those that change its meaning."""
    version, sizes, saver = model.meta_graphs[0].producer, model.sizes(), options.saver_of(model)
    versions, least = spec.loading.get("ir_versions"), spec.loading.get("min_bytes")
    if isinstance(versions, tuple) and version not in versions:
        problem = f"it has the IR version {version}, and the release reads {', '.join(map(str, versions))}"
        yield fault.model_fault("model_header", "version", "refused", "ir_version", problem=problem, remedy=SAVE_AGAIN)
        return
    if isinstance(least, int) and sizes["graph"] < least:
        problem = f"it has {sizes['graph']} bytes, and the release refuses a file of less than {least}"
        remedy = "add spaces inside the element `net`"
        yield fault.model_fault("model_header", "size", "refused", "size", problem=problem, remedy=remedy)
    classes = Classes(spec), None if saver is None else Classes(saver)
    yield from net_faults(model.content, sizes.get("weights"), *classes)


class Classes:
    """The classes of ops in a release, by opset and type; `types` are the types of tensors that it knows."""

    def __init__(self, spec: Spec) -> None:
        gaps = spec.loading.get("gaps")
        lacking = gaps if isinstance(gaps, dict) else {}
        self._ops: dict[tuple[str, str], Op] = {}
        for name, op in spec.ops.items():
            if isinstance(op.min_version, int) and isinstance(op.max_version, int):
                for opset in (f"opset{number}" for number in range(op.min_version, op.max_version + 1)):
                    if name not in lacking.get(opset, ()):
                        self._ops[opset, name.partition(".")[2].lower()] = op
        attrs = attrs_of(self.find("opset1.Parameter"))
        values = attrs["element_type"].allowed_values if "element_type" in attrs else None
        self.types = {type_name(value) for value in values} if isinstance(values, tuple) else set()

    def find(self, name: str) -> Op | None:
        """Return the op that the release makes of `OPSET.TYPE`, None if it makes none."""
        opset, _, kind = name.partition(".")
        opset = "opset6" if opset in EXPERIMENTAL and FROM_OPSET6.fullmatch(kind) else opset
        opset = "opset2" if opset == "opset1" and kind in FROM_OPSET2 else opset
        return self._ops.get((opset, kind.lower()))


def attrs_of(op: Op | None) -> dict[str, Attr]:
    """Return the attributes of an op by name, none of one that is unknown."""
    return {} if op is None else {attr.name: attr for attr in op.attrs}


def net_faults(net: Net, weights: int | None, release: Classes, saver: Classes | None) -> Iterator[Fact]:
    """Yield the faults of the layers of a graph, and of its subgraphs, in the order in which they are created."""
    made: set[str] = set()
    for identity in created(net):
        layer = net.layers.get(identity)
        if layer is None:
            problem = f"has an edge from the layer {identity}, which does not exist"
            yield fault.model_fault("model_wiring", "edge", "refused", "edge", problem=problem, remedy=SAVE_AGAIN)
            continue
        taken = [net.tensors.get(f"{identity}:{port}") for port, _ in layer.inputs]
        given = [net.tensors[name] for name in layer.outputs[0][1]]
        op = release.find(layer.op)
        faults = [*edge_faults(layer, taken, net, made), *type_faults(layer, given, release.types)]
        if op is None:
            faults.append(fault.op_fault("model_op_unknown", layer.op, "refused", "opset"))
        else:
            largest = max((size for tensor in [*taken, *given] if tensor for size in tensor.shape or ()), default=0)
            earlier = None if saver is None else saver.find(layer.op)
            faults += [*count_faults(layer, op), *attr_faults(layer, op, earlier, largest)]
            faults += constant_faults(layer, weights) if op.name == "opset1.Constant" else ()
        yield from (fact.replace(node=layer.name) for fact in faults)
        for body in net.bodies[identity]:
            yield from net_faults(body, weights, release, saver)
        made.update(layer.outputs[0][1])


def created(net: Net) -> list[int]:
    """Return the ids of the layers that the reader creates, in its order; a layer of an id may not exist."""
    order = [identity for identity, layer in net.layers.items() if layer.op.endswith(".Parameter")]
    seen = set(order)
    stack = [(identity, False) for identity, layer in reversed(net.layers.items()) if layer.op.endswith(KEPT)]
    while stack:
        identity, has_sources = stack.pop()
        if has_sources:
            order.append(identity)
        elif identity not in seen:
            seen.add(identity)
            inputs = net.layers[identity].inputs if identity in net.layers else ()
            sources = [int(name.partition(":")[0]) for _, names in inputs for name in names]
            stack += [(identity, True), *((source, False) for source in reversed(sources))]
    return order


def wiring(layer: Node, problem: str, reason: str = "edge") -> Fact:
    """Return the fault that a layer is refused for the form of the file."""
    return fault.op_fault(
        "model_wiring", layer.op, "refused", reason, name=layer.name, problem=problem, remedy=SAVE_AGAIN
    )


def doubt(layer: Node, problem: str) -> Fact:
    """Return the fault that only the inference of shapes, which is not done here, says what becomes of a layer."""
    problem, remedy = f"{problem}; shapes are not inferred here", "call `openvino.Core().read_model` of the release"
    return fault.not_judged(layer.name, problem, remedy, op=layer.op)


def edge_faults(layer: Node, taken: list[Tensor | None], net: Net, made: set[str]) -> Iterator[Fact]:
    """Yield the faults of the edges to a layer, whose sources have to be made before it."""
    for (port, names), stated in zip(layer.inputs, taken, strict=True):
        for name in names:
            if stated is None or name not in made:
                yield wiring(layer, f"has the edge {name} -> input {port} between ports that do not exist")
                return
            given = net.tensors[name]
            if given.shape != stated.shape or (stated.dtype and type_name(given.dtype) != type_name(stated.dtype)):
                yield doubt(layer, f"the ports of the edge {name} -> input {port} state different tensors")
    counts = [len(names) for _, names in layer.inputs]
    if max(counts, default=0) > 1 or sorted(counts, reverse=True) != counts:
        yield wiring(layer, f"has {counts} edges to its inputs: one is missing, or there twice")


def type_faults(layer: Node, given: list[Tensor], types: set[str]) -> Iterator[Fact]:
    """Yield the faults of the types and shapes that a layer states."""
    own = layer.attrs.get("element_type") if layer.op.endswith((".Parameter", ".Constant")) else None
    for dtype in [*(tensor.dtype for tensor in given), *([own] if own else [])]:
        if types and type_name(dtype) not in types:
            yield wiring(layer, f"has the type {dtype}, which the release does not know", "type")
    if own and given:
        shape = layer.attrs.get("shape", "").strip("[]")
        items = [item.strip() for item in shape.split(",")] if shape else []
        sizes = tuple(int(item) if re.fullmatch(r"-?\d+", item) else -1 for item in items)
        if "..." not in items and (sizes != given[0].shape or type_name(own) != type_name(given[0].dtype)):
            yield doubt(layer, f"its data states {own} of [{shape}], and its port {given[0].dtype} of {given[0].shape}")


def type_name(dtype: str | None) -> str:
    """Return the name of a type of tensors in data for that of a port: `f32` for `FP32`."""
    name = re.sub(r"^fp(?=\d)", "f", (dtype or "").lower())
    return {"bool": "boolean", "bin": "u1", "unspecified": "undefined"}.get(name, name)


def count_faults(layer: Node, op: Op) -> Iterator[Fact]:
    """Yield the faults of the number of inputs of a layer."""
    given = sum(len(names) for _, names in layer.inputs)
    if wrong := fault.input_count_fault(op, given):
        yield wrong
    elif given != len(layer.inputs) and any(argument.duplicable is UNKNOWN for argument in op.inputs):
        yield doubt(layer, f"it has {len(layer.inputs)} ports and {given} inputs, and takes an unknown number")


def attr_faults(layer: Node, op: Op, earlier: Op | None, largest: int) -> Iterator[Fact]:
    """Yield the faults of the attributes of a layer.

    `earlier` is the op in the release that saved it, `largest` the largest size of the tensors at its ports.
    """
    known, before = attrs_of(op), attrs_of(earlier)
    for name, value in layer.attrs.items():
        if name in known:
            if problem := refusal_of(known[name], value):
                yield fault.attr_value_fault(layer.op, name, value, problem)
            elif not is_ordinary(known[name], value, largest):
                yield doubt(layer, f"its '{name}' is {value!r}, which is unusual for sizes up to {largest}")
        elif name in before and before[name].default_value is not UNKNOWN:
            default = text_of(before[name].default_value)
            if default != value.replace(" ", ""):
                yield fault.attr_ignored_fault(layer.op, name, value, default)
    if len({value.count(",") for name, value in layer.attrs.items() if name in SPATIAL}) > 1:
        yield doubt(layer, f"{', '.join(name for name in SPATIAL if name in layer.attrs)} have different lengths")
    for name in sorted(known.keys() - layer.attrs.keys()):
        default = known[name].default_value
        if name in before or default in UNSET or (default is UNKNOWN and known[name].allowed_values):
            yield doubt(layer, f"it leaves out '{name}'")


def text_of(value: object) -> str:
    """Return a value as a file has it, without spaces."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(text_of, value)) if isinstance(value, tuple) else str(value)


def refusal_of(attr: Attr, value: str) -> str:
    """Return why the reader cannot read a value of an attribute, "" if it can."""
    allowed = attr.allowed_values
    if attr.type == "string" and isinstance(allowed, tuple) and value.lower() not in allowed:
        return f"is none of {', '.join(allowed)}"
    return "has an empty item" if attr.type == "list" and re.search(r"^,|,,", value) else ""


def is_ordinary(attr: Attr, value: str, largest: int) -> bool:
    """Return True if no validation of an op can be expected to refuse a value that the reader reads."""
    if value == text_of(attr.default_value) or attr.name == "shape":  # `type_faults` compares it with the port
        return True
    if attr.type == "boolean":  # any other text leaves the default
        return value.lower() in ("true", "false", "1", "0")
    if attr.type == "string":
        return isinstance(attr.allowed_values, tuple) or not attr.default_value
    return all(
        NUMBER.fullmatch(item)  # the reader reads 0 otherwise
        and (attr.type == "number" or abs(float(item)) <= largest)
        and (attr.name not in POSITIVE or float(item) > 0)
        for item in (value.split(",") if value.strip() else ())
    )


def constant_faults(layer: Node, weights: int | None) -> Iterator[Fact]:
    """Yield the faults of the weights of a constant: the bytes that it needs are not in the file."""
    data = layer.attrs
    if not {"element_type", "shape"} <= data.keys():
        yield doubt(layer, "it has no `element_type` or no `shape`")
    elif not all(data.get(name, "").isdecimal() for name in ("offset", "size")):
        yield wiring(layer, "is no constant: `offset` or `size` is no number", "weights")
    elif weights is None:
        problem = "is not there: the .bin of the model"
        yield fault.model_fault("model_asset", "weights", "refused", "weights", problem=problem)
    else:
        offset, size = int(data["offset"]), int(data["size"])
        shape = [int(item) for item in data["shape"].split(",") if item.strip().isdecimal()]
        bits = re.search(r"\d+", data["element_type"].replace("boolean", "8"))
        count = (prod(shape) * int(bits[0]) + 7) // 8 if bits else 0
        if offset + size > weights:
            yield wiring(layer, f"needs the bytes {offset} to {offset + size}, and the .bin has {weights}", "weights")
        elif count > size:
            yield wiring(layer, f"needs {count} bytes, and `size` says {size}", "weights")


LOADER = Loader(summary="openvino.Core.read_model, for an IR model", formats=("openvino_ir",), audit=audit)
