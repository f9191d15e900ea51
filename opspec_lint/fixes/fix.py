"""A fix: the edits that remove a finding."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from opspec_lint.fixes.text_file import Edit

    Safety: TypeAlias = Literal["safe", "unsafe"]

SAFETIES: tuple[Safety, ...] = ("safe", "unsafe")
"""First the safety that needs no review."""


class Fix(Record):
    """The edits that remove a finding, and perhaps others.

    `safety` is "safe" if it restores the declaration of base or writes one that is certainly needed, and "unsafe" if it
    guesses the intent.
    """

    description: str
    safety: Safety
    edits: tuple[Edit, ...]
