"""A fix: the edits that remove a finding."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from opspec_lint.fixes.text_file import Edit

    Safety: TypeAlias = Literal["safe", "unsafe"]

SAFETIES: tuple[Safety, ...] = ("safe", "unsafe")
"""From the one that needs no look to the one that does."""


class Fix(Record):
    """The edits that remove a finding, and perhaps others with it.

    `safety` is "safe" if it restores what base said or writes what is known to be needed, and "unsafe" if it guesses
    at an intent.
    """

    description: str
    safety: Safety
    edits: tuple[Edit, ...]
