"""The default policy of TFLite: old models on a new runtime; new models on an old one only as TensorFlow Lite promises.

An error is a model that is misread silently, refused by the verifier, or has a number that a new runtime no longer
knows. A further field, value or member, which only new models contain, is a note: the op version keeps such a model
from an old runtime.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="old models on a new runtime; anything that only new models contain is a note",
    levels={
        **dict.fromkeys(
            ("declaration_added", "slot_added", "enum_value_added", "union_member_added", "underlying_sign_changed"),
            "note",
        ),
    },
    default_for=("tflite",),
)
