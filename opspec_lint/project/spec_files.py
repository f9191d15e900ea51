"""Selection of the spec files of a repository, and of those that were changed, moved or removed."""

from __future__ import annotations

import posixpath

from opspec_lint.kit.errors import UsageError, similar_name_advice
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
"""The folder of spec files if no configuration names any."""
SUFFIXES = (".json", ".spec", ".yaml", ".yml")
"""Extensions of spec files: such a file must be a spec. For other files, the content decides."""


class SpecSet(Record):
    """The spec files of a repository: paths that match a pattern, and all under specs/ if `has_default`."""

    patterns: tuple[str, ...]
    has_default: bool = False

    @property
    def is_default(self) -> bool:
        """True if no configuration names spec files."""
        return not self.patterns

    def __contains__(self, path: object) -> bool:
        """Return whether a path counts as a spec file."""
        # A JSON Schema beside spec files describes them, and is not one of them.
        if not isinstance(path, str) or path.endswith(".schema.json"):
            return False
        return (self.has_default and path.startswith(f"{FOLDER}/")) or self._is_named(path)

    def must_be_spec(self, path: str) -> bool:
        """Return whether a file in the set has to be a spec, so that any other content is an error."""
        return posixpath.splitext(path)[1] in SUFFIXES or self._is_named(path)

    def _is_named(self, path: str) -> bool:
        return any(matches(pattern, path) for pattern in self.patterns)


def spec_set(configs: Iterable[Config | None]) -> SpecSet:
    """Return the spec files that configurations name, or those under specs/."""
    named = [() if config is None else tuple(entry.pattern for entry in config.specs) for config in configs]
    patterns = dict.fromkeys(pattern for names in named for pattern in names)
    return SpecSet(patterns=tuple(patterns), has_default=not named or not all(named))


def check_named(
    config: Config | None,
    paths: Collection[str],
    others: Collection[str] = (),
    before: Callable[[], Collection[str]] = tuple,
) -> None:
    """Raise UsageError if a pattern of the configuration matches no file.

    `paths` are the files that may match, `others` those to suggest, and `before` returns the files of base.
    """
    if config is None:
        return
    for entry in config.specs:
        chosen = SpecSet(patterns=(entry.pattern,))
        if any(path in chosen for path in paths):
            continue
        deleted = sorted(path for path in before() if path in chosen)
        if deleted:
            raise UsageError(
                f"{config.file}: specs: every file of {entry.pattern!r} was deleted: base has "
                f"{listing(deleted, _MOST_NAMED)}",
                advice="restore them, or remove the entry from `specs` as well",
            )
        near = similar_name_advice(entry.pattern, others)
        raise UsageError(
            f"{config.file}: specs: there is no file {entry.pattern!r}",
            advice=near or "write paths relative to the folder of the configuration",
        )


def changed_spec_files(specs: SpecSet, moves: Sequence[ChangedFile]) -> list[ChangedFile]:
    """Return the changed files that are or were spec files, in order of name.

    A file that moved to a path outside of the set counts as removed: nobody would check it again.
    """
    spec_changes = [
        change if change.new in specs else change.replace(new=None)
        for change in moves
        if change.new in specs or change.old in specs
    ]
    return sorted(spec_changes, key=lambda change: (change.new or change.old or "", change.old or ""))
