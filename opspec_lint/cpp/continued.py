"""Lines that go on behind a backslash at their end, which a compiler joins before it looks for names ([lex.phases])."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

_BREAKS = pattern(r"\\[ \t]*\n(?:\\[ \t]*\n)*")
_NAMES = pattern(r"\\[ \t]*\n(?:\\[ \t]*\n)*\w[^\s\\\"']*(?:(?:\\[ \t]*\n)+\w[^\s\\\"']*)*")
"""The rest of a name in the next line, with what stands behind it up to a blank or a string. Both patterns begin with
the backslash that they are found by, which takes a fortieth of the time of a group that is repeated."""


def with_whole_names(text: str, bare: str | None = None) -> str:
    """Return a text of the same length in which each name stands in the line where it begins; its breaks follow it.

    Args:
        text: the text.
        bare: the same without the inside of strings, None where nobody knows it: what stands there counts.
    """
    bare = text if bare is None else bare
    if "\\" not in bare:
        return text
    pieces: list[str] = []
    at = 0
    for match in _NAMES.finditer(bare):
        is_name = bare[max(match.start() - 1, 0) : match.start()].isalnum() or bare[match.start() - 1] == "_"
        pieces += (text[at : match.start()], _whole(match[0], is_name=is_name))
        at = match.end()
    return "".join((*pieces, text[at:]))


def _whole(broken: str, *, is_name: bool) -> str:
    """Return a piece whose words stand before its breaks; but for the first break, if no name begins before it."""
    breaks, words = _BREAKS.findall(broken), _BREAKS.split(broken)[1:]
    first = "" if is_name else breaks.pop(0)
    return "".join((first, *words, *breaks))


def without_breaks(view: str, bare: str, directives: Collection[tuple[int, int]]) -> str:
    """Return a view of a file without the backslashes that continue a line, except for those of directives.

    Args:
        view: the view.
        bare: the file without comments and the inside of strings.
        directives: the beginnings and ends of directives, in order.
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
