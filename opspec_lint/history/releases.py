"""The releases that contain a revision, by the tags of the repository.

A tag contains all its ancestors. Of the first-parent revisions that a tag contains, only the last one is stored, since
that one contains all before it. A change that was cherry-picked to a release branch hence counts from the first tag
whose branch point is after the original change.
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
"""The name of a release tag that is no preview: `v2.6.0`, `release-1.2`, but not `v2.6.0-rc0`."""


def tags(repository: Repository, history: History) -> list[Tag]:
    """Return the tags that contain a revision of the history. Raises InputError if git cannot list them."""
    numbers = history.numbers()
    last = history.last()
    if last is None:
        return []
    last_contained = _last_contained_revisions(repository, numbers, last.id)
    tags_of_history = []
    for name, commit, date in _list_tags(repository):
        if commit in last_contained:
            tags_of_history.append(Tag(name=name, revision=last_contained[commit], date=date))
    return tags_of_history


def tags_containing(number: int, tags: Iterable[Tag]) -> list[str]:
    """Return the names of the tags that contain a revision, in the order of `tags`."""
    return [tag.name for tag in tags if tag.revision >= number]


def without_previews(names: Iterable[str]) -> list[str]:
    """Return the names that are releases, without previews."""
    return [name for name in names if _FINAL.fullmatch(name)]


def _list_tags(repository: Repository) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the commit and the date of each tag."""
    # For an annotated tag, %(objectname) is the tag object, and only %(*objectname) is the commit; it is "" otherwise.
    form = "%(refname:strip=2)%00%(objectname)%00%(*objectname)%00%(creatordate:short)"
    listed = repository.output("for-each-ref", f"--format={form}", "refs/tags").decode("utf-8", "replace")
    for line in filter(None, listed.split("\n")):
        name, identity, peeled, date = line.split("\0")
        yield name, peeled or identity, date


def _last_contained_revisions(repository: Repository, numbers: dict[str, int], tip: str) -> dict[str, int]:
    """Return the number of the last revision that each ancestor of a tag or the tip contains."""
    # Parents come before children in this order, so one pass suffices: a commit contains what its parents contain.
    reached: dict[str, int] = {}
    listed = repository.output("rev-list", "--topo-order", "--reverse", "--parents", "--tags", tip)
    for line in listed.decode().splitlines():
        commit, *parents = line.split(" ")
        number = numbers.get(commit)
        known = [reached[parent] for parent in parents if parent in reached] if number is None else [number]
        if known:
            reached[commit] = max(known)
    return reached
