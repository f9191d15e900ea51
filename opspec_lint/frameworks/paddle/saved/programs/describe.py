"""What is to be said of a program, in the words of the model that all frameworks share."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, text
from opspec_lint.models.model import Graph, MetaGraph, Node, Nodes, Signature, Sketch, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_SKIPPED = ("feed", "fetch")
"""The variables that only carry what is fed and fetched."""


def _nodes(found: Sequence[Any]) -> Nodes:
    return Nodes(found, _node, _op, _Sketches().sketch)


class _Sketches:
    """The sketches of the nodes of a block. Attrs are read of ops only that have any whose value is a block."""

    def __init__(self) -> None:
        self._calls: dict[bytes, bool] = {}

    def sketch(self, node: Any, place: int) -> Sketch:
        return Sketch(
            name=_name(node, place),
            takes=tuple(name for _, names in _arguments(node.inputs) for name in names),
            gives=tuple(name for _, names in _arguments(node.outputs) for name in names),
            calls=self._called(node) if self._calls.get(node.type, True) else (),
        )

    def _called(self, node: Any) -> tuple[str, ...]:
        values = (each.value for each in attrs.read(node.attrs).values() if each.type in attrs.BLOCKS)
        numbers = [each for value in values for each in (value if isinstance(value, tuple | list) else (value,))]
        self._calls.setdefault(node.type, bool(numbers))
        return tuple(f"block {each}" for each in numbers)


def _name(node: Any, place: int) -> str:
    return f"{text(node.type)}#{place}"


def _op(node: Any) -> str:
    return text(node.type)


def _node(node: Any, place: int) -> Node:
    return Node(
        name=_name(node, place),
        op=text(node.type),
        inputs=_arguments(node.inputs),
        outputs=_arguments(node.outputs),
        attrs={name: each.value for name, each in attrs.read(node.attrs).items()},
    )


def _arguments(found: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((text(each.parameter), tuple(map(text, each.arguments))) for each in found)


def of_program(program: Any) -> MetaGraph:
    """The description of a ProgramDesc."""
    blocks = program.blocks
    return MetaGraph(
        written_by=_release(program.version.version),
        graphs=tuple(_graph(each, at) for at, each in enumerate(blocks)),
        signatures=tuple(_signatures(blocks[0])) if blocks else (),
        variables=tuple(
            _tensor(each)
            for block in blocks
            for each in block.vars
            if each.persistable and text(each.name) not in _SKIPPED
        ),
        op_versions={text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair},
    )


def _graph(block: Any, place: int) -> Graph:
    return Graph(
        name="" if not place else f"block {block.idx}",
        nodes=_nodes(block.ops),
        within=block.parent_idx if 0 <= block.parent_idx < place else None,
        state=lambda: {each.name: each for each in map(_tensor, block.vars)},
    )


def _release(version: int) -> str | None:
    """Return the release that a version stands for: 2006002 is 2.6.2; None for 0, which development builds write."""
    if version <= 0:
        return None
    return f"{version // 1_000_000}.{version // 1000 % 1000}.{version % 1000}"


def _tensor(variable: Any) -> Tensor:
    kind = variable.type
    found = kind.lod_tensor.tensor if kind.HasField("lod_tensor") else kind.selected_rows
    if not kind.HasField("lod_tensor") and not kind.HasField("selected_rows"):
        return Tensor(name=text(variable.name), dtype=VAR_TYPES.get(kind.type, str(kind.type)))
    dtype = VAR_TYPES.get(found.data_type, str(found.data_type))
    return Tensor(name=text(variable.name), dtype=dtype, shape=tuple(found.dims), code=found.data_type)


def _signatures(block: Any) -> list[Signature]:
    """Return the one signature of a program for inference: what its feed and fetch nodes name."""
    by_name = {each.name: each for each in block.vars}
    fed = [name for node in block.ops if node.type == b"feed" for each in node.outputs for name in each.arguments]
    fetched = [name for node in block.ops if node.type == b"fetch" for each in node.inputs for name in each.arguments]
    if not fed and not fetched:
        return []
    inputs, outputs = (
        {text(name): _tensor(by_name[name]) if name in by_name else Tensor(name=text(name)) for name in names}
        for names in (fed, fetched)
    )
    return [Signature(key="", inputs=inputs, outputs=outputs)]
