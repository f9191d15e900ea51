"""The framework TFLite: the fields of ops that state who accepts which version, and the fields of options."""

from __future__ import annotations

from opspec_lint.spec.fields import OP_VERSION, Field, Framework
from opspec_lint.spec.slots import SLOT_FIELDS, SLOT_SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.ids import EventId

_VERSIONS: tuple[EventId, ...] = ("versioning_changed",)
_BY_VERSION = {"pattern": "^(0|[1-9][0-9]{0,3})$", "description": "A version of the op."}

FRAMEWORK = Framework(
    title="TFLite",
    bindings=("op_version",),
    shared={"ops": ("min_version", "max_version", "declared_if"), **SLOT_SHARED},
    fields=(
        Field(
            name="reference_min_version",
            sections=("ops",),
            form="integer",
            events=_VERSIONS,
            schema=OP_VERSION,
            about="The lowest version that the reference kernels accept, or null if they accept none.",
        ),
        Field(
            name="reference_max_version",
            sections=("ops",),
            form="integer",
            events=_VERSIONS,
            schema=OP_VERSION,
            about="The highest version that the reference kernels accept, or null if they accept none.",
        ),
        Field(
            name="written_versions",
            sections=("ops",),
            form="values",
            events=_VERSIONS,
            schema={"type": ["array", "null"], "items": {**OP_VERSION, "type": "integer"}},
            about="The versions that the converter writes, or null for an op without a case, which is version 1 only.",
        ),
        Field(
            name="conditions",
            sections=("ops",),
            form="values",
            events=_VERSIONS,
            schema={
                "type": ["object", "null"],
                "propertyNames": _BY_VERSION,
                "additionalProperties": {"type": "string"},
            },
            about="For each version that the converter writes, the condition as text, if it has one.",
        ),
        Field(
            name="oldest_runtimes",
            sections=("ops",),
            form="values",
            events=_VERSIONS,
            schema={
                "type": ["object", "null"],
                "propertyNames": _BY_VERSION,
                "additionalProperties": {"type": "string"},
            },
            about="For each version, the oldest runtime that is documented to accept it.",
        ),
        Field(
            name="delegates",
            sections=("ops",),
            form="values",
            events=_VERSIONS,
            schema={
                "type": ["object", "null"],
                "additionalProperties": OP_VERSION,
            },
            about="For each delegate that accepts the op, the highest version that it accepts, or null for any.",
        ),
        Field(
            name="options",
            sections=("ops",),
            form="name",
            events=("options_table_changed",),
            about="The table of the schema that holds the op's options; its fields are the attrs.",
        ),
        *(field for field in SLOT_FIELDS if field.sections == ("attrs",)),
        Field(
            name="since_version",
            sections=("attrs",),
            form="integer",
            events=_VERSIONS,
            is_shown=False,
            about="The op version that introduced the attr, according to a comment in the schema.",
        ),
        Field(
            name="unread",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("parameter_unread", "parameter_read"),
            is_shown=False,
            about="Whether the runtime's code that reads the options table ignores it.",
        ),
        Field(
            name="unstored",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("parameter_unstored", "parameter_stored"),
            is_shown=False,
            about="Whether the C struct of the op's options has no member for it.",
        ),
    ),
)
