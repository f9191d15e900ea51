"""The description of a program in the model of all frameworks: graphs, nodes, signatures."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, text
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Sketch, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SKIPPED = ("feed", "fetch")
"""Variables that only hold inputs and outputs."""


def _nodes(nodes: Sequence[Any]) -> Nodes:
    """Return the nodes of a block, decoded when they are read."""
    return Nodes(nodes, _node, _op, _Sketches().sketch)


class _Sketches:
    """The sketches of the nodes of a block. Attrs are only decoded for ops that have attrs with blocks."""

    def __init__(self) -> None:
        self._has_blocks: dict[bytes, bool] = {}

    def sketch(self, node: Any, index: int) -> Sketch:
        """Return the sketch of a node: its name, values, and the blocks that it calls."""
        return Sketch(
            name=_name(node, index),
            takes=tuple(name for _, names in _arguments(node.inputs) for name in names),
            gives=tuple(name for _, names in _arguments(node.outputs) for name in names),
            calls=self._called_blocks(node) if self._has_blocks.get(node.type, True) else (),
        )

    def _called_blocks(self, node: Any) -> tuple[str, ...]:
        """Return the blocks that a node calls."""
        values = (attr.value for attr in attrs.read(node.attrs).values() if attr.type in attrs.BLOCKS)
        indexes = [index for value in values for index in (value if isinstance(value, tuple | list) else (value,))]
        self._has_blocks.setdefault(node.type, bool(indexes))
        return tuple(f"block {index}" for index in indexes)


def _name(node: Any, index: int) -> str:
    """Return the name of a node, which its index makes unique."""
    return f"{text(node.type)}#{index}"


def _op(node: Any) -> str:
    """Return the op of a node."""
    return text(node.type)


def _node(node: Any, index: int) -> Node:
    """Return an OpDesc as a node."""
    return Node(
        name=_name(node, index),
        op=text(node.type),
        inputs=_arguments(node.inputs),
        outputs=_arguments(node.outputs),
        attrs={name: attr.value for name, attr in attrs.read(node.attrs).items()},
    )


def _arguments(parameters: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each parameter with its arguments."""
    return tuple((text(parameter.parameter), tuple(map(text, parameter.arguments))) for parameter in parameters)


def describe_program(program: Any) -> MetaGraph:
    """Return the description of a ProgramDesc."""
    blocks = program.blocks
    return MetaGraph(
        written_by=_release(program.version.version),
        graphs=tuple(_graph(block, index) for index, block in enumerate(blocks)),
        signatures=tuple(_signatures(blocks[0])) if blocks else (),
        variables=tuple(
            _tensor(variable)
            for block in blocks
            for variable in block.vars
            if variable.persistable and text(variable.name) not in _SKIPPED
        ),
        op_versions={text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair},
    )


def _graph(block: Any, index: int) -> Graph:
    """Return a block as a graph."""
    return Graph(
        name="" if not index else f"block {block.idx}",
        nodes=_nodes(block.ops),
        within=block.parent_idx if 0 <= block.parent_idx < index else None,
        state=lambda: {tensor.name: tensor for tensor in map(_tensor, block.vars)},
    )


def _release(version: int) -> str | None:
    """Return the release for a version: 2.6.2 for 2006002; None for 0, which development builds write."""
    if version <= 0:
        return None
    return f"{version // 1_000_000}.{version // 1000 % 1000}.{version % 1000}"


def _tensor(variable: Any) -> Tensor:
    """Return a variable as a tensor."""
    var_type = variable.type
    tensor_desc = var_type.lod_tensor.tensor if var_type.HasField("lod_tensor") else var_type.selected_rows
    if not var_type.HasField("lod_tensor") and not var_type.HasField("selected_rows"):
        return Tensor(name=text(variable.name), dtype=VAR_TYPES.get(var_type.type, str(var_type.type)))
    dtype = VAR_TYPES.get(tensor_desc.data_type, str(tensor_desc.data_type))
    return Tensor(name=text(variable.name), dtype=dtype, shape=tuple(tensor_desc.dims), code=tensor_desc.data_type)


def _signatures(block: Any) -> list[Signature]:
    """Return the only signature of a program for inference, from its feed and fetch nodes."""
    variables = {variable.name: variable for variable in block.vars}
    inputs: dict[str, Tensor] = {}
    outputs: dict[str, Tensor] = {}
    for node in block.ops:
        # A feed node writes an input of the program, a fetch node reads an output.
        if node.type == b"feed":
            parameters, tensors = node.outputs, inputs
        elif node.type == b"fetch":
            parameters, tensors = node.inputs, outputs
        else:
            continue
        for name in (name for parameter in parameters for name in parameter.arguments):
            tensors[text(name)] = _tensor(variables[name]) if name in variables else Tensor(name=text(name))
    return [Signature(key="", inputs=inputs, outputs=outputs)] if inputs or outputs else []
