"""The error of a string that OpDefBuilder rejects."""

from __future__ import annotations


class RejectedError(Exception):
    """A string of an op declaration that OpDefBuilder rejects; `problem` is its message, without the place."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem
