"""A program of torch.export: its JSON, in the words of the model that all frameworks share.

The file also holds stack traces with the author's source lines and paths: they are not looked at.
"""

from __future__ import annotations

from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    Json: TypeAlias = dict[str, Any]

_OPS = "torch.ops."
_TYPES = {
    **dict(enumerate(("unknown", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"))),
    **dict(enumerate(("complex32", "complex64", "complex128", "bool", "bfloat16"), 9)),
    28: "uint16",
    29: "float8_e4m3fn",
    30: "float8_e5m2",
    31: "float8_e4m3fnuz",
    32: "float8_e5m2fnuz",
}
"""The names of `ScalarType` of the schema of torch.export."""
_WEIGHTS = {"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}
"""The kinds of inputs that are weights, and where each has its name."""
_LONGEST_NAME = 100
"""Characters of the name of a graph in a node: those in it are called by it as well."""
_NAMED = ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool", "as_custom_obj")
_LISTS = ("as_tensors", "as_optional_tensors", "as_sym_ints", "as_sym_bools", "as_sym_floats")


def of_program(document: Any, tags: tuple[str, ...]) -> MetaGraph:
    """Return the description of a program.

    Raises:
        ValueError: the document is no program; the message says why.
    """
    module = _member(document, "graph_module")
    top = _member(module, "graph")
    values = _mapping(top.get("tensor_values"))
    specs = _mapping(module.get("signature"))
    return MetaGraph(
        tags=tags,
        written_by=_release(document.get("torch_version")),
        producer=_major(document.get("schema_version")),
        opsets={
            name: number for name, number in _mapping(document.get("opset_version")).items() if type(number) is int
        },
        graphs=tuple(_graphs(top)),
        signatures=tuple(_signature(specs, values)),
        variables=tuple(_weights(specs, values)),
    )


def _release(version: Any) -> str | None:
    return version if isinstance(version, str) else None


def _major(version: Any) -> int | None:
    """Return the major version of the schema: an object since 2.2, a number before."""
    found = version.get("major") if isinstance(version, dict) else version
    return found if type(found) is int else None


def _member(owner: Any, key: str) -> Json:
    found = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(found, dict):
        return found
    raise ValueError(f"it has no `{key}`")


def _mapping(found: Any) -> Json:
    return found if isinstance(found, dict) else {}


def _list(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _graphs(top: Json) -> Iterator[Graph]:
    """Yield the graph of a program, and those that its nodes are given, under their names."""
    waiting = [("", top)]
    while waiting:
        name, graph = waiting.pop()
        nodes = graph.get("nodes")
        if not isinstance(nodes, list) or not all(isinstance(each, dict) for each in nodes):
            raise ValueError("a graph has no `nodes`")
        yield Graph(name=name, nodes=Nodes(nodes, _node, _op), state=_statement(_mapping(graph.get("tensor_values"))))
        inner = [found for node in nodes for _, arg in _arguments(node) if (found := arg.get("as_graph")) is not None]
        within = f"{name}/" if name else ""
        named = ((f"{within}{_text(each, 'name')[:_LONGEST_NAME]}", each) for each in reversed(inner))
        waiting += ((label, _member(each, "graph")) for label, each in named)


def _statement(values: Json) -> Callable[[], dict[str, Tensor]]:
    return lambda: {name: _tensor(name, values) for name in values}


def _op(node: Json) -> str:
    """Return the name of an op: torch.ops.aten.add.Tensor is aten::add.Tensor, and `default` is no overload."""
    target = str(node.get("target", "?"))
    if not target.startswith(_OPS):
        return target
    namespace, _, name = target.removeprefix(_OPS).partition(".")
    return f"{namespace}::{name.removesuffix('.default')}"


def _arguments(node: Json) -> list[tuple[str, Json]]:
    """Return the arguments of a node: the name of each, and what is given."""
    found = [each for each in _list(node.get("inputs")) if isinstance(each, dict)]
    return [(_text(each, "name"), _mapping(each.get("arg"))) for each in found]


def _node(node: Json, place: int) -> Node:
    op = _op(node)
    inputs, attrs = [], {}
    for name, arg in _arguments(node):
        tensors = _tensors(arg)
        if tensors is None:
            attrs[name] = _value(arg)
        else:
            inputs.append((name, tensors))
    given = (_tensors(each) or () for each in _list(node.get("outputs")) if isinstance(each, dict))
    outputs = tuple(name for names in given for name in names)
    return Node(
        name=_text(node, "name") or next(iter(outputs), f"{op}#{place}"),
        op=op,
        inputs=tuple(inputs),
        outputs=(("", outputs),),
        attrs=attrs,
    )


def _text(owner: Any, key: str) -> str:
    found = owner.get(key) if isinstance(owner, dict) else None
    return found if isinstance(found, str) else ""


def _tensors(arg: Json) -> tuple[str, ...] | None:
    """Return the names of what an argument is, where it is something that a node gives; None for a value."""
    for kind in _NAMED:
        if isinstance(arg.get(kind), dict):
            return (_name(arg[kind]),)
    for kind in _LISTS:
        if kind in arg:
            return tuple(map(_name, _list(arg[kind])))
    return None


def _name(found: Any) -> str:
    """Return the name of a value: it has one itself, or as a symbol, or as an optional tensor."""
    return _text(found, "name") or _text(found, "as_name") or _text(_mapping(found).get("as_tensor"), "name")


def _value(arg: Json) -> Any:
    """Return the value of an argument; of a graph, its name."""
    kind, value = next(iter(arg.items()), ("", None))
    return {"graph": _text(value, "name")} if kind == "as_graph" else value


def _specs(specs: Json, side: str) -> Iterator[tuple[str, Json]]:
    """Yield the kind of each input or output, and what is said of it."""
    for each in _list(specs.get(side)):
        if isinstance(each, dict):
            yield from ((kind, said) for kind, said in each.items() if isinstance(said, dict))


def _weights(specs: Json, values: Json) -> Iterator[Tensor]:
    for kind, said in _specs(specs, "input_specs"):
        if kind in _WEIGHTS:
            yield _tensor(_text(said.get("arg"), "name"), values, _text(said, _WEIGHTS[kind]))


def _signature(specs: Json, values: Json) -> Iterator[Signature]:
    inputs, outputs = (
        {name: _tensor(name, values) for name in _user(specs, f"{side}_specs", f"user_{side}")}
        for side in ("input", "output")
    )
    if inputs or outputs:
        yield Signature(key="", inputs=inputs, outputs=outputs)


def _user(specs: Json, side: str, wanted: str) -> Sequence[str]:
    found = (_tensors(_mapping(said.get("arg"))) for kind, said in _specs(specs, side) if kind == wanted)
    return [name for names in found if names for name in names]


def _tensor(name: str, values: Mapping[str, Any], called: str = "") -> Tensor:
    said = _mapping(values.get(name))
    code = said.get("dtype")
    sizes = said.get("sizes")
    return Tensor(
        name=called or name,
        dtype=_TYPES.get(code, str(code)) if type(code) is int else None,
        shape=tuple(map(_size, sizes)) if isinstance(sizes, list) else None,
        code=code if type(code) is int else None,
    )


def _size(size: Any) -> int:
    """Return a size: -1 for one that is not fixed."""
    found = _mapping(size).get("as_int")
    return found if type(found) is int else -1
