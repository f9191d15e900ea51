"""What is said of things that callers of a saved model call: the declarations of its interface.

A signature, a function or a graph is an op. What it takes are inputs, and what it gives are outputs, each with a type
(`spec.interface.types`). A function of Python gives what its traces give: each trace is an attr, whose name are the
types of its arguments and whose type is that of its result.
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
"""Who calls a declaration: a function of Python, tensors by keyword, a session or request that feeds tensors."""


def is_interface(provenance: Provenance) -> bool:
    """Tell whether a spec is the interface of a model: a small one, of which each report shows the lines."""
    return provenance.framework == INTERFACE


def call_kind(op: Op) -> str:
    """Return the kind of a declaration: a graph where nothing says it."""
    return str(op.get("called_as") or GRAPH)


def callers_of(op: Op) -> tuple[Caller, ...]:
    """Return who calls a declaration."""
    return _CALLERS.get(call_kind(op), ("session",))


def is_function(op: Op) -> bool:
    """Tell whether a declaration is called as a function of Python."""
    return call_kind(op) in (FUNCTION, CONCRETE)
