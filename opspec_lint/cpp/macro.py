"""The definition of a macro of C++."""

from __future__ import annotations


class Macro:
    """A macro: its body, and its parameters, None for a macro without parentheses."""

    __slots__ = ("body", "name", "parameters", "path")

    def __init__(self, name: str, parameters: tuple[str, ...] | None, body: str, path: str) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.path = path

    def is_same(self, definition: Macro) -> bool:
        """Return whether another definition is equivalent, as a redefinition has to be ([cpp.replace])."""
        return (self.parameters, self.body.split()) == (definition.parameters, definition.body.split())
