"""The check for programs that the predictor cannot create, because its passes compute everything in advance.

A program without inputs is constant, so the pass that folds constants replaces its nodes by the fetched value, and then
the fetch node is refused. Nodes with blocks, and nodes that overwrite their input, are not folded (measured with 2.6.2,
3.0.0 and 3.3.1: 21 programs refused, 4 created).
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs
from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.spec.fact import Fact

_FEED, _FETCH = b"feed", b"fetch"


def faults(program: Any) -> Iterator[Fact]:
    """Yield a fault for a program that fetches constants only."""
    nodes = program.blocks[0].ops if program.blocks else ()
    types = {node.type for node in nodes}
    if _FETCH in types and _FEED not in types and all(map(_is_folded, nodes)):
        yield model_fault("model_no_inputs", "feed", "refused", "no_inputs")


def _is_folded(node: Any) -> bool:
    """Return whether the pass folds a node."""
    if node.type == _FETCH:
        return True
    inputs = {name for parameter in node.inputs for name in parameter.arguments}
    is_in_place = any(name in inputs for parameter in node.outputs for name in parameter.arguments)
    return not is_in_place and not any(attr.type in attrs.BLOCKS for attr in attrs.read(node.attrs).values())
