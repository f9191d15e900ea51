"""What the predictor's passes for oneDNN fuse an op with.

The rules are those of conv_bias_onednn_fuse_pass.cc, elementwise_act_onednn_fuse_pass.cc,
softplus_activation_onednn_fuse_pass.cc, operator_scale_onednn_fuse_pass.cc and
operator_unsqueeze2_onednn_fuse_pass.cc. They work on the main block alone, after
simplify_with_basic_ops_pass.cc removed dropouts, and after constants were folded. Measured with 2.6.2, 3.0.0, 3.1.1,
3.2.2 and 3.3.1.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.frameworks.paddle.saved.programs.wiring import argument

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
ACTIVATED = frozenset((b"elementwise_add", b"elementwise_mul", b"elementwise_sub", b"softplus"))
"""The ops that are fused with an activation. With a scale, `elementwise_div` is fused too, and `softplus` is not."""

_ADD, _MUL, _SOFTPLUS = b"elementwise_add", b"elementwise_mul", b"softplus"
_SCALE, _DROPOUT, _UNSQUEEZE = b"scale", b"dropout", b"unsqueeze2"
_CONVOLUTIONS = frozenset((b"conv2d", b"depthwise_conv2d", b"conv2d_transpose"))
_FOLDED = {b"batch_norm": b"X", b"affine_channel": b"X", _DROPOUT: b"X"}
"""The ops that a convolution takes up, or that are removed, with the input that it comes from."""
_BIAS_AXES = (1, 3)


class Fusing:
    """What the nodes of a block are fused with.

    Args:
        wiring: the nodes of a program's main block.
    """

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring

    def fused_with(self, place: int) -> str:
        """Return the op that an elementwise op or a softplus is fused with, "" where it stays as it is."""
        node = self._wiring.nodes[place]
        if self._wiring.constants[place] or self._is_bias(place):
            return ""
        reader = self._wiring.only_reader(place)
        while reader is not None and _is_removed(self._wiring.nodes[reader]):
            reader = self._wiring.only_reader(reader)
        if reader is None or not self._fuses(node.type, reader):
            return ""
        return str(self._wiring.nodes[reader].type.decode("utf-8", "backslashreplace"))

    def _fuses(self, op: bytes, reader: int) -> bool:
        node = self._wiring.nodes[reader]
        if node.type in ACTIVATIONS:
            return op in ACTIVATED
        if node.type == _UNSQUEEZE:
            return op == _MUL and not any(argument(node.inputs, each) for each in (b"AxesTensor", b"AxesTensorList"))
        is_scale = node.type == _DROPOUT or (node.type == _SCALE and self._only_scales(reader))
        return is_scale and op != _SOFTPLUS

    def _only_scales(self, place: int) -> bool:
        node = self._wiring.nodes[place]
        tensor = argument(node.inputs, b"ScaleTensor")
        bias = attrs.read(node.attrs).get("bias")
        return not (bias and bias.value) and (tensor is None or self._wiring.is_constant(place, tensor))

    def _is_bias(self, place: int) -> bool:
        """Tell whether a node adds a constant for each channel to a convolution, which takes it up."""
        node = self._wiring.nodes[place]
        bias = argument(node.inputs, b"Y")
        axis = attrs.read(node.attrs).get("axis")
        if node.type != _ADD or bias is None or axis is None or axis.value not in _BIAS_AXES:
            return False
        return self._wiring.is_constant(place, bias) and self._convolves(place, argument(node.inputs, b"X"))

    def _convolves(self, place: int, name: bytes | None) -> bool:
        """Tell whether a variable that a node reads, and no other, is what a convolution makes."""
        at = None if name is None else self._wiring.writer(place, name)
        if at is None or self._wiring.only_reader(at) is None:
            return False
        node = self._wiring.nodes[at]
        if node.type in _FOLDED:
            return self._convolves(at, argument(node.inputs, _FOLDED[node.type]))
        return node.type in _CONVOLUTIONS or self._is_bias(at)


def _is_removed(node: Any) -> bool:
    """Tell whether a node is a dropout that does nothing; one that scales becomes a scale."""
    if node.type != _DROPOUT:
        return False
    how = attrs.read(node.attrs).get("dropout_implementation")
    return how is not None and how.value == "upscale_in_train"
