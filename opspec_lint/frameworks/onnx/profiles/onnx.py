"""ONNX's rule for published schemas: a version of an op never changes, compatible or not.

A model states no version of a node: it imports an opset, and each node means the schema of that opset. So whatever
changes in a published schema changes the meaning of models that exist, and no reader can tell (onnx/onnx,
docs/Versioning.md; issues 409, 996, 1443). An op or a version that is gone is an error, and so is a version that is
added to an opset which base has. New versions, function bodies and the limits of a newer release are notes.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="ONNX's own rule: a published version of an op never changes",
    levels={
        **dict.fromkeys(
            (
                *("argument_order_changed", "attr_added_with_default", "attr_default_added", "attr_required_cleared"),
                *("dispensable_set", "duplicable_set", "input_added_dispensable", "output_added_dispensable"),
                *("op_undeprecated", "types_widened"),
            ),
            "error",
        ),
        "function_body_removed": "note",
        "op_added": "off",
        "op_added_as_successor": "off",
    },
    default_for=("onnx",),
)
"""A new op is reported by the event of its first version, `version_added`."""
