"""The nodes that the predictor of Paddle 3 runs by another rule of broadcasting than the release that saved them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs import attrs
from opspec_lint.frameworks.paddle.programs.alignment import AXIS, OP, aligns_at_ends
from opspec_lint.frameworks.paddle.programs.messages import text
from opspec_lint.models.fault import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.spec.model import Spec


def faults(program: Any, spec: Spec) -> Iterator[Fault]:
    """Yield the nodes that mean something else under the predictor of a release, or do not run."""
    if not aligns_at_ends(spec):
        return
    for block in program.blocks:
        shapes = {each.name: tuple(each.type.lod_tensor.tensor.dims) for each in block.vars}
        for place, node in enumerate(block.ops):
            if node.type == OP.encode():
                yield from _faults(node, shapes, f"{text(node.type)}#{place}")


def _faults(node: Any, shapes: dict[bytes, tuple[int, ...]], name: str) -> Iterator[Fault]:
    axis = attrs.read(node.attrs).get(AXIS)
    given = {each.parameter: shapes.get(each.arguments[0]) for each in node.inputs if each.arguments}
    x, y = given.get(b"X"), given.get(b"Y")
    if axis is None or x is None or y is None or not isinstance(axis.value, int):
        return
    if axis.value == -1 or axis.value == len(x) - len(y) or len(y) >= len(x):
        return
    fits = all(1 in pair or -1 in pair or pair[0] == pair[1] for pair in zip(x[::-1], y[::-1], strict=False))
    yield Fault(
        event="model_broadcast_changed",
        kind="attr",
        op=text(node.type),
        name=AXIS,
        effect="changed" if fits else "fails_at_run",
        reason=None if fits else "shape",
        node=name,
        facts={"axis": axis.value, "x": list(x), "y": list(y)},
        old=axis.value,
    )
