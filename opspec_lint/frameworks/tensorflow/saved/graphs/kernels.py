"""The check that a release has a kernel which runs a node on the CPU, by the field `cpu_kernels` of its ops.

A kernel is chosen when a node first runs, so no import fails. Not judged are nodes that something else than a kernel
for the CPU runs, and functions that a process may never run.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.cpu_kernels import runs
from opspec_lint.frameworks.tensorflow.saved.graphs.devices import read_name
from opspec_lint.models.fault import op_fault
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import CheckedNode
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op

_COMPILED = ("_XlaMustCompile", "_xla_compile_id", "_tpu_replicate", "_replication_info")
"""Attrs of nodes and functions that XLA compiles, together with all that they call."""
_NEVER_RUN = ("api_implements", "forward_function_name")
"""Attrs of functions with a twin for another device, of which a graph pass takes one, and of gradients: only training
calls them."""
_COMPILERS = ("TPU", "_TPU", "Xla", "_Xla")
"""How the ops begin that compile the functions that they call, such as TPUReplicate and XlaLaunch."""
_MISSING: EventId = "model_cpu_kernel_missing"
_LABEL = "_kernel"
"""The attr that asks for a kernel with this label, which the field does not list."""
_REPLACED = frozenset(("AccumulateNV2", "ParallelConcat"))
"""Ops that a pass replaces before kernels are chosen (parallel_concat_optimizer.cc, accumulate_n_optimizer.cc)."""


def faults(op: Op, checked: CheckedNode) -> Iterator[Fact]:
    """Yield the fault of a node that no kernel runs; nothing if the spec states no kernels, or types are unknown."""
    if op.get("cpu_kernels") is UNKNOWN or op.name in _REPLACED or checked.problems or checked.missing:
        return
    if _LABEL in checked.attrs or is_compiled(checked.attrs):
        return
    types = {attr.name: checked.types_of(attr) for attr in op.attrs if attr.type in ("type", "list(type)")}
    if not runs(op, types):
        yield op_fault(_MISSING, op.name, "fails_at_run", "kernel", types=_types_text(types) or "any types")


def is_compiled(attrs: Container[str], op: str = "") -> bool:
    """Return whether XLA compiles a node with these attrs, or the functions that a node of `op` calls."""
    return op.startswith(_COMPILERS) or any(name in attrs for name in _COMPILED)


def may_never_run(attrs: Container[str]) -> bool:
    """Return whether kernels for the CPU may never run the body of a function with these attrs."""
    return is_compiled(attrs) or any(name in attrs for name in _NEVER_RUN)


def on_device(faults_of_node: tuple[Fact, ...], device: str) -> tuple[Fact, ...]:
    """Return the faults of a node without those that its device rules out."""
    if not device or all(fault.event != _MISSING for fault in faults_of_node):
        return faults_of_node
    place = read_name(device)
    if place is None or place.is_on_cpu:
        return faults_of_node
    return tuple(fault for fault in faults_of_node if fault.event != _MISSING)


def _types_text(types: Mapping[str, Sequence[str] | None]) -> str:
    """Return types by attr as text: `T = float, Tout = [float, int32]`."""
    return ", ".join(
        f"{name} = {kinds[0] if len(kinds) == 1 else '[' + ', '.join(kinds) + ']'}"
        for name, kinds in types.items()
        if kinds
    )
