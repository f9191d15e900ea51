"""The default policy of FlatBuffers schemas: files are read under another version of their schema, in both directions.

An error is a file that is misread silently, refused by the verifier, loses data, or has a number that a new reader no
longer knows. An addition that an old reader does not know is a note: it ignores a new value, member or field.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="how files are read under another version of their schema, in both directions",
    levels={},
    default_for=("flatbuffers",),
)
"""The levels are those of the rules themselves."""
