"""The kinds of declarations in the interface of a saved model, and their callers.

A signature, function or graph is an op. Its parameters are inputs, and its results outputs, each with a type
(`spec.interface.types`). The results of a Python function depend on the trace: each trace is an attr, whose name is the
types of its arguments and whose type is the type of its result.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, Literal, TypeAlias

    from opspec_lint.spec.model import Op, Provenance

    Caller: TypeAlias = Literal["function", "signature", "session"]

INTERFACE: Final = "interface"
"""The framework and the binding of the specs that hold interfaces."""

SIGNATURE, FUNCTION, CONCRETE, GRAPH = "signature", "function", "concrete function", "graph"

_CALLERS: Mapping[str, tuple[Caller, ...]] = {
    SIGNATURE: ("signature", "session"),
    FUNCTION: ("function",),
    CONCRETE: ("function",),
    GRAPH: ("session",),
}
"""The callers of each kind: Python code, calls by keyword with tensors, sessions or requests that feed tensors."""


def is_interface(provenance: Provenance) -> bool:
    """Return whether a spec is the interface of a model; it is small, so that reports show its lines."""
    return provenance.framework == INTERFACE


def call_kind(op: Op) -> str:
    """Return the kind of a declaration; a graph if it states none."""
    return str(op.get("called_as") or GRAPH)


def callers_of(op: Op) -> tuple[Caller, ...]:
    """Return the kinds of callers that a declaration can have."""
    return _CALLERS.get(call_kind(op), ("session",))


def is_function(op: Op) -> bool:
    """Return whether a declaration is called as a Python function."""
    return call_kind(op) in (FUNCTION, CONCRETE)
