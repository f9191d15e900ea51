"""The check of nodes that the predictor refuses, or cannot run, because it fuses them with a reader of their output."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.alignment import AXIS, OPS, aligns_at_ends, fuses
from opspec_lint.frameworks.paddle.saved.programs.fusing import ACTIVATION_FUSED, ACTIVATIONS, Fusing
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, text
from opspec_lint.frameworks.paddle.saved.programs.wiring import Wiring, first_argument
from opspec_lint.models.fault import op_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_ELEMENTWISE_OPS = frozenset(op.encode() for op in OPS)
_FUSED_TYPES = ("float32", "bfloat16")
_UNFUSED_TYPES = ("float64", "int32", "int64")
"""The element types that are known to have no oneDNN kernel."""
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
        fusable = {text(op) for op in ACTIVATION_FUSED | _ELEMENTWISE_OPS}
        missing = {op for op in fusable if _PREFIX + op not in spec.ops}
        # A spec without any fused op does not state them: whether the release has them is unknown.
        self._missing_ops = missing if missing != fusable else set()
        self._tensors = {variable.name: variable.type.lod_tensor.tensor for variable in block.vars}
        self._fusing: Fusing | None = None

    def faults(self) -> Iterator[Fact]:
        """Yield the faults of all nodes."""
        for index, node in enumerate(self._block.ops):
            if node.type in ACTIVATION_FUSED or node.type in _ELEMENTWISE_OPS:
                for fault in self._node_faults(index, node):
                    yield fault.replace(node=f"{text(node.type)}#{index}")

    def _node_faults(self, index: int, node: Any) -> Iterator[Fact]:
        """Yield the faults of a node."""
        tensor = self._tensor(node, b"X")
        element_type = "" if tensor is None else VAR_TYPES.get(tensor.data_type, "")
        if element_type in _UNFUSED_TYPES and node.type in ACTIVATION_FUSED:
            yield from self._refusals(index, node, f"oneDNN has no kernel of {element_type} for it")
        elif element_type in _FUSED_TYPES and text(node.type) in self._missing_ops:
            yield from self._refusals(index, node, f"the release has no op '{_PREFIX}{text(node.type)}'")
        elif element_type in _FUSED_TYPES and node.type in _ELEMENTWISE_OPS and not self._looks_at_axis:
            yield from self._alignment_faults(index, node)

    def _refusals(self, index: int, node: Any, problem: str) -> Iterator[Fact]:
        """Yield the refusal of a node that is fused with an activation."""
        op, reader = text(node.type), self._reader(index)
        if reader.encode() in ACTIVATIONS:
            yield op_fault("model_fusion_refused", op, "refused", "fusion", name=reader, reader=reader, problem=problem)

    def _alignment_faults(self, index: int, node: Any) -> Iterator[Fact]:
        """Yield the fault of a node whose shapes cannot be aligned at their ends."""
        axis = attrs.read(node.attrs).get(AXIS)
        x, y = (self._tensor(node, parameter) for parameter in (b"X", b"Y"))
        if axis is None or x is None or y is None or _fit_at_ends(x.dims, y.dims, axis.value):
            return
        reader = self._reader(index)
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
        """Return the tensor of an input; None if it is unknown."""
        return self._tensors.get(first_argument(node.inputs, parameter) or b"")

    def _reader(self, index: int) -> str:
        """Return the op that a node is fused with; "" if it is not."""
        if self._fusing is None:
            self._fusing = Fusing(Wiring(self._block))
        return self._fusing.fused_with(index)


def _fit_at_ends(x: Sequence[int], y: Sequence[int], axis: Any) -> bool:
    """Return whether two shapes that are aligned at an axis can also be aligned at their ends.

    A size of -1 is not known to fit.
    """
    if axis in (-1, abs(len(x) - len(y))):
        return True
    from_end = zip(reversed(x), reversed(y), strict=False)
    return all(1 in (first, second) or (first == second and first != -1) for first, second in from_end)
