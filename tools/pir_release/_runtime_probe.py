"""Probe of the PIR ops that the library of a Paddle declares; it runs in the interpreter of that Paddle.

Paddle offers most of this information to C++ alone, so the probe calls functions of the library and reads the memory of
their results. The structures follow libstdc++ on 64 bits, and Paddle's op_yaml_info_util.h, op_compat_info.h and
pd_op_sig.h. It needs Python 3.6 or later, and the standard library. `_probe_main`, which is executed after it, writes
the answer.
"""

import ctypes
import re
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

INFO = re.compile(rb"\0(_ZN6paddle7dialect\d+(\w+?)9GetOpInfoB5cxx11Ev)(?=\0)")
NORMALIZER = "_ZN6paddle10translator16OpNameNormalizer8instanceEv"
KERNELS = "_ZN6paddle7dialect{}{}B5cxx11E"
"""The symbols of `OP::GetOpInfo()`, `OpNameNormalizer::instance()`, and `op_to_multi_kernels_map`."""


class Text(ctypes.Structure):
    """A std::string."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t), ("short", ctypes.c_char * 16)]

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.size).decode()


class Vector(ctypes.Structure):
    """A std::vector."""

    _fields_ = [("begin", ctypes.c_void_p), ("end", ctypes.c_void_p), ("capacity", ctypes.c_void_p)]

    def of(self, kind: "Any") -> "list[Any]":
        """Return the items, which are of one kind."""
        if not self.begin:
            return []
        count = (self.end - self.begin) // ctypes.sizeof(kind)
        return list((kind * count).from_address(self.begin))


class Map(ctypes.Structure):
    """A std::unordered_map of texts: its nodes are a list, each with the next, a key, a value and the hash."""

    _fields_ = [
        ("buckets", ctypes.c_void_p),
        ("count", ctypes.c_size_t),
        ("first", ctypes.c_void_p),
        ("rest", ctypes.c_size_t * 4),
    ]

    def of(self, kind: "Any") -> "Iterator[tuple[str, Any]]":
        """Yield the keys and the values, which are of one kind."""
        node = self.first
        while node:
            key = node + ctypes.sizeof(ctypes.c_void_p)
            yield str(Text.from_address(key)), kind.from_address(key + ctypes.sizeof(Text))
            node = ctypes.c_void_p.from_address(node).value


class InputInfo(ctypes.Structure):
    """An OpInputInfo."""

    _fields_ = [("name", Text), ("type", Text)] + [
        (flag, ctypes.c_bool) for flag in ("optional", "no_need_buffer", "mutable", "with_grad")
    ]


class AttrInfo(ctypes.Structure):
    """An OpAttributeInfo; `held` is the C++ type in a Scalar, or in an IntArray."""

    _fields_ = [("name", Text), ("type", Text), ("held", Text)]


class OutputInfo(ctypes.Structure):
    """An OpOutputInfo."""

    _fields_ = [("name", Text), ("type", Text), ("optional", ctypes.c_bool), ("intermediate", ctypes.c_bool)]


class RunInfo(ctypes.Structure):
    """An OpRunTimeInfo, which is never read: it only pads the OpInfo."""

    _fields_ = [
        ("infer_meta", Text),
        ("infer_meta_parameters", Vector),
        ("kernel", Text),
        ("lists", Vector * 7),
        ("default_values", Map),
        ("tensors", Vector),
        ("flags", ctypes.c_bool * 2),
    ]


class OpInfo(ctypes.Structure):
    """An OpInfoTuple: a std::tuple begins with its last item."""

    _fields_ = [("origin", Text), ("run", RunInfo), ("outputs", Vector), ("attrs", Vector), ("inputs", Vector)]


class Normalizer(ctypes.Structure):
    """An OpNameNormalizer: the names of ops, of their arguments, and of the tensors of their attrs."""

    _fields_ = [("ops", Map), ("arguments", Map), ("tensors", Map)]


class Kernel(ctypes.Structure):
    """A PdOpSig."""

    _fields_ = [("name", Text), ("inputs", Vector), ("outputs", Vector)]


def probe() -> "dict[str, Any]":
    """Import Paddle, and return the facts of its library that `library.Library` describes."""
    import_module("paddle")
    core = import_module("paddle.base.core")
    path = str(import_module("paddle.base.libpaddle").__file__)
    library = ctypes.CDLL(path)
    with open(path, "rb") as stream:
        symbols = {match[2].decode(): match[1].decode() for match in INFO.finditer(stream.read())}
    return {
        "infos": {name: info(library, symbol) for name, symbol in symbols.items()},
        "kernels": {sparse: kernels(library, sparse) for sparse in ("", "sp_")},
        **names(library, core),
    }


def info(library: "Any", symbol: str) -> "dict[str, Any]":
    """Return the inputs, outputs and attrs that `GetOpInfo` of a class returns."""
    function = library[symbol]
    function.restype, function.argtypes = OpInfo, []
    op_info = function()
    return {
        "inputs": [
            [str(argument.name), str(argument.type), argument.optional, argument.mutable]
            for argument in op_info.inputs.of(InputInfo)
        ],
        "outputs": [
            [str(output.name), str(output.type), output.optional, output.intermediate]
            for output in op_info.outputs.of(OutputInfo)
        ],
        "attrs": [[str(attr.name), str(attr.type), str(attr.held)] for attr in op_info.attrs.of(AttrInfo)],
    }


def kernels(library: "Any", sparse: str) -> "dict[str, list[str]]":
    """Return the kernels of the ops that have several."""
    name = sparse + "op_to_multi_kernels_map"
    table = Map.in_dll(library, KERNELS.format(len(name), name))
    return {op: [str(kernel.name) for kernel in op_kernels.of(Kernel)] for op, op_kernels in table.of(Vector)}


def names(library: "Any", core: "Any") -> "dict[str, Any]":
    """Return the tables of the translation."""
    function = library[NORMALIZER]
    function.restype, function.argtypes = ctypes.POINTER(Normalizer), []
    tables = function().contents
    ops = {op: str(own) for op, own in tables.ops.of(Text)}
    arguments = {op: {own: str(name) for own, name in op_names.of(Text)} for op, op_names in tables.arguments.of(Map)}
    tensors = {
        op: {attr: [str(tensor) for tensor in listed.of(Text)] for attr, listed in op_tensors.of(Vector)}
        for op, op_tensors in tables.tensors.of(Map)
    }
    protos = import_module("paddle.base.framework").get_all_op_protos()
    known = {*ops, *arguments, *(str(proto.type) for proto in protos)}
    extra = {op: sorted(core.get_op_extra_attrs(op)) for op in sorted(known)}
    return {"ops": ops, "arguments": arguments, "tensors": tensors, "extra": extra}
