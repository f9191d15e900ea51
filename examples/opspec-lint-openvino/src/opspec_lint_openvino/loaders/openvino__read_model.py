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

from opspec_lint.models.fault import model_fault, not_judged, op_fault
from opspec_lint.models.loader import Loader, LoadOptions
from opspec_lint.spec.model import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Attr, Op, Spec
    from opspec_lint_openvino.saved.ir import IrFile, Layer, Net

EXPERIMENTAL = ("experimental", "extension")
FROM_OPSET6 = re.compile("ExperimentalDetectron.*|GRUCell|RNNCell|Proposal")
"""The types that are looked up in opset6 if a file calls their opset `experimental` (`create_node`)."""
FROM_OPSET2 = {"MVN", "ROIPooling", "ReorgYolo"}
"""The types that opset1 lacks, and which are looked up in opset2 then (`create_node`)."""
NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)\s*")
POSITIVE = {"strides", "dilations", "kernel"}
"""The attributes that no validation accepts a 0 for."""
UNSET: tuple[object, ...] = ("", (), [], "dynamic", "undefined")
"""The values of attributes that constructors do not set: a file has to state others where the op needs them."""
SAVE_AGAIN = "save the model again"
VERIFY = "call `openvino.Core().read_model` of the release"


def audit(model: Model[IrFile], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults that make the reader refuse a model, and those that change its meaning."""
    content, versions = model.content, spec.loading.get("ir_versions", ())
    if isinstance(versions, list | tuple) and versions and content.ir_version not in versions:
        problem = f"it has the IR version {content.ir_version}, and the release reads {', '.join(map(str, versions))}"
        yield model_fault("model_header", "version", "refused", "ir_version", problem=problem, remedy=SAVE_AGAIN)
        return
    saver = options.saver_of(model)
    yield from net_faults(content.net, content.weights, Classes(spec), None if saver is None else Classes(saver))


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
        parameter = attrs_of(self.find("opset1", "Parameter"))
        self.types = next((attr.allowed_values for attr in parameter if attr.name == "element_type"), None)

    def find(self, version: str, kind: str) -> Op | None:
        """Return the op that the release makes of a type in an opset, None if it makes none."""
        opset = "opset6" if version in EXPERIMENTAL and FROM_OPSET6.fullmatch(kind) else version
        opset = "opset2" if opset == "opset1" and kind in FROM_OPSET2 else opset
        return self._ops.get((opset, kind.lower()))


def attrs_of(op: Op | None) -> tuple[Attr, ...]:
    """Return the attributes of an op, none of one that is unknown."""
    return () if op is None else op.attrs


def net_faults(net: Net, weights: int | None, release: Classes, saver: Classes | None) -> Iterator[Fact]:
    """Yield the faults of the layers of a graph, and of its subgraphs, in the order in which they are created."""
    made: dict[int, Layer] = {}
    for identity in net.created():
        layer = net.layers.get(identity)
        if layer is None:
            problem = f"has an edge from the layer {identity}, which does not exist"
            yield model_fault("model_wiring", "edge", "refused", "edge", problem=problem, remedy=SAVE_AGAIN)
            continue
        op = release.find(layer.version, layer.kind)
        faults = [*edge_faults(layer, made), *type_faults(layer, release)]
        if op is None:
            faults.append(op_fault("model_op_unknown", layer.op, "refused", "opset"))
        else:
            earlier = None if saver is None else saver.find(layer.version, layer.kind)
            faults += [*count_faults(layer, op), *attr_faults(layer, op, earlier), *constant_faults(layer, weights)]
        yield from (fault.replace(node=layer.name) for fault in faults)
        for body in layer.bodies:
            yield from net_faults(body, weights, release, saver)
        made[identity] = layer


def wiring(layer: Layer, problem: str, reason: str = "edge") -> Fact:
    """Return the fault that a layer is refused for the form of the file."""
    return op_fault("model_wiring", layer.op, "refused", reason, name=layer.name, problem=problem, remedy=SAVE_AGAIN)


def doubt(layer: Layer, problem: str) -> Fact:
    """Return the fault that only the inference of shapes, which is not done here, says what becomes of a layer."""
    return not_judged(layer.name, f"{problem}; shapes are not inferred here", VERIFY, op=layer.op)


def edge_faults(layer: Layer, made: dict[int, Layer]) -> Iterator[Fact]:
    """Yield the faults of the edges to a layer, whose sources have to be made before it."""
    taken = []
    for source, port, target in layer.edges:
        given = next((each for each in made[source].outputs if each.id == port), None) if source in made else None
        place = next((place for place, each in enumerate(layer.inputs) if each.id == target), None)
        if given is None or place is None:
            yield wiring(layer, f"has the edge {source}:{port} -> {layer.id}:{target} between ports that do not exist")
            return
        taken.append(place)
        stated = layer.inputs[place]
        if given.shape != stated.shape or (stated.dtype and type_name(given.dtype) != type_name(stated.dtype)):
            yield doubt(layer, f"the ports of the edge {source}:{port} -> {layer.id}:{target} state different tensors")
    if sorted(taken) != list(range(len(taken))):
        yield wiring(layer, f"has edges to its inputs {sorted(taken)}: one is missing, or there twice")


def type_faults(layer: Layer, release: Classes) -> Iterator[Fact]:
    """Yield the faults of the types and shapes that a layer states."""
    types = {type_name(dtype) for dtype in release.types} if isinstance(release.types, tuple) else set()
    own = layer.data.get("element_type") if layer.kind in ("Parameter", "Constant") else None
    for dtype in [*(port.dtype for port in layer.outputs), *([own] if own else [])]:
        if types and type_name(dtype) not in types:
            yield wiring(layer, f"has the type {dtype}, which the release does not know", "type")
    if own and layer.outputs:
        port, shape = layer.outputs[0], layer.data.get("shape", "").strip("[]")
        items = [item.strip() for item in shape.split(",")] if shape else []
        dims = tuple(int(item) if re.fullmatch(r"-?\d+", item) else -1 for item in items)
        if "..." not in items and (dims != port.shape or type_name(own) != type_name(port.dtype)):
            yield doubt(layer, f"its data states {own} of [{shape}], and its port {port.dtype} of {[*port.shape]}")


def type_name(dtype: str) -> str:
    """Return the name of a type of tensors in data for that of a port: `f32` for `FP32`."""
    name = re.sub(r"^fp(?=\d)", "f", dtype.lower())
    return {"bool": "boolean", "bin": "u1", "unspecified": "undefined"}.get(name, name)


def count_faults(layer: Layer, op: Op) -> Iterator[Fact]:
    """Yield the faults of the number of inputs of a layer."""
    given = len(layer.edges)
    if any(argument.duplicable is UNKNOWN for argument in op.inputs):
        if given != len(layer.inputs):
            yield doubt(layer, f"it has {len(layer.inputs)} ports and {given} inputs, and takes an unknown number")
        return
    least = sum(not argument.dispensable for argument in op.inputs)
    most = None if any(argument.duplicable for argument in op.inputs) else len(op.inputs)
    if given < least or (most is not None and given > most):
        expected = f"at least {least}" if most is None else str(least) if least == most else f"{least} to {most}"
        yield op_fault("model_input_count", layer.op, "refused", "inputs", expected=expected, given=given)


def attr_faults(layer: Layer, op: Op, earlier: Op | None) -> Iterator[Fact]:
    """Yield the faults of the attributes of a layer; `earlier` is the op in the release that saved it."""
    known, before = {attr.name: attr for attr in attrs_of(op)}, {attr.name: attr for attr in attrs_of(earlier)}
    largest = max((dim for port in layer.inputs + layer.outputs for dim in port.shape), default=0)
    for name, value in layer.data.items():
        if name in known:
            if problem := refusal_of(known[name], value):
                yield op_fault(
                    "model_attr_value", layer.op, "refused", "value",
                    kind="attr", name=name, value=repr(value), problem=problem,
                )  # fmt: skip
            elif problem := doubt_about(known[name], value, largest):
                yield doubt(layer, f"its '{name}' is {value!r}: {problem}")
        elif name in before and before[name].default_value is not UNKNOWN:
            default = text_of(before[name].default_value)
            if default != value.replace(" ", ""):
                yield op_fault(
                    "model_attr_ignored", layer.op, "changed", "ignored",
                    kind="attr", name=name, value=repr(value), default=default,
                )  # fmt: skip
    for name in sorted(known.keys() - layer.data.keys()):
        default = known[name].default_value
        if name in before or default in UNSET or (default is UNKNOWN and known[name].allowed_values):
            yield doubt(layer, f"it leaves out '{name}'")


def text_of(value: object) -> str:
    """Return a value as a file has it, without spaces."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(text_of, value)) if isinstance(value, list | tuple) else str(value)


def refusal_of(attr: Attr, value: str) -> str:
    """Return why the reader cannot read a value of an attribute, "" if it can."""
    allowed = attr.allowed_values
    if attr.type == "string" and isinstance(allowed, tuple) and value.lower() not in allowed:
        return f"is none of {', '.join(allowed)}"
    return "has an empty item" if attr.type == "list" and re.search(r"^,|,,", value) else ""


def doubt_about(attr: Attr, value: str, largest: int) -> str:
    """Return why the validation of an op may refuse a value that the reader reads, "" if it is an ordinary one."""
    if value == text_of(attr.default_value):
        return ""
    if attr.type == "boolean":
        is_known = value.lower() in ("true", "false", "1", "0")
        return "" if is_known else "it is neither true nor false, and the release takes its default"
    if attr.type == "string":
        is_free = isinstance(attr.allowed_values, tuple) or not attr.default_value
        return "" if is_free else f"the release states no values but {attr.default_value!r}"
    items = value.split(",") if value.strip() else []
    if not all(NUMBER.fullmatch(item) for item in items):
        return "it is no number, and the release reads 0"
    if attr.type != "number" and not all(-largest <= float(item) <= largest for item in items):
        return "no dimension of the layer is as large"
    return "it is 0" if attr.name in POSITIVE and any(float(item) <= 0 for item in items) else ""


def constant_faults(layer: Layer, weights: int | None) -> Iterator[Fact]:
    """Yield the faults of the weights of a constant: the bytes that it needs are not in the file."""
    data = layer.data
    if layer.kind != "Constant":
        return
    if layer.type != "Const" or not {"element_type", "shape"} <= data.keys():
        yield doubt(layer, "its content is not read, as it is no `Const` with `element_type` and `shape`")
        return
    if not all(data.get(name, "").isdecimal() for name in ("offset", "size")):
        yield wiring(layer, "is no constant: `offset` or `size` is no number", "weights")
        return
    if weights is None:
        yield model_fault("model_asset", "weights", "refused", "weights", problem="is not there: the .bin of the model")
        return
    offset, size = int(data["offset"]), int(data["size"])
    shape = [int(item) for item in data["shape"].split(",") if item.strip().isdecimal()]
    bits = re.search(r"\d+", data["element_type"].replace("boolean", "8"))
    count = (prod(shape) * int(bits[0]) + 7) // 8 if bits else 0
    if offset + size > weights:
        yield wiring(layer, f"needs the bytes {offset} to {offset + size}, and the .bin has {weights}", "weights")
    elif count > size:
        yield wiring(layer, f"needs {count} bytes, and `size` says {size}", "weights")


LOADER = Loader(summary="openvino.Core.read_model, for an IR model", formats=("openvino_ir",), audit=audit)
