"""Old models on a new runtime, and new models on an old one as far as TensorFlow Lite promises that.

An error is whatever is misread silently, refused by the verifier, lost, or a number that a new runtime no longer knows.
What only new models hold, a further field, value or member, is a note: an old runtime is kept from such a model by
the version of the op.
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
