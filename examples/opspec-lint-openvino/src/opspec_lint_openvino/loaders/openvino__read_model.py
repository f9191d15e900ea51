"""The loader `read_model` of `openvino.Core`, without extensions.

A layer names an opset, the type is looked up in that opset without regard to case, and then each attribute that the op
visits is read from `data` if it is there. So an attribute that the op does not know is never read, and one that the
file lacks keeps its default. Release 2023.3.0 read the models of `compare.py` so; its code, `XmlDeserializer` in
src/frontends/ir/src/ir_deserializer.cpp, was not compared.
"""

import re

from opspec_lint.models.fault import model_fault, not_judged, op_fault
from opspec_lint.models.loader import Loader
from opspec_lint.spec.model import UNKNOWN

DETECTRONS = "ExperimentalDetectron"
"""The beginning of the types that are looked up in opset6, whatever the file says; so `create_node` does."""
LATER = {"MVN", "ROIPooling", "ReorgYolo"}
"""The types that opset1 lacks and that files name so: they are looked up in opset2."""
BITS = {"f64": 64, "i64": 64, "u64": 64, "f32": 32, "i32": 32, "u32": 32, "f16": 16, "bf16": 16, "i16": 16, "u16": 16}
BITS |= {"i8": 8, "u8": 8, "boolean": 8}
"""The bits of the types whose items have a fixed size in the file."""
NUMBER = r"\s*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf|nan)\s*"
PATTERNS = {"integer": r"\s*[-+]?\d+\s*", "number": NUMBER, "list": rf"(?:{NUMBER}(?:,{NUMBER})*)?\s*"}
PATTERNS["boolean"] = r"(?i:true|false|1|0)"
SAVE_AGAIN = "save the model again"


def audit(model, spec, options):
    """Yield the faults that make the reader refuse a model, and those that change its meaning."""
    content, versions = model.content, spec.loading.get("ir_versions", ())
    if versions and content.ir_version not in versions:
        problem = f"it has the IR version {content.ir_version}, and the release reads {', '.join(map(str, versions))}"
        yield model_fault("model_header", "version", "refused", "ir_version", problem=problem, remedy=SAVE_AGAIN)
        return
    saver = options.saver_of(model)
    yield from audit_net(content, content.net, spec, Classes(spec), None if saver is None else Classes(saver))


class Classes:
    """The classes of ops in a release, by opset and type."""

    def __init__(self, spec):
        self._spec = spec
        self._names = {}
        for name in spec.ops:
            self._names.setdefault(name.partition(".")[2].lower(), []).append(name)

    def find(self, version, kind):
        """Return the op that the release makes of a type in an opset, None if it makes none."""
        if not re.fullmatch(r"opset\d+", version):
            return None
        number = 2 if version == "opset1" and kind in LATER else int(version[5:])
        number = 6 if kind.startswith(DETECTRONS) else number
        every = (self._spec.ops[name] for name in self._names.get(kind.lower(), ()))
        return next((op for op in every if op.min_version <= number <= op.max_version), None)


def audit_net(content, net, spec, release, saver):
    """Yield the faults of the layers of a graph, and of its subgraphs, in the order of the file."""
    for edge in net.loose:
        problem = f"has the edge {edge}, and one of its ports does not exist"
        yield model_fault("model_wiring", edge, "refused", "edge", problem=problem, remedy=SAVE_AGAIN)
    for layer in net.layers:
        kind = layer.op.partition(".")[2]
        op = release.find(layer.version, kind)
        faults = [op_fault("model_op_unknown", layer.op, "refused", "opset")]
        if op is not None:
            earlier = None if saver is None else saver.find(layer.version, kind)
            faults = [*input_faults(layer, op), *attr_faults(layer, op, earlier), *constant_faults(layer, content)]
        yield from (fault.replace(node=layer.name) for fault in faults)
        for body in layer.bodies:
            yield from audit_net(content, body, spec, release, saver)


def input_faults(layer, op):
    """Yield the faults of the inputs of a layer."""
    for port, source in layer.inputs:
        if source is None:
            problem = f"has no edge to its input {port}"
            yield op_fault(
                "model_wiring", layer.op, "refused", "edge", name=layer.name, problem=problem, remedy=SAVE_AGAIN
            )
    if op.inputs is UNKNOWN:
        return
    least = sum(not argument.dispensable for argument in op.inputs)
    most = None if any(argument.duplicable for argument in op.inputs) else len(op.inputs)
    given = len(layer.inputs)
    if given < least or (most is not None and given > most):
        expected = f"at least {least}" if most is None else str(least) if least == most else f"{least} to {most}"
        yield op_fault("model_input_count", layer.op, "refused", "inputs", expected=expected, given=given)


def attr_faults(layer, op, earlier):
    """Yield the faults of the attributes of a layer."""
    if op.attrs is UNKNOWN:
        return
    known = {attr.name: attr for attr in op.attrs}
    for name, value in layer.data.items():
        if name in known:
            problem = problem_of(known[name], value)
            if problem:
                yield op_fault(
                    "model_attr_value", layer.op, "refused", "value",
                    kind="attr", name=name, value=repr(value), problem=problem,
                )  # fmt: skip
        elif earlier is not None and earlier.attrs is not UNKNOWN:
            default = next((attr.default_value for attr in earlier.attrs if attr.name == name), UNKNOWN)
            if default is not UNKNOWN and text_of(default) != value.replace(" ", ""):
                yield op_fault(
                    "model_attr_ignored", layer.op, "changed", "ignored",
                    kind="attr", name=name, value=repr(value), default=text_of(default),
                )  # fmt: skip
    for name in known.keys() - layer.data.keys() if op.attrs else ():
        if known[name].default_value is UNKNOWN and known[name].allowed_values:
            problem = f"the node leaves out '{name}', and the release sets no default for it"
            yield not_judged(layer.op, problem, f"write '{name}' into the file", op=layer.op)


def text_of(value):
    """Return a value as a file has it, without spaces."""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(text_of, value)) if isinstance(value, list | tuple) else str(value)


def problem_of(attr, value):
    """Return why the release cannot read a value of an attribute, "" if it can."""
    allowed = attr.allowed_values
    if allowed and attr.type == "string":
        return "" if value.lower() in allowed else f"is none of {', '.join(allowed)}"
    pattern = PATTERNS.get(attr.type)
    return "" if pattern is None or re.fullmatch(pattern, value) else f"is no {attr.type}"


def constant_faults(layer, content):
    """Yield the faults of the weights of a constant: the bytes that it needs are not in the file."""
    data = layer.data
    if not layer.op.endswith(".Constant") or "size" not in data:
        return
    if content.weights is None:
        yield model_fault("model_asset", "weights", "refused", "weights", problem="is not there: the .bin of the model")
        return
    try:
        offset, size = int(data["offset"]), int(data["size"])
        shape = [int(item) for item in data.get("shape", "").split(",") if item.strip()]
    except (KeyError, ValueError):
        problem = "is no constant: `offset`, `size` or `shape` is no number"
        yield op_fault("model_wiring", layer.op, "refused", "weights", problem=problem, remedy=SAVE_AGAIN)
        return
    count = BITS.get(data.get("element_type", ""), 0)
    for item in shape:
        count *= item
    if offset + size > content.weights:
        problem = f"needs the bytes {offset} to {offset + size}, and the .bin has {content.weights}"
    elif (count + 7) // 8 > size:
        problem = f"needs {(count + 7) // 8} bytes, and `size` says {size}"
    else:
        return
    yield op_fault("model_wiring", layer.op, "refused", "weights", problem=problem, remedy=SAVE_AGAIN)


LOADER = Loader(summary="openvino.Core.read_model, for an IR model", formats=("openvino_ir",), audit=audit)
