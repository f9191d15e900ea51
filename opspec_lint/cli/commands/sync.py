"""Compare the spec files of a repository with the sources that they are extracted from.

The configuration names the source of each spec file. The command lists each file that differs in a byte from the spec
of its source, with the command line that updates the file.
"""

from __future__ import annotations

import os

from opspec_lint.cli.shared_options import extract_command
from opspec_lint.git.objects import Objects
from opspec_lint.git.repository import INDEX, WORK_TREE, repository_at
from opspec_lint.git.snapshot import Snapshot
from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, FINDINGS, OpspecError, UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.kit.record import Record
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
EXAMPLES = (
    "opspec-lint sync",
    "opspec-lint sync --fix",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("--staged", values=0, help="check the staged files, not the work tree")
    arguments.add("--config", metavar="FILE", help="use this configuration file, not the repository's own")
    arguments.add("--fix", values=0, help="write the spec files that differ from their source")
    arguments.add("--diff", values=0, help="print what --fix would change as a unified diff, and change nothing")


class _FileState(Record):
    """A spec file: its content, None if it is missing, the content that its source gives, and a line on both."""

    path: str
    actual: bytes | None
    expected: bytes
    line: str

    @property
    def is_same(self) -> bool:
        return self.actual == self.expected


def run(options: Options) -> Outcome:
    """Compare spec files with their sources, and return a line for each; the exit code is 1 if any differs.

    Raises UsageError if no configuration names a source, or --fix and --staged are combined.
    """
    if options.fix and options.staged:
        raise UsageError(
            "--fix writes files of the work tree, and --staged checks the index", advice="remove one of them"
        )
    repository = repository_at(".", options.environment, advice="run it in the repository of the spec files")
    objects = Objects(repository)
    try:
        tree = Snapshot(repository, objects, INDEX if options.staged else WORK_TREE)
        if options.config is None:
            project_config = config.find(tree, repository.prefix)
        else:
            project_config = config.read(options.config, repository.top)
        include = () if project_config is None else project_config.include
        every = list(_file_states(tree.with_include(include), _sources(project_config)))
    finally:
        objects.close()
    code = CLEAN if all(state.is_same for state in every) else FINDINGS
    if options.diff:
        return Outcome(text="".join(map(_diff, every)), code=code, is_raw=True)
    if options.fix:
        files = [_output_file(state, repository.top) for state in every if not state.is_same]
        lines = [state.line if state.is_same else f"{state.path} is written" for state in every]
        return Outcome(text="\n".join([*map(one_line, lines), ""]), code=CLEAN, files=files, makes_folder=True)
    return Outcome(text="\n".join([*(one_line(state.line) for state in every), ""]), code=code)


def _output_file(state: _FileState, top: str) -> OutputFile:
    """Return the file with the content from its source; it is not written if it changed since it was compared."""
    path = os.path.join(top, state.path)

    def content() -> bytes:
        # An edit that was saved meanwhile must not be lost.
        if state.actual is not None and read_named_file(path, "spec file", "") != state.actual:
            raise OpspecError(f"{state.path}: changed since it was read", advice="run it again")
        return state.expected

    return OutputFile(path=path, content=content, below=top, is_new=state.actual is None)


def _diff(state: _FileState) -> str:
    """Return the diff from the content of a spec file to the one that its source has now."""
    from opspec_lint.fixes.text_file import TextFile
    from opspec_lint.fixes.unified import unified_diff

    try:
        file = TextFile(state.path, state.actual)
    except UnicodeDecodeError:
        raise UsageError(f"{state.path}: is not UTF-8, so there is no diff", advice="write it with --fix") from None
    return unified_diff(file, [file.replaced(state.expected.decode())])


def _sources(project_config: Config | None) -> dict[str, str]:
    """Return the configured source of each spec file."""
    given: dict[str, str] = {}
    if project_config is not None:
        given = {entry.pattern: entry.source for entry in project_config.specs if entry.source is not None}
    if project_config is not None and project_config.source:
        if len(project_config.specs) != 1 or len(project_config.source) != 1 or given:
            count = _count_text(project_config)
            raise UsageError(
                f"{project_config.file}: `source` applies to one spec file, but there are {count}",
                advice='give each its own: specs = [{ file = "...", source = "..." }]',
            )
        given = {project_config.specs[0].pattern: project_config.source[0]}
    for pattern in given:
        if any(char in pattern for char in "*?"):
            raise UsageError(f"{pattern!r} is a pattern; a source belongs to one file", advice="name the file")
    if not given:
        raise UsageError(
            "no configuration names the source of the spec files",
            advice='in opspec-lint.toml: specs = [{ file = "specs/ops.json", source = "paddle-runtime" }]',
        )
    return given


def _count_text(project_config: Config) -> str:
    return f"{len(project_config.source)} sources" if len(project_config.source) > 1 else str(len(project_config.specs))


def _file_states(tree: Snapshot, given: dict[str, str]) -> Iterator[_FileState]:
    """Yield the state of each file, compared with its source."""
    for path, source in given.items():
        reference = _reference(source, tree)
        include = tuple(os.path.relpath(os.path.join(tree.repository.top, folder)) for folder in tree.include)
        spec = references.resolve(reference, Reading(environment=tree.repository.environment, include=include)).spec
        expected = canonical.dumps(spec).encode()
        actual = tree.read(path)
        line = f"{path} is up to date with {source}"
        if actual != expected:
            is_staged = reference.startswith(":")
            name = f"{source} (staged)" if is_staged else source
            where = "is missing"
            if actual is not None:
                where = f"differs from {name} from line {_first_difference(actual, expected)} on"
            line = f"{path} {where}; run `{extract_command(reference if is_staged else source, path)}`"
        yield _FileState(path=path, actual=actual, expected=expected, line=line)


def _reference(source: str, tree: Snapshot) -> str:
    """Return the reference of a source in a tree.

    A file that git does not track is read from the work tree, even if the index is checked.
    """
    top = tree.repository.top
    if references.has_revisions(source):
        return references.source_at_revision(source, tree.revision)
    if references.is_no_file(source):
        return source
    staged = references.in_index(source, tree.repository) if tree.revision == INDEX else None
    return staged or os.path.relpath(os.path.join(top, source))


def _first_difference(actual: bytes, expected: bytes) -> int:
    """Return the number of the first line that differs."""
    from itertools import zip_longest

    pairs = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True))
    return next(number for number, (actual_line, expected_line) in enumerate(pairs, 1) if actual_line != expected_line)
