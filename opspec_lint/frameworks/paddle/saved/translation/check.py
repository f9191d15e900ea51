"""The check of a program (ProgramDesc) against the PIR ops that a release translates it to, node by node.

Blocks are visited as program_translator.cc does: the first, and those that a control flow op names.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs, op_upgrades
from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.frameworks.paddle.saved.translation import release
from opspec_lint.frameworks.paddle.saved.translation.node import EMPTY, Node
from opspec_lint.frameworks.paddle.saved.translation.node_check import TranslatedNodeCheck
from opspec_lint.frameworks.paddle.saved.translation.node_faults import NodeFaults
from opspec_lint.frameworks.paddle.saved.translation.variables import (
    ARRAY,
    TENSOR,
    declared_variables,
    external_variables,
)
from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.op_upgrades import Upgrade
    from opspec_lint.frameworks.paddle.saved.translation.release import TranslatingRelease
    from opspec_lint.frameworks.paddle.saved.translation.variables import Variable
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_CONTROL = frozenset({"conditional_block", "conditional_block_grad", "while"})
_BLOCK = "sub_block"


def faults(program: Any, spec: Spec, saver: Saver | None = None, legacy: Spec | None = None) -> Iterator[Fact]:
    """Yield the reasons for which a program is not translated, or changes its meaning.

    `spec` is the PIR spec of the release that loads the program and `legacy` its legacy spec (None if unknown). `saver`
    is the release that saved it, if known.
    """
    loading = release.release_of(spec)
    if not loading.names.has_names:
        yield _unknown_names_fault(spec)
        return
    yield from _ProgramWalk(program, loading.replace(saver=saver or Saver(), legacy=legacy)).faults()


def _node_faults(op: str, upgrade: Upgrade | None, check: TranslatedNodeCheck) -> Iterator[Fact]:
    """Yield the faults of the rewrite of a node, then of the rewritten node; an unreadable attr ends it."""
    if upgrade is not None and upgrade.empties:
        yield NodeFaults(op).attr_emptied(upgrade.empties)
    if upgrade is not None and upgrade.unreadable is not None:
        yield NodeFaults(op).attr_type(upgrade.unreadable, upgrade.expected)
    else:
        yield from check.faults()


def _unknown_names_fault(spec: Spec) -> Fact:
    """Return the fault that the spec has no names in ProgramDescs."""
    return not_judged(
        "legacy_names",
        "the spec does not say what a program calls the PIR ops, as op_compat.yaml does: "
        f"{spec.provenance.made_by or 'its source'} does not read that",
        "name a released spec such as paddle-pir@3.0.0, or that of a source tree (paddle-pir-source)",
    )


class _ProgramWalk:
    """The visit of the blocks of a program, with the variables known at each node."""

    def __init__(self, program: Any, release: TranslatingRelease) -> None:
        self._blocks = {block.idx: block for block in program.blocks}
        self._first = program.blocks[0]
        self._release = release
        self._versions = {text(pair.op_name): pair.op_version.version for pair in program.op_version_map.pair}
        self._visited: set[int] = set()

    def faults(self) -> Iterator[Fact]:
        """Yield the faults of the program."""
        variables = declared_variables(self._first)
        for name in external_variables(self._first):
            # program_translator.cc makes tensors of them.
            if name in variables and variables[name].kind != ARRAY:
                variables[name] = variables[name].replace(kind=TENSOR)
        defined = {text(variable.name) for variable in self._first.vars if variable.persistable}
        yield from self._block_faults(self._first, variables, defined)

    def _block_faults(self, block: Any, variables: dict[str, Variable], defined: set[str]) -> Iterator[Fact]:
        """Yield the faults of a block and of the blocks in it; outputs of a node are defined for later nodes."""
        self._visited.add(block.idx)
        graph = "" if block is self._first else f"block {block.idx}"
        for index, op_desc in enumerate(block.ops):
            node = _node(op_desc, variables, defined)
            upgrade = self._find_upgrade(node)
            check = TranslatedNodeCheck(node if upgrade is None else node.replace(attrs=upgrade.attrs), self._release)
            for fault in _node_faults(node.op, upgrade, check):
                yield fault.replace(graph=graph, node=f"{node.op}#{index}")
            inner = self._blocks.get(node.value(_BLOCK)) if node.op in _CONTROL else None
            if inner is not None and inner.idx not in self._visited:
                yield from self._block_faults(inner, variables | declared_variables(inner), set(defined))
            _mark_outputs(node, check.lost_variables(), variables)
            defined.update(name for arguments in node.outputs.values() for name in arguments)

    def _find_upgrade(self, node: Node) -> Upgrade | None:
        """Return the rewrite of a node before the translation; None for none, or if the legacy spec is unknown."""
        if self._release.legacy is None:
            return None
        return op_upgrades.upgrade(node.op, self._versions.get(node.op), node.attrs, self._release.legacy)


def _mark_outputs(node: Node, lost_variables: set[str], variables: dict[str, Variable]) -> None:
    """Mark the outputs of a node: they have a value now, or lost it in the translation."""
    for name in (argument for arguments in node.outputs.values() for argument in arguments):
        known = variables.get(name)
        if known is not None and known.is_lost != (name in lost_variables):
            variables[name] = known.replace(is_lost=name in lost_variables)


def _node(op: Any, variables: dict[str, Variable], defined: set[str]) -> Node:
    """Return an OpDesc as a node."""
    return Node(
        op=text(op.type),
        inputs=_arguments(op.inputs),
        outputs=_arguments(op.outputs),
        attrs=attrs.read(op.attrs),
        variables=variables,
        defined=defined,
    )


def _arguments(parameters: Any) -> dict[str, tuple[str, ...]]:
    """Return the arguments of each parameter."""
    return {
        text(parameter.parameter): tuple(name for name in map(text, parameter.arguments) if name != EMPTY)
        for parameter in parameters
    }
