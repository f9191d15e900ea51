"""A program (ProgramDesc) checked against the PIR ops that a release translates it to, node by node.

The blocks are visited as program_translator.cc does: the first, and those that an op of control flow names.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs, op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.frameworks.paddle.saved.translation import release
from opspec_lint.frameworks.paddle.saved.translation.node import EMPTY, Node
from opspec_lint.frameworks.paddle.saved.translation.node_check import NodeCheck
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.frameworks.paddle.saved.translation.variables import ARRAY, TENSOR, declared, external
from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.op_upgrades import Upgrade
    from opspec_lint.frameworks.paddle.saved.translation.release import Release
    from opspec_lint.frameworks.paddle.saved.translation.variables import Variable
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_CONTROL = frozenset({"conditional_block", "conditional_block_grad", "while"})
_BLOCK = "sub_block"


def faults(program: Any, spec: Spec, saver: Saver | None = None, legacy: Spec | None = None) -> Iterator[Fact]:
    """Yield what keeps a program from being translated, or makes it mean something else.

    Args:
        program: the ProgramDesc.
        spec: the PIR spec of the release that loads it.
        saver: the release that saved it, as far as it is known.
        legacy: the spec of the legacy ops of the release that loads it, None where it is not known.
    """
    loading = release.of(spec)
    if not loading.names.is_told:
        yield _untold(spec)
        return
    yield from _Walk(program, loading.replace(saver=saver or Saver(), legacy=legacy)).faults()


def _untold(spec: Spec) -> Fact:
    return not_judged(
        "legacy_names",
        "the spec does not say what a program calls the PIR ops, as op_compat.yaml does: "
        f"{spec.provenance.made_by or 'its source'} does not read that",
        "name a released spec such as paddle-pir@3.0.0, or that of a source tree (paddle-pir-source)",
    )


class _Walk:
    def __init__(self, program: Any, release: Release) -> None:
        self._blocks = {each.idx: each for each in program.blocks}
        self._first = program.blocks[0]
        self._release = release
        self._versions = {text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair}
        self._visited: set[int] = set()

    def faults(self) -> Iterator[Fact]:
        variables = declared(self._first)
        for name in external(self._first):
            if name in variables and variables[name].kind != ARRAY:
                variables[name] = variables[name].replace(kind=TENSOR)
        defined = {text(each.name) for each in self._first.vars if each.persistable}
        yield from self._block(self._first, variables, defined)

    def _block(self, block: Any, variables: dict[str, Variable], defined: set[str]) -> Iterator[Fact]:
        """Yield what is wrong with a block and those in it; what its ops give is defined from then on."""
        self._visited.add(block.idx)
        graph = "" if block is self._first else f"block {block.idx}"
        for place, each in enumerate(block.ops):
            node = _node(each, variables, defined)
            upgrade = self._upgrade(node)
            check = NodeCheck(node if upgrade is None else node.replace(attrs=upgrade.attrs), self._release)
            emptied = upgrade.empties if upgrade is not None else ""
            rewritten = [NodeFaults(node.op).attr_emptied(emptied)] if emptied else []
            unread = upgrade.unreadable if upgrade is not None else None
            mistyped = (
                [] if unread is None or upgrade is None else [NodeFaults(node.op).attr_type(unread, upgrade.expected)]
            )
            for fault in (*rewritten, *(mistyped or check.faults())):
                yield fault.replace(graph=graph, node=f"{node.op}#{place}")
            inner = self._blocks.get(node.value(_BLOCK)) if node.op in _CONTROL else None
            if inner is not None and inner.idx not in self._visited:
                yield from self._block(inner, variables | declared(inner), set(defined))
            _give(node, check.lost(), variables)
            defined.update(name for arguments in node.outputs.values() for name in arguments)

    def _upgrade(self, node: Node) -> Upgrade | None:
        """An old node as it is after the program is read, before anything is translated."""
        if self._release.legacy is None:
            return None
        return op_upgrades.upgrade(node.op, self._versions.get(node.op), node.attrs, self._release.legacy)


def _give(node: Node, lost: set[str], variables: dict[str, Variable]) -> None:
    """Note which variables have a value after a node, and which lost theirs."""
    for name in (each for arguments in node.outputs.values() for each in arguments):
        known = variables.get(name)
        if known is not None and known.is_lost != (name in lost):
            variables[name] = known.replace(is_lost=name in lost)


def _node(op: Any, variables: dict[str, Variable], defined: set[str]) -> Node:
    return Node(
        op=text(op.type),
        inputs=_arguments(op.inputs),
        outputs=_arguments(op.outputs),
        attrs=attrs.read(op.attrs),
        variables=variables,
        defined=defined,
    )


def _arguments(parameters: Any) -> dict[str, tuple[str, ...]]:
    return {
        text(each.parameter): tuple(name for name in map(text, each.arguments) if name != EMPTY) for each in parameters
    }
