"""Unified diff of edits, as `git apply` reads it, made from the edits alone: no texts are compared."""

from __future__ import annotations

import os
from bisect import bisect_right
from itertools import accumulate

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Edit, TextFile

    _Change: TypeAlias = tuple[int, int, str]

_CONTEXT = 3
_NO_END = "\\ No newline at end of file\n"
_QUOTED = pattern(rb'["\\\x00-\x1f\x7f]')
_SHORT = {ord("\n"): "\\n", ord("\t"): "\\t", ord('"'): '\\"', ord("\\"): "\\\\"}


class Hunk(Record):
    """Lines of a file, and the lines that replace them. `start` is the number of lines before them."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def fix_diff(fix: Fix) -> str:
    """Return the diff of one fix."""
    by_file: dict[TextFile, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.source, []).append(edit)
    return "".join(unified_diff(*file_edits) for file_edits in by_file.items())


def unified_diff(file: TextFile, edits: Sequence[Edit]) -> str:
    """Return the diff of a file for edits that do not overlap; "" if nothing changes."""
    file_hunks = list(hunks(file, edits))
    if not file_hunks:
        return ""
    old, new = _name(f"a/{file.path}"), _name(f"b/{file.path}")
    tab = "\t" if " " in file.path else ""  # without it, git takes a part of the name for a date
    before = ["new file mode 100644\n", "--- /dev/null\n"] if file.data is None else [f"--- {old}{tab}\n"]
    return "".join(
        [f"diff --git {old} {new}\n", *before, f"+++ {new}{tab}\n", *_render(file_hunks, _lines(file.whole))]
    )


def hunks(file: TextFile, edits: Sequence[Edit]) -> Iterator[Hunk]:
    """Yield the lines of a file that edits replace, without context, in their order."""
    lines = _lines(file.whole)
    starts = [0, *accumulate(map(len, lines))]
    if lines and not lines[-1].endswith("\n"):
        starts.pop()
    for first, last, changes in _by_lines(starts, len(lines), file.spans(edits)):
        old, base = "".join(lines[first:last]), (starts[first] if first < len(starts) else len(file.whole))
        parts, at = [], 0
        for start, end, new in changes:
            parts += [old[at : start - base], new]
            at = end - base
        hunk = _trim(first, lines[first:last], _lines("".join((*parts, old[at:]))))
        if hunk.old or hunk.new:
            yield hunk


def _by_lines(starts: list[int], count: int, changes: Iterable[_Change]) -> list[tuple[int, int, list[_Change]]]:
    """Return changes grouped by the lines that they touch: the first line, the line after the last, and the changes."""
    groups: list[tuple[int, int, list[_Change]]] = []
    for change in changes:
        start, end, new = change
        first, last = (bisect_right(starts, offset) - 1 for offset in (start, end))
        # A change of whole lines does not touch the line after it; any other rewrites the line in which it ends.
        is_of_whole_lines = start == starts[first] and end == starts[last] and new[-1:] in ("", "\n")
        last = last if is_of_whole_lines else min(last + 1, count)
        if groups and first < groups[-1][1]:
            before = groups[-1]
            groups[-1] = before[0], max(before[1], last), [*before[2], change]
        else:
            groups.append((first, last, [change]))
    return groups


def _trim(start: int, old: list[str], new: list[str]) -> Hunk:
    """Return a hunk without the unchanged lines at its beginning and its end."""
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    old, new = old[same:], new[same:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return Hunk(start=start + same, old=tuple(old), new=tuple(new))


def _render(all_hunks: list[Hunk], lines: list[str]) -> Iterator[str]:
    """Yield the text of hunks with their context; hunks that are close together become one."""
    moved, at = 0, 0
    while at < len(all_hunks):
        end = at + 1
        # As in diff: hunks whose contexts would touch are one, or git apply could not place them.
        while end < len(all_hunks) and all_hunks[end].start - _end(all_hunks[end - 1]) <= 2 * _CONTEXT:
            end += 1
        together = all_hunks[at:end]
        first, last = max(together[0].start - _CONTEXT, 0), min(_end(together[-1]) + _CONTEXT, len(lines))
        grown = sum(len(hunk.new) - len(hunk.old) for hunk in together)
        yield f"@@ -{_range(first, last - first)} +{_range(first + moved, last - first + grown)} @@\n"
        here = first
        for hunk in together:
            yield from (_line(" ", line) for line in lines[here : hunk.start])
            yield from (_line("-", line) for line in hunk.old)
            yield from (_line("+", line) for line in hunk.new)
            here = _end(hunk)
        yield from (_line(" ", line) for line in lines[here:last])
        moved += grown
        at = end


def _end(hunk: Hunk) -> int:
    """Return the number of lines up to the end of a hunk in the old file."""
    return hunk.start + len(hunk.old)


def _range(before: int, count: int) -> str:
    """Return a range of lines, given the number of lines before it: an empty one has the number of the line before."""
    start = before + 1 if count else before
    return f"{start}" if count == 1 else f"{start},{count}"


def _line(sign: str, line: str) -> str:
    """Return a line of the diff, with the remark of git if the file ends without a line break."""
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n{_NO_END}"


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line breaks; only a line feed ends a line, as for git."""
    lines = text.split("\n")
    return [*(f"{line}\n" for line in lines[:-1]), *([lines[-1]] if lines[-1] else [])]


def _name(path: str) -> str:
    """Return a path as git writes it: in quotes if it has characters that a line of a diff cannot hold."""
    data = os.fsencode(path)
    if not _QUOTED.search(data) and is_utf8(data):
        return path
    return (
        '"' + "".join(_SHORT.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data) + '"'
    )
