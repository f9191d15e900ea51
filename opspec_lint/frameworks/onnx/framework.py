"""The declaration of the framework ONNX: the fields and limits that only its specs have."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import family
from opspec_lint.spec.fields import ALWAYS_WRITTEN, Field, Framework, LoadingValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.spec.fields import Section

BINDING = "opset"
SHARED: Mapping[Section, tuple[str, ...]] = {
    "ops": ("declared_if",),
    "inputs": ("type", "duplicable", "dispensable"),
    "outputs": ("type", "duplicable", "dispensable"),
    "attrs": ("type", "default_value"),
}
"""The fields that ops of other frameworks have, too: optional arguments are dispensable, variadic ones duplicable."""
TYPES = "type_constraints"
RELEASED = "released"
"""The last opset of each domain that a release of ONNX published: newer schemas may change until the next release."""
UP, DOWN = "up", "down"
"""The directions of version converter adapters: from the previous version of an op to this one, or back."""

FIELDS = (
    Field(
        name=TYPES,
        sections=("ops",),
        form="values",
        events=("types_widened", "types_narrowed"),
        schema={
            "type": ["object", "null"],
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        about="The types that each type variable of the op stands for.",
    ),
    Field(
        name="deprecated",
        sections=("ops",),
        form="flag",
        default=False,
        events=("op_deprecated", "op_undeprecated"),
        is_shown=False,
        about="Whether the schema is deprecated: the checker refuses models that use it.",
    ),
    Field(
        name="has_function",
        sections=("ops",),
        form="flag",
        default=False,
        events=("function_body_added", "function_body_removed"),
        is_shown=False,
        about="Whether a function of other ops defines the op, so that it can run without a kernel of its own.",
    ),
    Field(
        name="adapters",
        sections=("ops",),
        form="names",
        default=ALWAYS_WRITTEN,
        events=("adapters_gained", "adapters_lost"),
        is_shown=False,
        absent_in=("onnx-runtime",),
        about="Of the version converter: `up` if it converts a node from the version before, `down` if back to it.",
    ),
    Field(
        name="arity",
        sections=("ops",),
        form="values",
        events=("arity_changed",),
        schema={
            "type": ["object", "null"],
            "additionalProperties": {
                "type": "object",
                "properties": {"min": {"type": "integer"}, "is_homogeneous": {"type": "boolean"}},
                "required": ["min", "is_homogeneous"],
                "additionalProperties": False,
            },
        },
        about="Of the variadic input and output, which are the last: the least number of tensors, and whether all have "
        "one type. Null if none is variadic.",
    ),
    Field(
        name="required",
        sections=("attrs",),
        form="flag",
        default=False,
        events=("attr_required_set", "attr_required_cleared"),
        is_shown=False,
        about="Whether each node must state the attribute.",
    ),
)


def _are_opsets(value: object) -> bool:
    """Return True if a value maps domains to opsets."""
    return isinstance(value, dict) and all(type(opset) is int for opset in value.values())


LOADING = (
    LoadingValue(
        name="ir_version",
        is_valid=lambda value: value is None or type(value) is int,
        expected="the newest IR version, an integer",
    ),
    LoadingValue(name="opsets", is_valid=_are_opsets, expected="the newest opset of each domain, an integer"),
    LoadingValue(name=RELEASED, is_valid=_are_opsets, expected="the last released opset of each domain, an integer"),
)

FRAMEWORK = Framework(title="ONNX", bindings=(BINDING,), shared=SHARED, fields=FIELDS, family=family, loading=LOADING)
