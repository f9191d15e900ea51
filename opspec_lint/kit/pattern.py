"""Regular expressions that are compiled on first use.

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
    """A pattern with the methods of a compiled one. It has no `__getattr__`, so that Python finds the methods fast."""

    __slots__ = ("_flags", "pattern", *_METHODS)

    def __init__(self, source: str | bytes, flags: str) -> None:
        self.pattern = source
        self._flags = flags


class _Pattern(_Compiled):
    """A pattern before its first use."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern when one of its methods is first accessed."""
        if name not in _METHODS:
            raise AttributeError(name)
        import re

        compiled = re.compile(self.pattern, sum(getattr(re, letter.upper()) for letter in self._flags))
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        # A class with `__getattr__` finds its attributes more slowly, so the compiled pattern changes to one without
        # it.
        self.__class__ = _Compiled  # type: ignore[assignment]
        return getattr(self, name)


def pattern(source: AnyStr, flags: str = "") -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled on first use.

    Args:
        source: the expression.
        flags: letters as in `(?ms)`.
    """
    made: re.Pattern[AnyStr] = _Pattern(source, flags)  # type: ignore[assignment]  # which has the same methods
    return made
