"""Macros of a framework that other files replace: `#undef REGISTER` and a `#define` of the same name.

A header that replaces one is read as a part of each source that includes it, so that the directives of a source say at
each place which definition counts.
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.preprocessed import Code

_BLANK = r"(?:[ \t]|\\\r?\n)"


class ReplacedMacros:
    """Definitions that replace macros of a framework.

    A file that only defines a macro that is missing, behind `#ifndef NAME`, replaces none.

    `homes` are the ends of the paths of the framework's own headers, which define the macros.

    Args:
        mark: a text that all names contain: few files have it, and a search for it is fast.
        names: a pattern of the names of the macros.
        homes: see above.
    """

    def __init__(self, mark: str, names: str, homes: tuple[str, ...]) -> None:
        self._mark = mark
        self._bytes = mark.encode()
        self.homes = homes
        self._directive = pattern(rf"#{_BLANK}*(define|undef){_BLANK}+({names})\b")
        self._guard = pattern(
            rf"#{_BLANK}*(?:ifndef{_BLANK}+|if{_BLANK}*!{_BLANK}*defined{_BLANK}*\(?{_BLANK}*)({names})\b"
        )

    def names_in(self, text: str) -> frozenset[str]:
        """Return the names of the macros that a text replaces."""
        directives = self._directive.findall(text) if "define" in text and self._mark in text else []
        defined = {name for keyword, name in directives if keyword == "define"}
        removed = {name for keyword, name in directives if keyword == "undef"}
        return frozenset(defined - (set(self._guard.findall(text)) - removed) if defined else ())

    def replaces(self, path: str, data: bytes) -> bool:
        """Return whether a file that is not the framework's own replaces a macro."""
        if self._bytes not in data or b"define" not in data or path.endswith(self.homes):
            return False
        return bool(self.names_in(data.decode("utf-8", "replace")))


def replacement(code: Code, name: str, offset: int, kept: Collection[str]) -> Macro | None:
    """Return the last macro of a name that a file defines before an offset, in place of the framework's.

    None if there is none, or if its body names a macro in `kept`, so that it has the same effect.
    """
    latest: Macro | None = None
    for at, _, defined, macro in code.directives:
        if at >= offset:
            break
        if defined == name:
            latest = macro
    return None if latest is None or any(text in latest.body for text in kept) else latest
