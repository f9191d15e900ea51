"""The policy for existing models on a newer ONNX Runtime: a model that only the newer one refuses is an error.

An op, a version of an op or a type that lost its kernel is an error: a session for such a model fails with "Could not
find an implementation". So is a schema that refuses existing nodes. A model that only the newer release takes is a
note, because it breaks only on the older runtime. Schemas of `com.microsoft` change in place, and are judged by what
they refuse.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="which models a newer ONNX Runtime refuses",
    levels={
        **dict.fromkeys(
            (
                *("attr_required_cleared", "kernels_gained", "op_added_late", "op_undeprecated", "types_widened"),
                *("input_renamed", "output_renamed", "op_deprecated"),
                *("output_added_dispensable", "output_added_not_dispensable"),
            ),
            "note",
        ),
        "op_added": "off",
        "op_added_as_successor": "off",
    },
    default_for=("onnxruntime",),
)
"""Inputs and outputs are bound by position; a session takes models with deprecated ops."""
