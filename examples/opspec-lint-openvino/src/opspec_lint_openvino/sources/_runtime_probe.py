"""The probe of `openvino-runtime`, which runs in an interpreter with OpenVINO and returns its contract.

It runs no model. OpenVINO has no list of its ops, so each word in its library is tried as the name of one. An op is
created without arguments, whose attributes are then the defaults; and models of it with inputs of unknown shape are
given to the reader. All of this happens in child processes, as some ops crash theirs.
"""

# ruff: noqa: TC004 - at run time, the text of `probe_tools` is in front of this one
import ctypes
import math
import re
from functools import partial
from importlib import import_module
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.sources.probe_tools import accepts, in_children, input_records

KNOWS = {
    "ops": ["min_version", "max_version"],
    "inputs": ["duplicable", "dispensable"],
    "attrs": ["type", "default_value", "allowed_values"],
}
TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "list"}
MOST_INPUTS = 12
"""Inputs that are tried. An op that takes them all, takes any number."""
PERTURB = -6
"""M_PERTURB of mallopt(3)."""
FILL = b" " * 512
"""The bytes in which some releases look for the version: they refuse a file that ends within them."""
LAYER = """<layer id="{0}" name="{0}" type="{1}" version="{2}"><data {3}/><input>{4}</input><output><port id="99"
precision="FP32"/></output></layer>"""
EDGE = """<edge from-layer="{}" from-port="99" to-layer="{}" to-port="{}"/>"""


def probe() -> "dict[str, Any]":
    """Import the runtime, and return its contract."""
    openvino = import_module("openvino")
    folder = Path(openvino.__file__ or "").parent
    library = b"".join(path.read_bytes() for path in sorted(folder.glob("libs/libopenvino.so*")))
    # The values of enums are short, so that a compiler may have put them into its instructions: Python names them too.
    texts = [library, *(path.read_bytes() for path in sorted(folder.rglob("*.py")))]
    texts += [path.read_bytes() for path in sorted(folder.glob("libs/*_frontend.so*"))]
    found = {word.lower() for text in texts for word in re.findall(rb"(?<!\w)[A-Za-z][A-Za-z0-9_]{1,30}(?!\w)", text)}
    # Classes in `ov::op::vN` by their mangled names: the length, then the name.
    mangled = re.finditer(rb"2ov2op(?:2v\d|3v\d\d)(\d\d?)([A-Z]\w+)", library)
    names = {*re.findall(rb"(?<=\0)[A-Z]\w{1,60}(?=\0)", library), *(match[2][: int(match[1])] for match in mangled)}
    words = sorted(map(bytes.decode, found))
    factories, core = list(iterate_factories()), openvino.Core()
    ir_versions = [version for version in range(1, 30) if takes(core, version, ("Relu", "opset1", ""), 1)]
    ops, gaps, enums = {}, {}, {}  # type: dict[str, Any], dict[str, list[str]], dict[str, list[str]]
    for (version, name), opsets in find_classes(factories, sorted(map(bytes.decode, names))).items():
        attributes = describe(factories[opsets[0] - 1], name)
        layer = (name, version, types_without_default(attributes))
        taken = in_children(partial(takes, core, ir_versions[-1], layer), range(MOST_INPUTS + 1))
        for attribute in attributes:
            add_allowed_values(attribute, factories[opsets[0] - 1], name, words, enums)
        ops[f"{version}.{name}"] = {
            "min_version": opsets[0],
            "max_version": opsets[-1],
            "inputs": [] if name == "Constant" else input_records(taken),
            "attrs": attributes,
        }
        for number in sorted({*range(opsets[0], opsets[-1])} - {*opsets}):
            gaps.setdefault(f"opset{number}", []).append(f"{version}.{name}")
    small = model_text(ir_versions[-1], ("Parameter", "opset1", 'shape="" element_type="f32"'), 0, "").replace(
        FILL, b""
    )
    return {
        "version": openvino.__version__.partition("-")[0],
        "binding": "name",
        "loading": {
            "ir_versions": ir_versions,
            "min_bytes": 0 if accepts(core.read_model, small, b"") else len(FILL) + 1,
            "gaps": gaps,
        },
        "knows": KNOWS,
        "ops": ops,
    }


def iterate_factories() -> "Iterator[Any]":
    """Yield the factory of each opset, the first opset first."""
    try:
        module = import_module("openvino.utils.node_factory")
    except ImportError:  # before 2024
        module = import_module("openvino.runtime.utils.node_factory")
    number = 1
    while accepts(module.NodeFactory, f"opset{number}"):
        yield module.NodeFactory(f"opset{number}").factory
        number += 1


def find_classes(factories: "list[Any]", names: "list[str]") -> "dict[tuple[str, str], list[int]]":
    """Return the opsets that have each class, by the opset that names the class in a file, and its name."""
    classes = {}  # type: dict[tuple[str, str], list[int]]
    for name in names:
        for number, factory in enumerate(factories, 1):
            try:
                info = factory.create(name).get_type_info()
            except RuntimeError as error:
                # The factory knows constants, and refuses to make one without data.
                if name == "Constant" and name in str(error):
                    classes.setdefault(("opset1", name), []).append(number)
                continue
            classes.setdefault((info.version_id, info.name), []).append(number)
    return dict(sorted(classes.items()))


def describe(factory: "Any", name: "str") -> "list[dict[str, Any]]":
    """Return the records of the attributes of an op, with the name of the enum of each."""
    # A default that no constructor sets is the content of the memory: it differs from one fill to the other, or is no
    # member of its enum. Then the attributes are listed in memory full of zeros, which are members of all enums, and
    # all defaults of the op are unknown. Each fill gets a process of its own.
    fills = [in_children(partial(find_attributes, factory, name), [byte])[0] for byte in (0x55, 0xAA, 0)]
    known = fills[0] if None not in fills[:2] else fills[2] or []
    for place, record in enumerate(known):
        value = record["default_value"]
        is_odd = isinstance(value, float) and not math.isfinite(value)
        if None in fills[:2] or is_odd or fills[1][place]["default_value"] != value:
            del record["default_value"]
            record["unknown"] = ["default_value"]
    return list(known)


def find_attributes(factory: "Any", name: "str", byte: "int") -> "list[dict[str, Any]]":
    """Return the attributes of an op that is created in memory full of a byte."""
    # The allocator fills memory with the complement, except for up to 7 pieces of a size that were freed before.
    getattr(ctypes.CDLL(None), "mallopt", lambda *_: 0)(PERTURB, byte ^ 0xFF)
    *_, node = [factory.create(name) for _ in range(9)]
    return [
        {
            "name": key,
            "type": TYPES[type(value).__name__],
            "default_value": value,
            "enum": enum_of(factory, name, key) if isinstance(value, str) else "",
        }
        for key, value in node.get_attributes().items()
    ]


def enum_of(factory: "Any", name: "str", key: "str") -> "str":
    """Return the name of the enum of an attribute, "" if any text is a value of it."""
    try:
        factory.create(name).set_attribute(key, "no such value")
    except RuntimeError as error:
        match = re.search(r"is not a member of enum (\S+)|(Incorrect type)", str(error))
        return "" if match is None else match[1] or "ov::element::Type"
    return ""


def add_allowed_values(
    record: "dict[str, Any]", factory: "Any", name: "str", words: "list[str]", enums: "dict[str, list[str]]"
) -> None:
    """Replace the enum of an attribute by its values: the words that the attribute accepts."""

    def accepted(_: None) -> "list[str]":
        node = factory.create(name)
        return [word for word in words if accepts(node.set_attribute, record["name"], word)]

    enum = record.pop("enum")
    if enum and enum not in enums:
        enums[enum] = in_children(accepted, [None])[0] or []
    if enums.get(enum):
        record["allowed_values"] = enums[enum]


def types_without_default(attributes: "list[dict[str, Any]]") -> "str":
    """Return the attributes of a layer that have to state a type of tensors; all ops that have one accept this one."""
    return " ".join(
        f'{record["name"]}="i64"'
        for record in attributes
        if "element::Type" in record["enum"] and record.get("default_value", "dynamic") in ("dynamic", "undefined")
    )


def takes(core: "Any", ir_version: "int", layer: "tuple[str, str, str]", count: "int") -> "bool":
    """Return True if the reader reads a layer with a number of inputs of one type or of unknown type."""
    texts = (model_text(ir_version, layer, count, dtype) for dtype in ("dynamic", "f32", "i64"))
    return any(accepts(core.read_model, text, b"") for text in texts)


def model_text(ir_version: "int", layer: "tuple[str, str, str]", count: "int", dtype: "str") -> "bytes":
    """Return a model of a layer (type, opset, data) that has a number of inputs of a type, and of any shape."""
    layers = [(("Parameter", "opset1", f'shape="..." element_type="{dtype}"'), 0)] * count
    layers += [(layer, count), (("Result", "opset1", ""), 1)]
    text = "".join(
        LAYER.format(number, *kind, "".join(f'<port id="{port}"/>' for port in range(taken)))
        for number, (kind, taken) in enumerate(layers)
    )
    edges = [EDGE.format(place, count, place) for place in range(count)] + [EDGE.format(count, count + 1, 0)]
    parts = (f"<layers>{text}</layers>", f"<edges>{''.join(edges)}</edges>")
    return f'<net name="n" version="{ir_version}">'.encode() + FILL + "".join((*parts, "</net>")).encode()
