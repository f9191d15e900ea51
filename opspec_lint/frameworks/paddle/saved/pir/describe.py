"""The description of a PIR program in the model of all frameworks: graphs, nodes, signatures."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import program
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from opspec_lint.frameworks.paddle.saved.pir.program import Block, Json, Type

_INPUT_OPS = ("pd_op.data", "pd_op.feed")
_OUTPUT_OP = "pd_op.fetch"


def describe_program(header: Json, blocks: Sequence[Block]) -> MetaGraph:
    """Return the description of a program; the first block is the program's own."""
    version = header.get("version")
    top = blocks[0].ops
    return MetaGraph(
        producer=version if type(version) is int else None,
        graphs=tuple(_graph(blocks, index) for index in range(len(blocks))),
        signatures=tuple(_signatures(top)),
        variables=tuple(_parameter(op) for op in top if program.op_name(op) == program.PARAMETER),
    )


def _graph(blocks: Sequence[Block], index: int) -> Graph:
    """Return a block as a graph; the first one has the values of all blocks, since values are numbered across them."""
    nodes = Nodes(blocks[index].ops, _node, program.op_name)
    if index:
        # An outer block may be the program's second one, whose values are with those of the first one too.
        return Graph(
            name=blocks[index].name, nodes=nodes, within=blocks[index].within or 0, holder=blocks[index].holder
        )
    return Graph(name=blocks[index].name, nodes=nodes, state=lambda: _values_by_name(blocks))


def _values_by_name(blocks: Sequence[Block]) -> dict[str, Tensor]:
    """Return all values by the names that nodes use; the value of a parameter has the parameter's name."""
    ops = [op for block in blocks for op in block.ops]
    tensors = {
        value: Tensor(name=value, dtype=dtype, shape=shape) for value, (dtype, shape) in _value_types(ops).items()
    }
    parameters = (op for op in ops if program.op_name(op) == program.PARAMETER)
    return tensors | {value: _parameter(op) for op in parameters for value in program.outputs(op)}


def _value_types(ops: Iterable[Json]) -> dict[str, Type]:
    """Return dtype and shape of the values that ops return, by name."""
    return {value: kind for op in ops for value, kind in zip(program.outputs(op), program.types(op), strict=False)}


def _node(op: Json, index: int) -> Node:
    """Return an op as a node; its number makes its name unique in the block."""
    name = program.op_name(op)
    return Node(
        name=f"{name}#{index}",
        op=name,
        inputs=(("", program.inputs(op)),),
        outputs=(("", program.outputs(op)),),
        attrs=program.attrs(op),
    )


def _parameter(op: Json) -> Tensor:
    """Return a parameter as a tensor."""
    (dtype, shape) = next(iter(program.types(op)), (None, None))
    return Tensor(name=program.parameter_name(op) or "?", dtype=dtype, shape=shape)


def _signatures(ops: Sequence[Json]) -> list[Signature]:
    """Return the only signature of a program for inference, from its data and fetch ops."""
    types = _value_types(ops)
    inputs = {_name(op): _tensor(op, program.outputs(op), types) for op in ops if program.op_name(op) in _INPUT_OPS}
    outputs = {_name(op): _tensor(op, program.inputs(op), types) for op in ops if program.op_name(op) == _OUTPUT_OP}
    return [Signature(key="", inputs=inputs, outputs=outputs)] if inputs or outputs else []


def _tensor(op: Json, values: Sequence[str], types: Mapping[str, Type]) -> Tensor:
    """Return the input or output that an op feeds or fetches."""
    dtype, shape = types.get(values[0], (None, None)) if values else (None, None)
    return Tensor(name=_name(op), dtype=dtype, shape=shape)


def _name(op: Json) -> str:
    """Return the name of an input or output."""
    return str(program.attrs(op).get("name", "?"))
