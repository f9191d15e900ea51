"""A program (ProgramDesc) held against the PIR ops that a release translates it to, node by node."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.programs import attrs
from opspec_lint.frameworks.paddle.programs.messages import text
from opspec_lint.frameworks.paddle.translation import attr_types, names
from opspec_lint.frameworks.paddle.translation.node_check import NodeCheck

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.models.fault import Fault
    from opspec_lint.spec.model import Spec

_EMPTY = "@EMPTY@"


def faults(program: Any, spec: Spec) -> Iterator[Fault]:
    """Yield what keeps a program from being translated, or makes it mean something else.

    Args:
        program: the ProgramDesc.
        spec: the PIR spec of the release that loads it.
    """
    known, version = names.of(spec), attr_types.version_of(spec)
    declared = {text(variable.name): variable.type.type for block in program.blocks for variable in block.vars}
    for block in program.blocks:
        graph = "" if block.idx == program.blocks[0].idx else f"block {block.idx}"
        for place, node in enumerate(block.ops):
            op, given = text(node.type), attrs.read(node.attrs)
            check = NodeCheck(op, _arguments(node.inputs), _arguments(node.outputs), given, (known, version))
            for fault in (*check.faults(), *check.of_variables(declared)):
                yield fault.but(graph=graph, node=f"{op}#{place}")


def _arguments(parameters: Any) -> dict[str, tuple[str, ...]]:
    return {
        text(each.parameter): tuple(name for name in map(text, each.arguments) if name != _EMPTY) for each in parameters
    }
