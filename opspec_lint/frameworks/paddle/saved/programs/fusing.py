"""The fusion of ops in the predictor's oneDNN passes.

The rules are from conv_bias_onednn_fuse_pass.cc, elementwise_act_onednn_fuse_pass.cc,
softplus_activation_onednn_fuse_pass.cc, operator_scale_onednn_fuse_pass.cc and operator_unsqueeze2_onednn_fuse_pass.cc.
They apply to the main block, after simplify_with_basic_ops_pass.cc removed dropouts and constants were folded. Measured
with 2.6.2, 3.0.0, 3.1.1, 3.2.2 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.wiring import first_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.wiring import Wiring

ACTIVATIONS = frozenset(
    (
        *(b"abs", b"clip", b"gelu", b"hard_sigmoid", b"hard_swish", b"leaky_relu", b"mish"),
        *(b"relu", b"relu6", b"sigmoid", b"sqrt", b"swish", b"tanh"),
    )
)
ACTIVATION_FUSED = frozenset((b"elementwise_add", b"elementwise_mul", b"elementwise_sub", b"softplus"))
"""The ops that are fused with an activation. Fused with a scale are the same, with `elementwise_div` for `softplus`."""

_ADD, _MUL, _SOFTPLUS = b"elementwise_add", b"elementwise_mul", b"softplus"
_SCALE, _DROPOUT, _UNSQUEEZE = b"scale", b"dropout", b"unsqueeze2"
_CONVOLUTIONS = frozenset((b"conv2d", b"depthwise_conv2d", b"conv2d_transpose"))
_ABSORBED = {b"batch_norm": b"X", b"affine_channel": b"X", _DROPOUT: b"X"}
"""The ops that a convolution absorbs, or that are removed, with the input that holds its result."""
_BIAS_AXES = (1, 3)


class Fusing:
    """The fusions of the nodes of a program's main block."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    def fused_with(self, index: int) -> str:
        """Return the op that an elementwise op or a softplus is fused with; "" if it is not fused."""
        node = self._wiring.nodes[index]
        if self._wiring.constants[index] or self._is_bias(index):
            return ""
        reader = self._wiring.only_reader(index)
        while reader is not None and _is_removed(self._wiring.nodes[reader]):
            reader = self._wiring.only_reader(reader)
        if reader is None or not self._fuses(node.type, reader):
            return ""
        return str(self._wiring.nodes[reader].type.decode("utf-8", "backslashreplace"))

    def _fuses(self, op: bytes, reader: int) -> bool:
        """Return whether an op is fused with a reader of its output."""
        node = self._wiring.nodes[reader]
        if node.type in ACTIVATIONS:
            return op in ACTIVATION_FUSED
        if node.type == _UNSQUEEZE:
            return op == _MUL and not any(
                first_argument(node.inputs, parameter) for parameter in (b"AxesTensor", b"AxesTensorList")
            )
        is_scale = node.type == _DROPOUT or (node.type == _SCALE and self._only_scales(reader))
        return is_scale and op != _SOFTPLUS

    def _only_scales(self, index: int) -> bool:
        """Return whether a scale node has a constant scale and no bias."""
        node = self._wiring.nodes[index]
        tensor = first_argument(node.inputs, b"ScaleTensor")
        bias = attrs.read(node.attrs).get("bias")
        return not (bias and bias.value) and (tensor is None or self._wiring.is_constant(index, tensor))

    def _is_bias(self, index: int) -> bool:
        """Return whether a node adds a constant per channel to a convolution, which absorbs it."""
        node = self._wiring.nodes[index]
        bias = first_argument(node.inputs, b"Y")
        axis = attrs.read(node.attrs).get("axis")
        if node.type != _ADD or bias is None or axis is None or axis.value not in _BIAS_AXES:
            return False
        return self._wiring.is_constant(index, bias) and self._convolves(index, first_argument(node.inputs, b"X"))

    def _convolves(self, index: int, name: bytes | None) -> bool:
        """Return whether a variable that a node reads is the result of a convolution, and has no other reader."""
        writer = None if name is None else self._wiring.writer(index, name)
        if writer is None or self._wiring.only_reader(writer) is None:
            return False
        node = self._wiring.nodes[writer]
        if node.type in _ABSORBED:
            return self._convolves(writer, first_argument(node.inputs, _ABSORBED[node.type]))
        return node.type in _CONVOLUTIONS or self._is_bias(writer)


def _is_removed(node: Any) -> bool:
    """Return whether a node is a dropout that does nothing; a dropout that scales becomes a scale."""
    if node.type != _DROPOUT:
        return False
    implementation = attrs.read(node.attrs).get("dropout_implementation")
    return implementation is not None and implementation.value == "upscale_in_train"
