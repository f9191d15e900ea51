"""What the bytes of a schema's files mean under another version of it, in both directions.

An error is whatever is misread silently, refused by the verifier, lost, or a number that a new reader no longer knows.
What an old reader does not know yet is a note: a value or member that was added, a field that it passes over.
"""

from __future__ import annotations

from opspec_lint.lint.profile import Profile

PROFILE = Profile(
    summary="how files are read under another version of their schema, in both directions",
    levels={},
    default_for=("flatbuffers",),
)
"""The levels are those of the rules themselves."""
