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

    from opspec_lint.fixes.fix import Fix
    from opspec_lint.fixes.text_file import Change, Edit, TextFile

_CONTEXT = 3
_NO_END = "\\ No newline at end of file\n"
_QUOTED = pattern(rb'["\\\x00-\x1f\x7f]')
_SHORT = {ord("\n"): "\\n", ord("\t"): "\\t", ord('"'): '\\"', ord("\\"): "\\\\"}


class Hunk(Record):
    """Lines of a file, and the lines that replace them. `start` is the number of lines before them."""

    start: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def end(self) -> int:
        """The number of lines up to the end of the hunk in the old file."""
        return self.start + len(self.old)


class _TouchedLines(Record):
    """A range of lines, counted from 0 and without `end`, with its changes, in their order."""

    start: int
    end: int
    changes: tuple[Change, ...]


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
    line_starts = [0, *accumulate(map(len, lines))]
    if lines and not lines[-1].endswith("\n"):
        line_starts.pop()  # there is no line behind the last one
    for touched in _by_lines(line_starts, len(lines), file.changes(edits)):
        old_lines = lines[touched.start : touched.end]
        offset = line_starts[touched.start] if touched.start < len(line_starts) else len(file.whole)
        hunk = _trim(touched.start, old_lines, _lines(_changed("".join(old_lines), offset, touched.changes)))
        if hunk.old or hunk.new:
            yield hunk


def _changed(text: str, offset: int, changes: Iterable[Change]) -> str:
    """Return a part of a file, which begins at an offset, after its changes."""
    parts, done = [], 0
    for change in changes:
        parts += [text[done : change.start - offset], change.text]
        done = change.end - offset
    return "".join((*parts, text[done:]))


def _by_lines(line_starts: list[int], count: int, changes: Iterable[Change]) -> list[_TouchedLines]:
    """Return changes grouped by the lines that they touch; `count` is the number of lines of the file."""
    groups: list[_TouchedLines] = []
    for change in changes:
        first, last = (bisect_right(line_starts, offset) - 1 for offset in (change.start, change.end))
        # A change of whole lines does not touch the line after it; any other rewrites the line in which it ends.
        begins_line, ends_line = change.start == line_starts[first], change.end == line_starts[last]
        is_of_whole_lines = begins_line and ends_line and change.text[-1:] in ("", "\n")
        end = last if is_of_whole_lines else min(last + 1, count)
        if groups and first < groups[-1].end:
            before = groups.pop()
            groups.append(
                _TouchedLines(start=before.start, end=max(before.end, end), changes=(*before.changes, change))
            )
        else:
            groups.append(_TouchedLines(start=first, end=end, changes=(change,)))
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
    shift = 0  # the number of lines by which the hunks so far make the file longer
    for together in _close_hunks(all_hunks):
        first, last = max(together[0].start - _CONTEXT, 0), min(together[-1].end + _CONTEXT, len(lines))
        count = last - first
        growth = sum(len(hunk.new) - len(hunk.old) for hunk in together)
        yield f"@@ -{_range(first, count)} +{_range(first + shift, count + growth)} @@\n"
        shift += growth
        next_line = first
        for hunk in together:
            yield from (_line(" ", line) for line in lines[next_line : hunk.start])
            yield from (_line("-", line) for line in hunk.old)
            yield from (_line("+", line) for line in hunk.new)
            next_line = hunk.end
        yield from (_line(" ", line) for line in lines[next_line:last])


def _close_hunks(all_hunks: list[Hunk]) -> list[list[Hunk]]:
    """Return hunks in groups whose contexts would touch: as in diff they are one, or git apply could not place them."""
    groups: list[list[Hunk]] = []
    for hunk in all_hunks:
        if groups and hunk.start - groups[-1][-1].end <= 2 * _CONTEXT:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    return groups


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
