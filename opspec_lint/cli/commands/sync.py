"""Hold the spec files of a repository against what they are extracted from.

The configuration says which source a spec file belongs to. A file that is not, byte for byte, what its source yields is
named with the command that updates it.
"""

from __future__ import annotations

import os

from opspec_lint.cli.shared_options import extract_command
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_at
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.kit.text import one_line
from opspec_lint.project import config
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.project.config import Config

SUMMARY = "compare spec files with their source"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("--staged", values=0, help="check the staged files, not the work tree")
    arguments.add("--config", metavar="FILE", help="use this configuration file, not the repository's own")


def run(options: Options) -> Outcome:
    """Compare, and return a line for each file; the exit code is 1 if any differs.

    Raises:
        UsageError: there is no configuration, or it names no source.
    """
    repository = repository_at(".", options.environment, advice="run it in the repository of the spec files")
    objects = Objects(repository)
    try:
        tree = Snapshot(repository, objects, INDEX if options.staged else WORK_TREE)
        found = (
            config.find(tree, repository.prefix)
            if options.config is None
            else config.read(options.config, repository.top)
        )
        lines = list(_lines(tree.including(() if found is None else found.include), _sources(found)))
    finally:
        objects.close()
    text = "\n".join([*(one_line(line) for _, line in lines), ""])
    return Outcome(text=text, code=CLEAN if all(is_same for is_same, _ in lines) else FINDINGS)


def _sources(found: Config | None) -> dict[str, str]:
    """Return the source of each spec file that a configuration gives one."""
    given = {} if found is None else {each.pattern: each.source for each in found.specs if each.source is not None}
    if found is not None and found.source:
        if len(found.specs) != 1 or len(found.source) != 1 or given:
            raise UsageError(
                f"{found.file}: `source` applies to one spec file, but there are {_counted(found)}",
                advice='give each its own: specs = [{ file = "...", source = "..." }]',
            )
        given = {found.specs[0].pattern: found.source[0]}
    for pattern in given:
        if any(char in pattern for char in "*?"):
            raise UsageError(f"{pattern!r} is a pattern; a source belongs to one file", advice="name the file")
    if not given:
        raise UsageError(
            "no configuration names the source of the spec files",
            advice='in opspec-lint.toml: specs = [{ file = "specs/ops.json", source = "paddle-runtime" }]',
        )
    return given


def _counted(found: Config) -> str:
    return f"{len(found.source)} sources" if len(found.source) > 1 else str(len(found.specs))


def _lines(tree: Snapshot, given: dict[str, str]) -> Iterator[tuple[bool, str]]:
    """Yield for each file whether it is what its source yields, and a line on that."""
    for path, source in given.items():
        reference = _reference(source, tree)
        include = tuple(os.path.relpath(os.path.join(tree.repository.top, each)) for each in tree.include)
        found = references.resolve(reference, Reading(environment=tree.repository.environment, include=include)).spec
        expected = canonical.dumps(found).encode()
        actual = tree.read(path)
        if actual == expected:
            yield True, f"{path} is up to date with {source}"
        else:
            is_staged = reference.startswith(":")
            name = f"{source} (staged)" if is_staged else source
            where = "is missing" if actual is None else f"differs from {name} from line {_first(actual, expected)} on"
            yield False, f"{path} {where}; run `{extract_command(reference if is_staged else source, path)}`"


def _reference(source: str, tree: Snapshot) -> str:
    """Return the reference of a source as it stands in a tree.

    A file that git does not track is read from the work tree, even if the index is checked.
    """
    top = tree.repository.top
    if references.has_revisions(source):
        return references.at(source, tree.revision)
    if references.is_no_file(source):
        return source
    staged = references.in_index(source, tree.repository) if tree.revision == INDEX else None
    return staged or os.path.relpath(os.path.join(top, source))


def _first(actual: bytes, expected: bytes) -> int:
    """Return the number of the first line that is not the same."""
    from itertools import zip_longest

    pairs = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True))
    return next(number for number, (ours, theirs) in enumerate(pairs, 1) if ours != theirs)
