"""The programs that the predictor cannot make, as its passes compute all of them in advance.

Nothing of a program without inputs depends on what a caller feeds, so the pass that folds constants puts the value of
what is fetched in the place of the nodes, and the node that fetches it is refused. It does not fold a node with a block
of its own, nor one that writes over what it takes (measured with 2.6.2, 3.0.0 and 3.3.1: 21 programs refused, 4 made).
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
    """Yield that a program fetches what no input goes into."""
    nodes = program.blocks[0].ops if program.blocks else ()
    types = {node.type for node in nodes}
    if _FETCH in types and _FEED not in types and all(map(_is_folded, nodes)):
        yield model_fault("model_no_inputs", "feed", "refused", "no_inputs")


def _is_folded(node: Any) -> bool:
    if node.type == _FETCH:
        return True
    taken = {name for each in node.inputs for name in each.arguments}
    is_in_place = any(name in taken for each in node.outputs for name in each.arguments)
    return not is_in_place and not any(each.type in attrs.BLOCKS for each in attrs.read(node.attrs).values())
