"""What keeps a declaration from being evaluated."""

from __future__ import annotations


class UnresolvedError(Exception):
    """Something of a tree cannot be evaluated for certain.

    Args:
        reason: what it is, in words for the user.
        file: the file of the tree in which it stands, None for that of the registration.
        line: its line, counted from 1, None for that of the registration.
    """

    def __init__(self, reason: str, file: str | None = None, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.file = file
        self.line = line

    def at(self, file: str, line: int) -> UnresolvedError:
        """Return the error with a place, where it has none yet."""
        return self if self.file is not None else UnresolvedError(self.reason, file, line)
