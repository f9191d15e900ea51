"""What is to be said of a PIR program, in the words of the model that all frameworks share."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import program
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.frameworks.paddle.saved.pir.program import Block, Json, Type

_FED = ("pd_op.data", "pd_op.feed")
_FETCHED = "pd_op.fetch"


def of_program(header: Json, blocks: Sequence[Block]) -> MetaGraph:
    """The description of a program.

    Args:
        header: its `base_code`, empty where it has none.
        blocks: its blocks, that of the program first.
    """
    version = header.get("version")
    top = blocks[0].ops
    return MetaGraph(
        producer=version if type(version) is int else None,
        graphs=tuple(_graph(blocks, place) for place in range(len(blocks))),
        signatures=tuple(_signatures(top)),
        variables=tuple(_parameter(op) for op in top if program.op_name(op) == program.PARAMETER),
    )


def _graph(blocks: Sequence[Block], place: int) -> Graph:
    """Return a block; the first one states the values of all, as each has a number of its own."""
    nodes = Nodes(blocks[place].ops, _node, program.op_name)
    if place:
        return Graph(name=blocks[place].name, nodes=nodes, within=0)
    return Graph(name=blocks[place].name, nodes=nodes, state=lambda: _stated(blocks))


def _stated(blocks: Sequence[Block]) -> dict[str, Tensor]:
    """Return all values by what nodes call them; that of a parameter has the name of the parameter."""
    ops = [op for block in blocks for op in block.ops]
    found = {value: Tensor(name=value, dtype=dtype, shape=shape) for value, (dtype, shape) in _types(ops).items()}
    parameters = (op for op in ops if program.op_name(op) == program.PARAMETER)
    return found | {value: _parameter(op) for op in parameters for value in program.outputs(op)}


def _types(ops: Iterable[Json]) -> dict[str, Type]:
    """Return dtype and shape of the values that ops give, by their names."""
    return {value: kind for op in ops for value, kind in zip(program.outputs(op), program.types(op), strict=False)}


def _node(op: Json, place: int) -> Node:
    name = program.op_name(op)
    return Node(
        name=f"{name}#{place}",
        op=name,
        inputs=(("", program.inputs(op)),),
        outputs=(("", program.outputs(op)),),
        attrs=program.attrs(op),
    )


def _parameter(op: Json) -> Tensor:
    (dtype, shape) = next(iter(program.types(op)), (None, None))
    return Tensor(name=program.parameter_name(op) or "?", dtype=dtype, shape=shape)


def _signatures(ops: Sequence[Json]) -> list[Signature]:
    """Return the one signature of a program for inference: what its data and fetch ops name."""
    types = _types(ops)
    fed = {_name(op): _tensor(op, program.outputs(op), types) for op in ops if program.op_name(op) in _FED}
    fetched = {_name(op): _tensor(op, program.inputs(op), types) for op in ops if program.op_name(op) == _FETCHED}
    return [Signature(key="", inputs=fed, outputs=fetched)] if fed or fetched else []


def _tensor(op: Json, values: Sequence[str], types: Mapping[str, Type]) -> Tensor:
    dtype, shape = types.get(values[0], (None, None)) if values else (None, None)
    return Tensor(name=_name(op), dtype=dtype, shape=shape)


def _name(op: Json) -> str:
    return str(program.attrs(op).get("name", "?"))
