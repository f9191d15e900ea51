"""Translation of line numbers from GitHub's merge of a pull request to its head: the merge itself has no address."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from opspec_lint.git.repository import object_name
from opspec_lint.kit.errors import OpspecError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.git.repository import Repository

_HUNK = pattern(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", "m")


class _Hunk(NamedTuple):
    """The first line and the number of lines of a difference, in the old and in the new file.

    git reports a pure addition as 0 lines after the line `old_start`.
    """

    old_start: int
    old_count: int
    new_start: int
    new_count: int


def translate_lines(
    repository: Repository, merge: str, head: str, places: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], int]:
    """Return the lines whose number differs in the head, by path and number in the merge.

    A line that the head lacks is mapped to the line in its place. A file that cannot be compared, because it or the
    commit is missing here, keeps its numbers.

    Args:
        repository: the repository with the commits.
        merge: the commit that the given lines are from.
        head: the commit to translate to.
        places: paths from the top of the repository, each with a line number from 1.
    """
    by_path: dict[str, set[int]] = {}
    for path, line in places:
        by_path.setdefault(path, set()).add(line)
    head_lines = {}
    for path, lines in by_path.items():
        with suppress(OpspecError):
            hunks = list(_hunks(repository, object_name(merge, path), object_name(head, path)))
            if hunks:
                head_lines.update({(path, line): _translate(hunks, line) for line in lines})
    return head_lines


def _hunks(repository: Repository, old: str, new: str) -> Iterator[_Hunk]:
    """Yield the hunks of the diff between two files, in their order.

    Raises:
        InputError: git cannot compare them.
    """
    # Options against the configuration of the user: colors, external diff programs and text conversions.
    how = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv")
    text = repository.output("diff", *how, "--end-of-options", old, new).decode("utf-8", "replace")
    for old_start, old_count, new_start, new_count in _HUNK.findall(text):
        yield _Hunk(int(old_start), int(old_count or 1), int(new_start), int(new_count or 1))


def _translate(hunks: Iterable[_Hunk], line: int) -> int:
    """Return the number that a line of the old file has in the new file, by the hunks before it."""
    shift = 0
    for hunk in hunks:
        first_behind = hunk.old_start + max(hunk.old_count, 1)
        first_touched = hunk.old_start if hunk.old_count else first_behind
        if line < first_touched:
            break
        if line < first_behind:
            return max(hunk.new_start, 1)
        shift += hunk.new_count - hunk.old_count
    return line + shift
