"""The releases that contain a revision, by the tags of the repository.

A tag contains a revision if one can go from the tag to it along parents. Of the revisions along first parents that a
tag contains, the last one is stored: it contains all before it. A change that was picked to a release branch by itself
counts from the first tag behind the branch point on that has its own revision.
"""

from __future__ import annotations

from opspec_lint.history.store import Tag
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.git.repository import Repository
    from opspec_lint.history.store import History

_FINAL = pattern(r"(?:.*[/_-])?v?\d+(?:[._]\d+)*(?:\.?post\d+)?", "i")
"""The name of a tag that is a release and no preview of one: `v2.6.0`, `release-1.2`, but not `v2.6.0-rc0`."""


def tags(repository: Repository, history: History) -> list[Tag]:
    """Return the tags of a repository that contain a revision of a history.

    Raises:
        InputError: git cannot list them.
    """
    numbers = history.numbers()
    last = history.last()
    if last is None:
        return []
    reached = _reached(repository, numbers, last.id)
    found = []
    for name, commit, date in _listed(repository):
        if commit in reached:
            found.append(Tag(name=name, revision=reached[commit], date=date))
    return found


def containing(number: int, every: Iterable[Tag]) -> list[str]:
    """Return the names of the tags that contain a revision, in their order."""
    return [each.name for each in every if each.revision >= number]


def final(names: Iterable[str]) -> list[str]:
    """Return the names of those tags that are releases, and no previews of one."""
    return [name for name in names if _FINAL.fullmatch(name)]


def _listed(repository: Repository) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the commit and the date of each tag."""
    form = "%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:short)"
    listed = repository.output("for-each-ref", f"--format={form}", "refs/tags").decode("utf-8", "replace")
    for line in filter(None, listed.split("\n")):
        name, identity, peeled, date = line.split("\0")
        yield name, peeled or identity, date


def _reached(repository: Repository, numbers: dict[str, int], tip: str) -> dict[str, int]:
    """Return the number of the last revision of a history that each commit below a tag or the tip contains."""
    reached: dict[str, int] = {}
    listed = repository.output("rev-list", "--topo-order", "--reverse", "--parents", "--tags", tip)
    for line in listed.decode().splitlines():
        commit, *parents = line.split(" ")
        number = numbers.get(commit)
        known = [reached[each] for each in parents if each in reached] if number is None else [number]
        if known:
            reached[commit] = max(known)
    return reached
