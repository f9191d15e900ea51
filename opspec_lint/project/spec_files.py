"""Which files of a repository are spec files, and which of them stand at base under another name, or not at all."""

from __future__ import annotations

import posixpath

from opspec_lint.kit.errors import UsageError, nearest_advice
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import listing
from opspec_lint.project.patterns import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from opspec_lint.git.repository import ChangedFile
    from opspec_lint.project.config import Config

_MOST_NAMED = 5
"""Files that a message lists."""
FOLDER = "specs"
"""Where spec files are looked for unless a configuration says otherwise."""
SUFFIXES = (".json", ".spec", ".yaml", ".yml")
"""A file of such a name that should be a spec is one, or wrong. What any other file is, its content tells."""


class SpecSet(Record):
    """What counts as a spec file: paths that match a pattern, and all under specs/ if `has_default`."""

    patterns: tuple[str, ...]
    has_default: bool = False

    @property
    def is_default(self) -> bool:
        """Whether nobody named any."""
        return not self.patterns

    def __contains__(self, path: object) -> bool:
        """Tell whether a path is one of a spec file."""
        if not isinstance(path, str) or path.endswith(".schema.json"):
            return False
        return (self.has_default and path.startswith(f"{FOLDER}/")) or self._is_named(path)

    def is_surely_one(self, path: str) -> bool:
        """Tell whether a file that counts as a spec file has to be one; what it holds may tell otherwise."""
        return posixpath.splitext(path)[1] in SUFFIXES or self._is_named(path)

    def _is_named(self, path: str) -> bool:
        return any(matches(pattern, path) for pattern in self.patterns)


def spec_set(configs: Iterable[Config | None]) -> SpecSet:
    """Return the spec files of some configurations: those that they name, or all under specs/."""
    named = [() if config is None else tuple(each.pattern for each in config.specs) for config in configs]
    patterns = dict.fromkeys(pattern for each in named for pattern in each)
    return SpecSet(patterns=tuple(patterns), has_default=not named or not all(named))


def check_named(
    config: Config | None,
    paths: Collection[str],
    others: Collection[str] = (),
    before: Callable[[], Collection[str]] = tuple,
) -> None:
    """Make sure that every pattern of a configuration matches a file.

    Args:
        config: the configuration.
        paths: the files that could match.
        others: the files among which what was meant may be.
        before: returns the files of base.

    Raises:
        UsageError: a pattern matches none.
    """
    for entry in config.specs if config is not None else ():
        chosen = SpecSet(patterns=(entry.pattern,))
        if not any(path in chosen for path in paths):
            deleted = sorted(path for path in before() if path in chosen)
            if deleted:
                raise UsageError(
                    f"{config.file if config else ''}: specs: every file of {entry.pattern!r} was deleted: base has "
                    f"{listing(deleted, _MOST_NAMED)}",
                    advice="restore them, or remove the entry from `specs` as well",
                )
            near = nearest_advice(entry.pattern, others)
            raise UsageError(
                f"{config.file if config else ''}: specs: there is no file {entry.pattern!r}",
                advice=near if near.startswith("did") else "write paths relative to the folder of the configuration",
            )


def changed(specs: SpecSet, moves: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Return those of some changed files that are, or were, spec files, in order of name.

    One that has moved to where it is no spec file is gone: nobody would look at it again.
    """
    found = [
        each if each.new in specs else each.replace(new=None)
        for each in moves
        if each.new in specs or each.old in specs
    ]
    return sorted(found, key=lambda each: (each.new or each.old or "", each.old or ""))
