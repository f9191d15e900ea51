"""The nodes that the predictor refuses, or cannot run, as it fuses them with what reads their output."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.alignment import AXIS, OPS, aligns_at_ends, fuses
from opspec_lint.frameworks.paddle.saved.programs.fusing import ACTIVATED, ACTIVATIONS, Fusing
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, text
from opspec_lint.frameworks.paddle.saved.programs.wiring import Wiring, argument
from opspec_lint.models.fault import op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_ELEMENTWISE = frozenset(each.encode() for each in OPS)
_FUSED_TYPES = ("float32", "bfloat16")
_UNFUSED_TYPES = ("float64", "int32", "int64")
"""The types of elements that are known to have no kernel of oneDNN."""
_PREFIX = "fused_"


def faults(program: Any, spec: Spec) -> Iterator[Fact]:
    """Yield the nodes of a program that the predictor of a release refuses, or cannot run."""
    if fuses(spec):
        yield from _FusedNodes(program.blocks[0], spec).faults()


class _FusedNodes:
    """The nodes of a program's main block that may be fused."""

    def __init__(self, block: Any, spec: Spec) -> None:
        self._block = block
        self._looks_at_axis = not aligns_at_ends(spec)
        known = {op: _PREFIX + op in spec.ops for op in map(text, ACTIVATED | _ELEMENTWISE)}
        self._lacks = {op for op, is_known in known.items() if not is_known and any(known.values())}
        self._tensors = {each.name: each.type.lod_tensor.tensor for each in block.vars}
        self._fusing: Fusing | None = None

    def faults(self) -> Iterator[Fact]:
        for place, node in enumerate(self._block.ops):
            if node.type in ACTIVATED or node.type in _ELEMENTWISE:
                for fault in self._of_node(place, node):
                    yield fault.replace(node=f"{text(node.type)}#{place}")

    def _of_node(self, place: int, node: Any) -> Iterator[Fact]:
        tensor = self._tensor(node, b"X")
        kind = "" if tensor is None else VAR_TYPES.get(tensor.data_type, "")
        if kind in _UNFUSED_TYPES and node.type in ACTIVATED:
            yield from self._refused(place, node, f"oneDNN has no kernel of {kind} for it")
        elif kind in _FUSED_TYPES and text(node.type) in self._lacks:
            yield from self._refused(place, node, f"the release has no op '{_PREFIX}{text(node.type)}'")
        elif kind in _FUSED_TYPES and node.type in _ELEMENTWISE and not self._looks_at_axis:
            yield from self._misaligned(place, node)

    def _refused(self, place: int, node: Any, problem: str) -> Iterator[Fact]:
        op, reader = text(node.type), self._reader(place)
        if reader.encode() in ACTIVATIONS:
            yield op_fault("model_fusion_refused", op, "refused", "fusion", name=reader, reader=reader, problem=problem)

    def _misaligned(self, place: int, node: Any) -> Iterator[Fact]:
        axis = attrs.read(node.attrs).get(AXIS)
        x, y = (self._tensor(node, each) for each in (b"X", b"Y"))
        if axis is None or x is None or y is None or _fit(x.dims, y.dims, axis.value):
            return
        reader = self._reader(place)
        if reader:
            yield op_fault(
                "model_broadcast_changed",
                text(node.type),
                "fails_at_run",
                "shape",
                kind="attr",
                name=AXIS,
                axis=axis.value,
                x=list(x.dims),
                y=list(y.dims),
                reader=reader,
            ).replace(old=axis.value)

    def _tensor(self, node: Any, parameter: bytes) -> Any:
        return self._tensors.get(argument(node.inputs, parameter) or b"")

    def _reader(self, place: int) -> str:
        if self._fusing is None:
            self._fusing = Fusing(Wiring(self._block))
        return self._fusing.fused_with(place)


def _fit(x: Sequence[int], y: Sequence[int], axis: Any) -> bool:
    """Tell whether two shapes that are aligned at an axis can be aligned at their ends.

    A size that is not fixed is none that is known to fit.
    """
    if axis in (-1, abs(len(x) - len(y))):
        return True
    return all(1 in pair or (pair[0] == pair[1] != -1) for pair in zip(x[::-1], y[::-1], strict=False))
