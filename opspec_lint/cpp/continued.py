"""Lines continued by a backslash, which a compiler joins before it recognises names ([lex.phases])."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_BREAKS = pattern(r"\\[ \t]*\n(?:\\[ \t]*\n)*")
_NAMES = pattern(r"\\[ \t]*\n(?:\\[ \t]*\n)*\w[^\s\\\"']*(?:(?:\\[ \t]*\n)+\w[^\s\\\"']*)*")
"""The rest of a name on the next line, up to a blank or a string.

Both patterns begin with a literal backslash, which `re` finds in a fortieth of the time of a repeated group.
"""


def join_broken_names(text: str, bare: str | None = None) -> str:
    """Return a text of the same length in which no name is broken by a line end: the breaks follow the name.

    `bare` is the text without the inside of strings; None if it is not known: then strings count as code.
    """
    bare = text if bare is None else bare
    if "\\" not in bare:
        return text
    pieces: list[str] = []
    at = 0
    for match in _NAMES.finditer(bare):
        is_name = bare[max(match.start() - 1, 0) : match.start()].isalnum() or bare[match.start() - 1] == "_"
        pieces += (text[at : match.start()], _join(match[0], is_name=is_name))
        at = match.end()
    return "".join((*pieces, text[at:]))


def without_breaks(text: str) -> str:
    """Return a text with all continued lines joined, in strings and comments, too."""
    return _BREAKS.sub("", text)


def _join(broken: str, *, is_name: bool) -> str:
    """Return a piece with its breaks moved to the end, except for the first one if no name begins before it."""
    breaks, pieces = _BREAKS.findall(broken), _BREAKS.split(broken)[1:]
    first = "" if is_name else breaks.pop(0)
    return "".join((first, *pieces, *breaks))


def remove_breaks(view: str, bare: str, directives: Collection[tuple[int, int]]) -> str:
    """Return a view of a file without the backslashes that continue a line, except in directives.

    `bare` is the file without comments and the inside of strings, `directives` are starts and ends in order.
    """
    if "\\" not in bare:
        return view
    pieces: list[str] = []
    at = 0
    for start, end in (*directives, (len(bare), len(bare))):
        for match in _BREAKS.finditer(bare, at, start):
            pieces += (view[at : match.start()], match[0].replace("\\", " "))
            at = match.end()
        pieces.append(view[at:end])
        at = end
    return "".join(pieces)
