"""The JSON of a program of torch.export, converted to the graphs and tensors that all frameworks share.

The fields are those that torch/_export/serde/schema.py defines. Stack traces, with source lines and paths of the
author, are not read.
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
"""The dtypes by their number in `ScalarType` of torch.export, which differs from that of ATen."""
_WEIGHTS = {"parameter": "parameter_name", "buffer": "buffer_name", "tensor_constant": "tensor_constant_name"}
"""The kinds of inputs that are weights, and the field with the name of each."""
_LONGEST_NAME = 100
"""Characters of the name of a graph in a node, which the names of all graphs within it begin with."""
_SINGLE = ("as_tensor", "as_sym_int", "as_sym_float", "as_sym_bool", "as_custom_obj")
_LISTS = ("as_tensors", "as_optional_tensors", "as_sym_ints", "as_sym_bools", "as_sym_floats")


def describe_program(document: Any, tags: tuple[str, ...]) -> MetaGraph:
    """Return the graphs, signatures and weights of a program.

    Raises:
        ValueError: the document is no program; the message says why.
    """
    module = _get_object(document, "graph_module")
    top = _get_object(module, "graph")
    values = _as_object(top.get("tensor_values"))
    specs = _as_object(module.get("signature"))
    return MetaGraph(
        tags=tags,
        written_by=_torch_version(document.get("torch_version")),
        producer=_schema_major(document.get("schema_version")),
        opsets={
            name: number for name, number in _as_object(document.get("opset_version")).items() if type(number) is int
        },
        graphs=tuple(_walk_graphs(top)),
        signatures=tuple(_signature(specs, values)),
        variables=tuple(_weights(specs, values)),
    )


def _torch_version(version: Any) -> str | None:
    return version if isinstance(version, str) else None


def _schema_major(version: Any) -> int | None:
    """Return the major version of the format, which is an object since 2.2, and was a number before."""
    major = version.get("major") if isinstance(version, dict) else version
    # Not `isinstance`, for which the `true` of JSON is a number as well.
    return major if type(major) is int else None


def _get_object(owner: Any, key: str) -> Json:
    """Return the JSON object in a field; raise ValueError if there is none."""
    value = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(value, dict):
        return value
    raise ValueError(f"it has no `{key}`")


def _as_object(value: Any) -> Json:
    """Return a JSON object, an empty one for any other value: a file may have anything in any place."""
    return value if isinstance(value, dict) else {}


def _as_list(value: Any) -> list[Any]:
    """Return a JSON list, an empty one for any other value."""
    return value if isinstance(value, list) else []


def _walk_graphs(top: Json) -> Iterator[Graph]:
    """Yield the graph of a program, and the graphs that are arguments of nodes, such as the branches of `cond`."""
    waiting: list[tuple[str, Json, int | None, int | None]] = [("", top, None, None)]
    index = 0
    while waiting:
        name, graph, around, holder = waiting.pop()
        nodes = graph.get("nodes")
        if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
            raise ValueError("a graph has no `nodes`")
        yield Graph(
            name=name,
            nodes=Nodes(nodes, _node, _op_name),
            within=around,
            holder=holder,
            state=_lazy_tensors(_as_object(graph.get("tensor_values"))),
        )
        inner = [
            (subgraph, at)
            for at, node in enumerate(nodes)
            for _, arg in _arguments(node)
            if (subgraph := arg.get("as_graph")) is not None
        ]
        within = f"{name}/" if name else ""
        # Reversed, as the last one is taken from the stack first: graphs keep the order of their nodes.
        waiting += (
            (f"{within}{_get_text(subgraph, 'name')[:_LONGEST_NAME]}", _get_object(subgraph, "graph"), index, at)
            for subgraph, at in reversed(inner)
        )
        index += 1


def _lazy_tensors(values: Json) -> Callable[[], dict[str, Tensor]]:
    """Return a function that reads the tensors of a graph, for a graph may have thousands."""
    return lambda: {name: _tensor(name, values) for name in values}


def _op_name(node: Json) -> str:
    """Return the name of the op of a node: `aten::add.Tensor` for `torch.ops.aten.add.Tensor`, without `.default`."""
    target = str(node.get("target", "?"))
    if not target.startswith(_OPS):
        return target
    namespace, _, name = target.removeprefix(_OPS).partition(".")
    # In `torch.ops`, `default` is the overload that has no name in a schema.
    return f"{namespace}::{name.removesuffix('.default')}"


def _arguments(node: Json) -> list[tuple[str, Json]]:
    """Return the arguments of a node, each with its name."""
    inputs = [item for item in _as_list(node.get("inputs")) if isinstance(item, dict)]
    return [(_get_text(item, "name"), _as_object(item.get("arg"))) for item in inputs]


def _node(node: Json, place: int) -> Node:
    """Return the node of a record; a node without a name is called by its first output."""
    op = _op_name(node)
    inputs, attrs = [], {}
    for name, arg in _arguments(node):
        tensors = _tensor_names(arg)
        if tensors is None:
            attrs[name] = _attr_value(arg)
        else:
            inputs.append((name, tensors))
    output_names = (_tensor_names(output) or () for output in _as_list(node.get("outputs")) if isinstance(output, dict))
    outputs = tuple(name for names in output_names for name in names)
    return Node(
        name=_get_text(node, "name") or next(iter(outputs), f"{op}#{place}"),
        op=op,
        inputs=tuple(inputs),
        outputs=(("", outputs),),
        attrs=attrs,
    )


def _get_text(owner: Any, key: str) -> str:
    """Return the text in a field, "" if there is none."""
    value = owner.get(key) if isinstance(owner, dict) else None
    return value if isinstance(value, str) else ""


def _tensor_names(arg: Json) -> tuple[str, ...] | None:
    """Return the names of the tensors or symbols that an argument refers to, None for a constant."""
    for kind in _SINGLE:
        if isinstance(arg.get(kind), dict):
            return (_value_name(arg[kind]),)
    for kind in _LISTS:
        if kind in arg:
            return tuple(map(_value_name, _as_list(arg[kind])))
    return None


def _value_name(value: Any) -> str:
    """Return the name of a tensor, of a symbol (`as_name`), or of an optional tensor (`as_tensor`)."""
    return (
        _get_text(value, "name") or _get_text(value, "as_name") or _get_text(_as_object(value).get("as_tensor"), "name")
    )


def _attr_value(arg: Json) -> Any:
    """Return the value of a constant argument, or the name of a graph."""
    kind, value = next(iter(arg.items()), ("", None))
    return {"graph": _get_text(value, "name")} if kind == "as_graph" else value


def _iterate_specs(specs: Json, side: str) -> Iterator[tuple[str, Json]]:
    """Yield the inputs or outputs of a program, each as its kind and its fields."""
    for spec in _as_list(specs.get(side)):
        if isinstance(spec, dict):
            yield from ((kind, fields) for kind, fields in spec.items() if isinstance(fields, dict))


def _weights(specs: Json, values: Json) -> Iterator[Tensor]:
    """Yield the parameters, buffers and constants of a program."""
    for kind, fields in _iterate_specs(specs, "input_specs"):
        if kind in _WEIGHTS:
            yield _tensor(_get_text(fields.get("arg"), "name"), values, _get_text(fields, _WEIGHTS[kind]))


def _signature(specs: Json, values: Json) -> Iterator[Signature]:
    """Yield the signature of a program, if it has inputs or outputs of its caller."""
    inputs, outputs = (
        {name: _tensor(name, values) for name in _user_tensors(specs, f"{side}_specs", f"user_{side}")}
        for side in ("input", "output")
    )
    if inputs or outputs:
        yield Signature(key="", inputs=inputs, outputs=outputs)


def _user_tensors(specs: Json, side: str, kind: str) -> Sequence[str]:
    """Return the names of the inputs or outputs of one kind."""
    tensors = (
        _tensor_names(_as_object(fields.get("arg")))
        for spec_kind, fields in _iterate_specs(specs, side)
        if spec_kind == kind
    )
    return [name for names in tensors if names for name in names]


def _tensor(name: str, values: Mapping[str, Any], weight_name: str = "") -> Tensor:
    """Return a tensor with the dtype and shape that the program states."""
    fields = _as_object(values.get(name))
    code = fields.get("dtype")
    sizes = fields.get("sizes")
    return Tensor(
        name=weight_name or name,
        dtype=_TYPES.get(code, str(code)) if type(code) is int else None,
        shape=tuple(map(_dimension, sizes)) if isinstance(sizes, list) else None,
        code=code if type(code) is int else None,
    )


def _dimension(size: Any) -> int:
    """Return a dimension of a shape, -1 for a symbolic one."""
    number = _as_object(size).get("as_int")
    return number if type(number) is int else -1
