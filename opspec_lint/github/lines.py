"""Which lines of the head of a pull request the lines of GitHub's merge of it are: the merge itself has no address."""

from __future__ import annotations

from contextlib import suppress

from opspec_lint.git.repository import name_of
from opspec_lint.kit.errors import OpspecError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.git.repository import Repository

    _Hunk = tuple[int, int, int, int]

_HUNK = pattern(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", "m")


def moved(
    repository: Repository, merge: str, head: str, places: Iterable[tuple[str, int]]
) -> dict[tuple[str, int], int]:
    """Return the lines that have another number in the head, by path and number in the merge.

    A line that the head does not have is the one that stands in its place. A file that cannot be compared, as it or the
    commit is not here, keeps its numbers.

    Args:
        repository: has the commits.
        merge: the commit whose lines are given.
        head: the commit whose lines are wanted.
        places: paths from the top of the repository, with a number of a line from 1.
    """
    by_path: dict[str, set[int]] = {}
    for path, line in places:
        by_path.setdefault(path, set()).add(line)
    found = {}
    for path, lines in by_path.items():
        with suppress(OpspecError):
            hunks = list(_hunks(repository, name_of(merge, path), name_of(head, path)))
            found.update({(path, line): _through(hunks, line) for line in lines} if hunks else {})
    return found


def _hunks(repository: Repository, old: str, new: str) -> Iterator[_Hunk]:
    """Yield where two files differ: the first line and the number of lines in the old one, and in the new one.

    Raises:
        InputError: git cannot compare them.
    """
    how = ("--unified=0", "--no-color", "--no-ext-diff", "--no-textconv")
    text = repository.output("diff", *how, "--end-of-options", old, new).decode("utf-8", "replace")
    for start, count, place, others in _HUNK.findall(text):
        yield int(start), int(count or 1), int(place), int(others or 1)


def _through(hunks: Iterable[_Hunk], line: int) -> int:
    shift = 0
    for start, count, place, others in hunks:
        end = start + max(count, 1)  # what is only added stands behind the line `start`
        if line < start + (not count):
            break
        if count and line < end:
            return max(place, 1)
        shift += others - count
    return line + shift
