"""The probe of `openvino-runtime`, which runs in an interpreter with OpenVINO and returns its contract.

It runs no model. OpenVINO has no list of its ops, so each word in its library is tried as the name of one. An op is
created without arguments, whose attributes are then the defaults; and with inputs of unknown shape, which its own
validation accepts or not. It tries each op in a child process, as some ops crash theirs.
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
TINY = """<net name="n" version="{}">{}<layers><layer id="0" name="x" type="Parameter" version="opset1"><data shape="1"
element_type="f32"/><output><port id="0" precision="FP32"><dim>1</dim></port></output></layer><layer id="1" name="r"
type="Result" version="opset1"><input><port id="0" precision="FP32"><dim>1</dim></port></input></layer></layers><edges>
<edge from-layer="0" from-port="0" to-layer="1" to-port="0"/></edges></net>"""
HEAD = 512
"""The bytes in which some releases look for the version: they refuse a file that ends within them."""


def probe() -> "dict[str, Any]":
    """Import the runtime, and return its contract."""
    openvino = import_module("openvino")
    folder = Path(openvino.__file__ or "").parent
    library = b"".join(path.read_bytes() for path in sorted(folder.glob("libs/libopenvino.so*")))
    # The values of enums are short, so that a compiler may have put them into its instructions: Python names them too.
    texts = [library, *(path.read_bytes() for path in sorted(folder.rglob("*.py")))]
    texts += [path.read_bytes() for path in sorted(folder.glob("libs/*_frontend.so*"))]
    factories = list(iterate_factories())
    every = find_ops(factories, set(re.findall(rb"(?<=\0)[A-Z]\w{1,60}(?=\0)", library)) | symbols_of(library))
    found = {word.lower() for text in texts for word in re.findall(rb"(?<!\w)[A-Za-z][A-Za-z0-9_]{1,30}(?!\w)", text)}
    core = openvino.Core()
    return {
        "version": openvino.__version__.partition("-")[0],
        "ir_versions": [version for version in range(1, 30) if reads(core, TINY.format(version, " " * HEAD))],
        "ops": [dict(op, **describe(factories[op["opsets"][0] - 1], op["name"])) for op in every],
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


def describe(factory: "Any", name: "str") -> "dict[str, Any]":
    """Return the attributes of an op with their defaults, and the numbers of inputs that its validation accepts."""
    # A default that no constructor sets is the content of the memory: it differs from one fill to the other, or is no
    # member of its enum. Then the attributes are listed without a fill, and all defaults of the op are unknown.
    fills = [in_child(find_attributes, factory, name, byte) for byte in (0x55, 0xAA)]
    known = fills[0] if None not in fills else in_child(find_attributes, factory, name, 0) or []
    for place, record in enumerate(known):
        value = record["default"]
        is_odd = isinstance(value, float) and not math.isfinite(value)
        if None in fills or is_odd or fills[1][place]["default"] != value:
            del record["default"]
    counts = [count for count in range(MOST_INPUTS + 1) if in_child(takes, factory, name, count)]
    return {"attributes": known, "inputs": counts}


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


def takes(factory: "Any", name: "str", count: "int") -> "bool":
    """Return True if the validation of an op accepts a number of inputs of unknown shape, of one type or unknown."""
    openvino = import_module("openvino")
    parameter = import_module("openvino.op" if hasattr(openvino, "op") else "openvino.runtime.op").Parameter
    kinds = openvino.Type
    for kind in (kinds.dynamic if hasattr(kinds, "dynamic") else kinds.undefined, kinds.f32, kinds.i64):
        inputs = [parameter(kind, openvino.PartialShape.dynamic()).output(0) for _ in range(count)]
        try:
            factory.create(name, inputs, {})
        except (RuntimeError, IndexError, ValueError):
            continue
        return True
    return False


def find_enums(factories: "list[Any]", every: "list[dict[str, Any]]", words: "list[str]") -> "dict[str, list[str]]":
    """Return the values of each enum: the words in the library that an attribute of it accepts, and its default."""
    values: dict[str, list[str]] = {}
    for op in every:
        factory = factories[op["opsets"][0] - 1]
        for record in in_child(find_attributes, factory, op["name"], 0) or []:
            if record["enum"] and record["enum"] not in values:
                accepted = in_child(words_that_set, factory, op["name"], record["name"], words)
                values[record["enum"]] = accepted or []
    return values


def words_that_set(factory: "Any", name: "str", key: "str", words: "list[str]") -> "list[str]":
    """Return the words that an attribute accepts as its value."""
    node = factory.create(name)
    return [word for word in words if sets(node, key, word)]


def sets(node: "Any", key: "str", value: "str") -> "bool":
    """Return True if an attribute accepts a value."""
    try:
        node.set_attribute(key, value)
    except RuntimeError:
        return False
    return True


def reads(core: "Any", text: "str") -> "bool":
    """Return True if the runtime reads the text of a model."""
    try:
        core.read_model(text.encode(), b"")
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
