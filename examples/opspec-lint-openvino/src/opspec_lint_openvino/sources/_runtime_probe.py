"""The probe of `openvino-runtime`, which runs in an interpreter with OpenVINO and returns its contract.

It runs no model. OpenVINO has no list of its ops, so each word in its library is tried as the name of one. An op is
created without arguments, whose attributes are then the defaults; and models of it with inputs of unknown shape are
given to the reader. Each op is tried in child processes, as some ops crash theirs.
"""

import ctypes
import json
import math
import os
import re
from importlib import import_module
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

MOST_INPUTS = 12
"""Inputs that are tried. An op that takes them all, takes any number."""
PERTURB = -6
"""M_PERTURB of mallopt(3): the byte that memory contains before it is used."""
HEAD = 512
"""The bytes in which some releases look for the version: they refuse a file that ends within them."""
LAYER = """<layer id="{id}" name="{id}" type="{type}" version="{opset}"><data {data}/><input>{ports}</input><output>
<port id="99" precision="FP32"/></output></layer>"""
EDGE = """<edge from-layer="{}" from-port="99" to-layer="{}" to-port="{}"/>"""


def probe() -> "dict[str, Any]":
    """Import the runtime, and return its contract."""
    openvino = import_module("openvino")
    folder = Path(openvino.__file__ or "").parent
    library = b"".join(path.read_bytes() for path in sorted(folder.glob("libs/libopenvino.so*")))
    # The values of enums are short, so that a compiler may have put them into its instructions: Python names them too.
    texts = [library, *(path.read_bytes() for path in sorted(folder.rglob("*.py")))]
    texts += [path.read_bytes() for path in sorted(folder.glob("libs/*_frontend.so*"))]
    factories, core = list(iterate_factories()), openvino.Core()
    every = find_ops(factories, set(re.findall(rb"(?<=\0)[A-Z]\w{1,60}(?=\0)", library)) | symbols_of(library))
    found = {word.lower() for text in texts for word in re.findall(rb"(?<!\w)[A-Za-z][A-Za-z0-9_]{1,30}(?!\w)", text)}
    ir_versions = [version for version in range(1, 30) if takes(core, version, ("Relu", "opset1", ""), 1)]
    for op in every:
        op["attributes"] = describe(factories[op["opsets"][0] - 1], op["name"])
        op["inputs"] = count_inputs(core, ir_versions[-1], op)
    return {
        "version": openvino.__version__.partition("-")[0],
        "ir_versions": ir_versions,
        "ops": every,
        "enums": find_enums(factories, every, sorted(map(bytes.decode, found))),
    }


def iterate_factories() -> "Iterator[Any]":
    """Yield the factory of each opset, the first opset first."""
    try:
        node_factory = import_module("openvino.utils.node_factory")
    except ImportError:  # before 2024
        node_factory = import_module("openvino.runtime.utils.node_factory")
    try:
        for number in range(1, 1000):
            yield node_factory.NodeFactory(f"opset{number}").factory
    except RuntimeError:  # there is no further opset
        return


def symbols_of(library: "bytes") -> "set[bytes]":
    """Return the names of classes in `ov::op::vN`, by their mangled names: the length, then the name."""
    found = re.finditer(rb"2ov2op(?:2v\d|3v\d\d)(\d\d?)([A-Z]\w+)", library)
    return {match[2][: int(match[1])] for match in found}


def find_ops(factories: "list[Any]", names: "set[bytes]") -> "list[dict[str, Any]]":
    """Return the classes of ops: name, the opset that names the class in a file, and the opsets that have it."""
    classes: dict[Any, list[int]] = {}
    for name in sorted(name.decode() for name in names):
        for number, factory in enumerate(factories, 1):
            try:
                info = factory.create(name).get_type_info()
            except RuntimeError as error:
                # The factory knows constants, and refuses to make one without data.
                if name == "Constant" and name in str(error):
                    classes.setdefault(("opset1", name), []).append(number)
                continue
            classes.setdefault((info.version_id, info.name), []).append(number)
    return [{"version": version, "name": name, "opsets": opsets} for (version, name), opsets in sorted(classes.items())]


def describe(factory: "Any", name: "str") -> "list[dict[str, Any]]":
    """Return the attributes of an op with their defaults."""
    # A default that no constructor sets is the content of the memory: it differs from one fill to the other, or is no
    # member of its enum. Then the attributes are listed without a fill, and all defaults of the op are unknown.
    fills = [in_child(find_attributes, factory, name, byte) for byte in (0x55, 0xAA)]
    known = fills[0] if None not in fills else in_child(find_attributes, factory, name, 0) or []
    for place, record in enumerate(known):
        value = record["default"]
        is_odd = isinstance(value, float) and not math.isfinite(value)
        if None in fills or is_odd or fills[1][place]["default"] != value:
            del record["default"]
    return known


def find_attributes(factory: "Any", name: "str", byte: "int") -> "list[dict[str, Any]]":
    """Return the attributes of an op that is created in memory full of a byte, 0 for any content."""
    getattr(ctypes.CDLL(None), "mallopt", lambda *_: 0)(PERTURB, byte)
    return [
        {"name": key, "kind": type(value).__name__, "enum": enum_of(factory, name, key, value), "default": value}
        for key, value in factory.create(name).get_attributes().items()
    ]


def enum_of(factory: "Any", name: "str", key: "str", value: "object") -> "str":
    """Return the name of the enum of an attribute, "" if it has none."""
    if not isinstance(value, str):
        return ""
    try:
        factory.create(name).set_attribute(key, "no such value")
    except RuntimeError as error:
        match = re.search(r"is not a member of enum (\S+)|(Incorrect type)", str(error))
        return "" if match is None else match[1] or "ov::element::Type"
    return ""


def count_inputs(core: "Any", ir_version: "int", op: "dict[str, Any]") -> "list[int]":
    """Return the numbers of inputs with which the reader reads an op."""
    # A type of tensors without a default has to be stated, and all ops that have one accept this one.
    types = [
        f'{record["name"]}="i64"'
        for record in op["attributes"]
        if "element::Type" in record["enum"] and record.get("default", "dynamic") in ("dynamic", "undefined")
    ]
    layer = (op["name"], op["version"], " ".join(types))
    return [count for count in range(MOST_INPUTS + 1) if in_child(takes, core, ir_version, layer, count)]


def takes(core: "Any", ir_version: "int", layer: "tuple[str, str, str]", count: "int") -> "bool":
    """Return True if the reader reads a layer with a number of inputs of one type or of unknown type."""
    texts = (model_text(ir_version, layer, count, dtype) for dtype in ("dynamic", "f32", "i64"))
    return any(accepts(core.read_model, text, b"") for text in texts)


def model_text(ir_version: "int", layer: "tuple[str, str, str]", count: "int", dtype: "str") -> "bytes":
    """Return a model of a layer (type, opset, data) that has a number of inputs of a type, and of any shape."""
    layers = [(("Parameter", "opset1", f'shape="..." element_type="{dtype}"'), 0)] * count
    layers += [(layer, count), (("Result", "opset1", ""), 1)]
    texts = [
        LAYER.format(
            id=number, type=kind, opset=opset, data=data, ports="".join(f'<port id="{port}"/>' for port in range(taken))
        )
        for number, ((kind, opset, data), taken) in enumerate(layers)
    ]
    edges = [EDGE.format(place, count, place) for place in range(count)] + [EDGE.format(count, count + 1, 0)]
    head, layers_text, edges_text = " " * HEAD, "".join(texts), "".join(edges)
    text = f'<net name="n" version="{ir_version}">{head}<layers>{layers_text}</layers><edges>{edges_text}</edges></net>'
    return text.encode()


def find_enums(factories: "list[Any]", every: "list[dict[str, Any]]", words: "list[str]") -> "dict[str, list[str]]":
    """Return the values of each enum: the words in the library that an attribute of it accepts."""
    values: dict[str, list[str]] = {}
    for op in every:
        for record in op["attributes"]:
            if record["enum"] and record["enum"] not in values:
                factory = factories[op["opsets"][0] - 1]
                values[record["enum"]] = in_child(words_of, factory, op["name"], record["name"], words) or []
    return values


def words_of(factory: "Any", name: "str", key: "str", words: "list[str]") -> "list[str]":
    """Return the words that an attribute accepts as its value."""
    node = factory.create(name)
    return [word for word in words if accepts(node.set_attribute, key, word)]


def accepts(function: "Callable[..., Any]", *arguments: "Any") -> "bool":
    """Return True if the runtime accepts the arguments of a function."""
    try:
        function(*arguments)
    except RuntimeError:
        return False
    return True


def in_child(function: "Callable[..., Any]", *arguments: "Any") -> "Any":
    """Return the result of a function in a child process; None if it fails, or crashes as some ops do."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            answer = json.dumps(function(*arguments)).encode()
            with open(write, "wb") as stream:
                stream.write(answer)
        except BaseException:  # nothing of the parent must go on in the child
            os._exit(1)
        os._exit(0)
    os.close(write)
    with open(read, "rb") as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return json.loads(answer or b"null")
