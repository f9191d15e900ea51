"""The elementwise nodes that the predictor fuses with their reader, and that do not run any more then."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs import attrs
from opspec_lint.frameworks.paddle.programs.alignment import AXIS, OPS, aligns_at_ends, fuses
from opspec_lint.frameworks.paddle.programs.fusing import ACTIVATED, ACTIVATIONS, Fusing
from opspec_lint.frameworks.paddle.programs.messages import VAR_TYPES, text
from opspec_lint.frameworks.paddle.programs.wiring import Wiring, argument
from opspec_lint.models.fault import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.spec.model import Spec

_NAMES = frozenset(each.encode() for each in OPS)
_FUSED_TYPES = ("float32", "bfloat16")
_UNFUSED_TYPES = ("float64", "int32", "int64")
"""The types of elements that are known to have no kernel of oneDNN."""


def faults(program: Any, spec: Spec) -> Iterator[Fault]:
    """Yield the nodes that the predictor of a release refuses, or cannot run, as it fuses them."""
    if not fuses(spec):
        return
    block = program.blocks[0]
    nodes = _Nodes(block, looks_at_axis=not aligns_at_ends(spec))
    for place, node in enumerate(block.ops):
        if node.type in _NAMES:
            yield from nodes.faults(place, node)


class _Nodes:
    """The elementwise nodes of a block."""

    def __init__(self, block: Any, *, looks_at_axis: bool) -> None:
        self._block = block
        self._looks_at_axis = looks_at_axis
        self._tensors = {each.name: each.type.lod_tensor.tensor for each in block.vars}
        self._fusing: Fusing | None = None

    def faults(self, place: int, node: Any) -> Iterator[Fault]:
        """Yield what is wrong with a node."""
        x, y = (self._tensors.get(argument(node.inputs, each) or b"") for each in (b"X", b"Y"))
        if x is None or y is None:
            return
        kind = VAR_TYPES.get(x.data_type, "")
        if kind in _UNFUSED_TYPES and node.type in ACTIVATED:
            yield from self._unfused(place, node, kind)
        elif kind in _FUSED_TYPES and not self._looks_at_axis:
            yield from self._misaligned(place, node, list(x.dims), list(y.dims))

    def _unfused(self, place: int, node: Any, kind: str) -> Iterator[Fault]:
        reader = self._reader(place)
        if reader.encode() in ACTIVATIONS:
            facts = {"reader": reader, "type": kind}
            yield Fault(
                event="model_fusion_refused",
                kind="op",
                op=text(node.type),
                name=reader,
                effect="refused",
                reason="fusion",
                node=f"{text(node.type)}#{place}",
                facts=facts,
            )

    def _misaligned(self, place: int, node: Any, x: list[int], y: list[int]) -> Iterator[Fault]:
        axis = attrs.read(node.attrs).get(AXIS)
        if axis is None or axis.value in (-1, abs(len(x) - len(y))) or _fit_at_ends(x, y):
            return
        reader = self._reader(place)
        if reader:
            yield Fault(
                event="model_broadcast_changed",
                kind="attr",
                op=text(node.type),
                name=AXIS,
                effect="fails_at_run",
                reason="shape",
                node=f"{text(node.type)}#{place}",
                facts={"axis": axis.value, "x": x, "y": y, "reader": reader},
                old=axis.value,
            )

    def _reader(self, place: int) -> str:
        if self._fusing is None:
            self._fusing = Fusing(Wiring(self._block))
        return self._fusing.fused_with(place)


def _fit_at_ends(x: Sequence[int], y: Sequence[int]) -> bool:
    """Tell whether two shapes can be aligned at their ends; a size that is not fixed is none that is known to fit."""
    return all(1 in pair or (pair[0] == pair[1] != -1) for pair in zip(x[::-1], y[::-1], strict=False))
