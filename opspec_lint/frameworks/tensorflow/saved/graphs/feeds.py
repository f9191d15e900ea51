"""What a bare graph can be fed, and what can be asked of it: its placeholders, and the nodes that nothing reads."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import python_name
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.frameworks.tensorflow.saved.graphs.variables import shape
from opspec_lint.models.model import Signature, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLACEHOLDERS = ("Placeholder", "PlaceholderV2")
_NO_RESULT = (*_PLACEHOLDERS, "Assert", "Const", "NoOp", "PlaceholderWithDefault", "SaveV2")
"""The ops whose nodes nobody asks for a result, though nothing reads them."""


def signatures(graph: Any) -> tuple[Signature, ...]:
    """Return the one signature of a graph, none where nothing can be fed or asked for."""
    inputs: dict[str, Tensor] = {}
    results: list[str] = []
    read: set[str] = set()
    for node in graph.node:
        if node.op in _PLACEHOLDERS:
            inputs[node.name] = _fed(node)
        if node.op not in _NO_RESULT:
            results.append(node.name)
        read.update(map(_node_of, node.input))
    outputs = {name: Tensor(name=name) for name in results if name not in read}
    return (Signature(key="", inputs=inputs, outputs=outputs),) if inputs or outputs else ()


def _node_of(tensor: str) -> str:
    """Return the node of a tensor (`n:1`) or of a control input (`^n`)."""
    return tensor.removeprefix("^").partition(":")[0]


def _fed(node: Any) -> Tensor:
    found = attrs.read(attrs.short(node.attr))
    dtype = attrs.dtype_of(found["dtype"]) if "dtype" in found else None
    sizes = shape(found["shape"].shape) if "shape" in found else None
    return Tensor(name=node.name, dtype=None if dtype is None else python_name(dtype), shape=sizes)
