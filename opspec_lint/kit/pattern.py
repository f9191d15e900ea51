"""Regular expressions that are compiled when they are first used.

A run uses a third of the patterns of the modules that it imports, and compiling one takes as long as
importing a module.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, AnyStr

_METHODS = ("finditer", "findall", "fullmatch", "match", "search", "split", "sub", "subn")


class _Compiled:
    """A pattern whose methods are those of a compiled one. Python finds them fast, as there is no `__getattr__`."""

    __slots__ = ("_flags", "pattern", *_METHODS)

    def __init__(self, source: str | bytes, flags: str) -> None:
        self.pattern = source
        self._flags = flags


class _Pattern(_Compiled):
    """A pattern that was not used yet."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern: a method is asked for that is not there yet."""
        if name not in _METHODS:
            raise AttributeError(name)
        import re

        compiled = re.compile(self.pattern, sum(getattr(re, letter.upper()) for letter in self._flags))
        for each in _METHODS:
            setattr(self, each, getattr(compiled, each))
        self.__class__ = _Compiled  # type: ignore[assignment]
        return getattr(self, name)


def pattern(source: AnyStr, flags: str = "") -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled when it is first used.

    Args:
        source: the expression.
        flags: letters as in `(?ms)`, those of `re`.
    """
    made: re.Pattern[AnyStr] = _Pattern(source, flags)  # type: ignore[assignment]  # which has the same methods
    return made
