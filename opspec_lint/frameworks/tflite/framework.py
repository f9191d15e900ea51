"""What only TFLite knows: who else has to know a version of an op, and what becomes of an op's options."""

from __future__ import annotations

from opspec_lint.spec.fields import Field, Framework
from opspec_lint.spec.slots import SLOT_FIELDS

_VERSIONS = ("versioning_changed",)

FRAMEWORK = Framework(
    name="tflite",
    title="TFLite",
    fields=(
        Field(
            name="reference_min_version",
            sections=("ops",),
            form="integer",
            default=None,
            events=_VERSIONS,
            about="The least version that the reference kernels take, null where there is none.",
        ),
        Field(
            name="reference_max_version",
            sections=("ops",),
            form="integer",
            default=None,
            events=_VERSIONS,
            about="The greatest version that the reference kernels take, null where there is none.",
        ),
        Field(
            name="written_versions",
            sections=("ops",),
            form="values",
            default=None,
            events=_VERSIONS,
            about="The versions that the converter writes, null for an op without a case: version 1 alone.",
        ),
        Field(
            name="oldest_runtimes",
            sections=("ops",),
            form="values",
            default=None,
            events=_VERSIONS,
            about="By version, the oldest runtime that is said to take it.",
        ),
        Field(
            name="delegates",
            sections=("ops",),
            form="values",
            default=None,
            events=_VERSIONS,
            about="By delegate that takes the op, the greatest version that it takes at most, null for any.",
        ),
        Field(
            name="options",
            sections=("ops",),
            form="name",
            default=None,
            events=("options_table_changed",),
            about="The table of the schema that holds the op's options; its fields are the attrs.",
        ),
        *(each for each in SLOT_FIELDS if each.sections == ("attrs",)),
        Field(
            name="since_version",
            sections=("attrs",),
            form="integer",
            default=None,
            events=_VERSIONS,
            is_shown=False,
            about="The version of the op from which on it has the attr, as a comment of the schema says.",
        ),
        Field(
            name="unread",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("parameter_unread", "parameter_read"),
            is_shown=False,
            about="Whether the runtime's code that reads the options table passes over it.",
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
