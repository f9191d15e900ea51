"""The signature of a bare GraphDef: its placeholders are the inputs, the nodes that no other node reads the outputs."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import python_name
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.frameworks.tensorflow.saved.graphs.variables import shape_sizes
from opspec_lint.models.model import Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLACEHOLDERS = ("Placeholder", "PlaceholderV2")
# Nodes of asserts, constants and savers are often unread, and are no results of a model.
_NO_RESULT = (*_PLACEHOLDERS, "Assert", "Const", "NoOp", "PlaceholderWithDefault", "SaveV2")
"""The ops whose nodes are no outputs, even if no other node reads them."""


def signatures(graph: Any) -> tuple[Signature, ...]:
    """Return the signature of a graph, or () for a graph without inputs and outputs."""
    inputs: dict[str, Tensor] = {}
    results: list[str] = []
    read: set[str] = set()
    for node in graph.node:
        if node.op in _PLACEHOLDERS:
            inputs[node.name] = _placeholder_tensor(node)
        if node.op not in _NO_RESULT:
            results.append(node.name)
        read.update(map(_node_of, node.input))
    outputs = {name: Tensor(name=name) for name in results if name not in read}
    return (Signature(key="", inputs=inputs, outputs=outputs),) if inputs or outputs else ()


def _node_of(tensor: str) -> str:
    """Return the node name in the input text of a tensor (`n:1`) or of a control dependency (`^n`)."""
    return tensor.removeprefix("^").partition(":")[0]


def _placeholder_tensor(node: Any) -> Tensor:
    """Return name, dtype and shape of the tensor that is fed to a placeholder."""
    node_attrs = attrs.read(attrs.strip_tensors(node.attr))
    dtype = attrs.dtype_of(node_attrs["dtype"]) if "dtype" in node_attrs else None
    sizes = shape_sizes(node_attrs["shape"].shape) if "shape" in node_attrs else None
    return Tensor(name=node.name, dtype=None if dtype is None else python_name(dtype), shape=sizes)
