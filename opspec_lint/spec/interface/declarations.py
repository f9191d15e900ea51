"""What is said of things that callers of a saved model call: the declarations of its interface.

A signature, a function or a graph is an op. What it takes are inputs, and what it gives are outputs, each with a type
(`spec.interface.types`). A function of Python gives what its traces give: each trace is an attr, whose name are the
types of its arguments and whose type is that of its result.
"""

from __future__ import annotations

from opspec_lint.spec.fields import Field

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

INTERFACE_FIELDS = (
    Field(
        name="called_as",
        sections=("ops",),
        form="text",
        about="What it is: a signature, a function, a concrete function, or a graph that is fed by name.",
    ),
    Field(
        name="tags",
        sections=("ops",),
        form="names",
        default=(),
        about="The tags of the graph that a signature belongs to.",
    ),
    Field(
        name="method",
        sections=("ops",),
        form="name",
        default=None,
        about="The method name of a signature, which says which API of a server it is for.",
    ),
    Field(
        name="input_signature",
        sections=("ops",),
        form="flag",
        default=False,
        is_shown=False,
        about="Whether the source of a function says which arguments it takes.",
    ),
    Field(
        name="default",
        sections=("inputs",),
        form="name",
        default=None,
        about="The default value of a parameter as Python writes it, null where it has none.",
    ),
    Field(
        name="passing",
        sections=("inputs",),
        form="name",
        default=None,
        about="keyword, varargs or varkw; null for a parameter that may be passed by position.",
    ),
)
"""The fields of declarations and of what they take."""


def is_interface(provenance: Provenance) -> bool:
    """Tell whether a spec is the interface of a model: a small one, of which each report shows the lines."""
    return provenance.framework == INTERFACE


def called_as(op: Op) -> str:
    """Return what a declaration is called as; a graph where nothing says it."""
    return str(op.get("called_as") or GRAPH)


def callers_of(op: Op) -> tuple[Caller, ...]:
    """Return who calls a declaration."""
    return _CALLERS.get(called_as(op), ("session",))


def is_function(op: Op) -> bool:
    """Tell whether a declaration is called as a function of Python."""
    return called_as(op) in (FUNCTION, CONCRETE)


def runtime_of(provenance: Provenance) -> tuple[str, tuple[int, ...]]:
    """Return who loads a model again: the framework that saved it, and its version as numbers, () where unknown."""
    numbers = []
    for part in (provenance.version or "").split(".")[:3]:
        if not part.isdecimal() or not part.isascii():
            break
        numbers.append(int(part))
    return provenance.made_by or "", tuple(numbers)
