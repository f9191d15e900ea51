"""The declaration of the framework ONNX Runtime: ONNX's fields of what sessions use, and the kernels of each op."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.framework import BINDING, FIELDS, LOADING, SHARED
from opspec_lint.frameworks.onnx.identity import family
from opspec_lint.spec.fields import Field, Framework

FRAMEWORK = Framework(
    title="ONNX Runtime",
    abbreviation="ort",
    bindings=(BINDING,),
    shared=SHARED,
    family=family,
    loading=LOADING,
    fields=(
        *(field for field in FIELDS if field.name not in ("adapters", "has_function")),
        Field(
            name="kernels",
            sections=("ops",),
            form="values",
            default={},
            events=("kernels_gained", "kernels_lost"),
            schema={"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
            about="For each provider the types that it runs the op with: `T=tensor(float); T1=tensor(int64)`. That is "
            "by a kernel; on the CPU also by the body of a function or a cast.",
            is_shown=False,
        ),
    ),
)
