"""Paddle's fields beyond the common ones: flags of its OpProto, the special translator, released builds."""

from __future__ import annotations

from opspec_lint.spec.fields import Field, Framework

FRAMEWORK = Framework(
    title="Paddle",
    fields=(
        Field(
            name="intermediate",
            sections=("inputs", "outputs"),
            form="flag",
            default=False,
            events=("intermediate_set", "intermediate_cleared"),
            after="dispensable",
            mark="~",
        ),
        Field(
            name="generated",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("generated_set", "generated_cleared"),
            after="maximum",
        ),
        Field(
            name="quant",
            sections=("inputs", "outputs", "attrs"),
            form="flag",
            default=False,
            events=("quant_set", "quant_cleared"),
            blocks_rename=True,
        ),
        Field(
            name="support_tensor",
            sections=("attrs",),
            form="flag",
            default=False,
            events=("support_tensor_set", "support_tensor_cleared"),
            absent_in=("print_op_desc",),
            about="Whether a model may name a variable instead of a value.",
        ),
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
