"""Paddle's flags, how its sources state each, and its fields beyond the common ones."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.fields import SHARED_FIELDS, Field, Framework

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fields import Section


class Flag(Record):
    """A flag of an input, output or attr in OpProto, and how the sources of Paddle state it.

    `field` is the flag in specs; an OpProto has the same name for it. `methods` of C++ set it, called on the result of
    `AddInput`, `AddOutput` or `AddAttr`. `is_late`: OpProto has not had it from the start, so that a tree or a wheel
    knows it only if its OpProto declares it.
    """

    field: Field
    methods: tuple[str, ...] = ()
    is_late: bool = False


_SHARED = {field.name: field for field in SHARED_FIELDS if field.form == "flag"}

FLAGS = (
    Flag(field=_SHARED["duplicable"], methods=("AsDuplicable", "SetMultiple")),  # SetMultiple: the name of 2017
    Flag(field=_SHARED["dispensable"], methods=("AsDispensable",)),
    Flag(
        field=Field(
            name="intermediate",
            sections=("inputs", "outputs"),
            form="flag",
            default=False,
            events=("intermediate_set", "intermediate_cleared"),
            after="dispensable",
            mark="~",
        ),
        methods=("AsIntermediate", "SetTemporary"),  # SetTemporary: the name of 2017
    ),
    # The third argument of AddAttr states it.
    Flag(
        field=Field(
            name="generated",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("generated_set", "generated_cleared"),
            after="maximum",
        )
    ),
    Flag(field=_SHARED["extra"], methods=("AsExtra",), is_late=True),
    Flag(
        field=Field(
            name="quant",
            sections=("inputs", "outputs", "attrs"),
            form="flag",
            default=False,
            events=("quant_set", "quant_cleared"),
            blocks_rename=True,
        ),
        methods=("AsQuant",),
        is_late=True,
    ),
    Flag(
        field=Field(
            name="support_tensor",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("support_tensor_set", "support_tensor_cleared"),
            absent_in=("print_op_desc",),
            about="Whether a model may name a variable instead of a value.",
        ),
        methods=("SupportTensor",),
        is_late=True,
    ),
)
"""The flags of OpProto, in the order in which Paddle's print_op_desc.py prints them."""

FRAMEWORK = Framework(
    title="Paddle",
    fields=(
        *(flag.field for flag in FLAGS if flag.field not in SHARED_FIELDS),
        Field(
            name="translator",
            sections=("ops",),
            form="values",
            default={},
            is_shown=False,
            only_in_source_text=True,
            events=("translator_gained", "translator_lost"),
            schema={"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
            about="The special handler that translates the op to PIR, if it has one, and the names of ops, "
            "inputs, outputs and attrs that it uses.",
        ),
    ),
    released_builds=("cpu", "gpu", "xpu"),
)


def flags_of(section: Section) -> tuple[Flag, ...]:
    """Return the flags of the inputs, outputs or attrs, in their order."""
    return tuple(flag for flag in FLAGS if section in flag.field.sections)
