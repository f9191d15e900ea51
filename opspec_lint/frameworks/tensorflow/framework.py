"""The framework TensorFlow, with the fields of ops and arguments that only OpDefs have."""

from __future__ import annotations

from opspec_lint.spec.fields import Field, Framework

OP_FLAGS = {
    "is_stateful": ("SetIsStateful", "SetDoNotOptimize"),
    "is_commutative": ("SetIsCommutative",),
    "is_aggregate": ("SetIsAggregate",),
    "allows_uninitialized_input": ("SetAllowsUninitializedInput",),
    "is_distributed_communication": ("SetIsDistributedCommunication",),
}
"""Flags of an OpDef that tell graph optimizers what they may assume of an op, and the methods of C++ that set each."""

FRAMEWORK = Framework(
    title="TensorFlow",
    abbreviation="tf",
    fields=(
        *(
            Field(name=flag, sections=("ops",), form="flag", default=False, events=("op_flag_set", "op_flag_cleared"))
            for flag in OP_FLAGS
        ),
        Field(
            name="cpu_kernels",
            sections=("ops",),
            form="values",
            default={},
            events=("cpu_kernels_gained", "cpu_kernels_lost"),
            schema={"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
            about="The types that kernels run the op with on the CPU: of one attr, by the types of the others, such as "
            '`{"T; Tidx=int32": ["float"]}`; `{"any types": []}` for all types. An op without a kernel has none.',
            is_shown=False,
            absent_in=("OpList", "tensorflow-source"),
        ),
        Field(name="control_outputs", sections=("ops",), form="names", default=(), events=("detail_changed",)),
        Field(
            name="full_type",
            sections=("inputs", "outputs"),
            form="value",
            events=("detail_changed",),
            is_shown=False,
            after="is_ref",
            mark="&",
        ),
        Field(
            name="handle_data",
            sections=("inputs", "outputs"),
            form="value",
            events=("detail_changed",),
            is_shown=False,
            after="full_type",
        ),
    ),
)
