"""The declaration of the framework of interfaces: the fields of signatures and functions."""

from __future__ import annotations

from opspec_lint.spec.fields import ALWAYS_WRITTEN, Field, Framework
from opspec_lint.spec.interface.declarations import CONCRETE, FUNCTION, GRAPH, INTERFACE, SIGNATURE
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fields import Section

FIELDS = (
    Field(
        name="called_as",
        sections=("ops",),
        form="text",
        default=ALWAYS_WRITTEN,
        schema={"enum": [SIGNATURE, FUNCTION, CONCRETE, GRAPH]},
        events=("called_as_changed",),
        about="What it is: a signature, a function, a concrete function, or a graph that is fed by name.",
    ),
    Field(
        name="tags",
        sections=("ops",),
        form="names",
        default=(),
        events=("tags_changed",),
        about="The tags of the graph that a signature belongs to.",
    ),
    Field(
        name="method",
        sections=("ops",),
        form="name",
        events=("method_changed",),
        about="The method name of a signature, which says which API of a server it is for.",
    ),
    Field(
        name="input_signature",
        sections=("ops",),
        form="flag",
        default=False,
        events=("input_signature_set", "input_signature_cleared"),
        is_shown=False,
        about="Whether the source of a function says which arguments it takes.",
    ),
    Field(
        name="default",
        sections=("inputs",),
        form="name",
        events=("parameter_default_changed",),
        about="The default value of a parameter, or of an input of a signature, as Python writes it, or null.",
    ),
    Field(
        name="passing",
        sections=("inputs",),
        form="name",
        schema={"enum": [KEYWORD, VARARGS, VARKW, POSITIONAL]},
        events=("parameter_passed_otherwise",),
        about="keyword, varargs or varkw; null for a parameter that may be passed by position.",
    ),
)
"""The fields of declarations and their inputs; `diff/interfaces/` compares them, and has further events."""

_SHARED: Mapping[Section, tuple[str, ...]] = {"inputs": ("type",), "outputs": ("type",), "attrs": ("type",)}

FRAMEWORK = Framework(title="Interface of a saved model", fields=FIELDS, shared=_SHARED, bindings=(INTERFACE,))
