"""Hold the spec files of a repository against what they are extracted from.

The configuration says which source a spec file belongs to. A file that is not, byte for byte, what its source yields is
named with the command that mends it.
"""

from __future__ import annotations

from opspec_lint import config, git, sources, specfile
from opspec_lint.errors import CLEAN, FINDINGS, UsageError
from opspec_lint.objects import Objects
from opspec_lint.options import Outcome
from opspec_lint.plain import one_line
from opspec_lint.trees import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from opspec_lint.config import Config
    from opspec_lint.options import Parser

SUMMARY = "hold spec files against their source"


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    parser.add_argument("--staged", action="store_true", help="look at what is staged, and not at the work tree")
    parser.add_argument("--config", metavar="FILE", help="a configuration in place of the repository's own")


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - no colours yet
    """Compare, and return a line for each file; the exit code is 1 if any differs.

    Raises:
        UsageError: there is no configuration, or it names no source.
    """
    repository = git.here(".", options.environment, advice="run it in the repository of the spec files")
    objects = Objects(repository)
    try:
        tree = Tree(repository, objects, git.INDEX if options.staged else git.WORK_TREE)
        found = (
            config.find(tree, repository.prefix)
            if options.config is None
            else config.read(options.config, repository.top)
        )
        lines = list(_lines(tree, _sources(found)))
    finally:
        objects.close()
    text = "\n".join([*(one_line(line) for _, line in lines), ""])
    return Outcome(text=text, code=CLEAN if all(is_same for is_same, _ in lines) else FINDINGS)


def _sources(found: Config | None) -> dict[str, str]:
    """Return the source of each spec file that a configuration gives one."""
    given = {} if found is None else {each.pattern: each.source for each in found.specs if each.source is not None}
    if found is not None and found.source is not None:
        if len(found.specs) != 1 or given:
            raise UsageError(
                f"{found.file}: `source` is for one spec file, and there are {len(found.specs)}",
                advice='give each its own: specs = [{ file = "...", source = "..." }]',
            )
        given = {found.specs[0].pattern: found.source}
    for pattern in given:
        if any(char in pattern for char in "*?"):
            raise UsageError(f"{pattern!r} is a pattern; a source belongs to one file", advice="name the file")
    if not given:
        raise UsageError(
            "no configuration says what the spec files are extracted from",
            advice='in opspec-lint.toml: specs = [{ file = "specs/ops.json", source = "paddle-runtime" }]',
        )
    return given


def _lines(tree: Tree, given: dict[str, str]) -> Iterator[tuple[bool, str]]:
    """Yield for each file whether it is what its source yields, and a line on that."""
    for path, source in given.items():
        reference = sources.at(source, tree.revision) if sources.has_revisions(source) else source
        expected = specfile.dumps(sources.resolve(reference, tree.repository.environment)).encode()
        actual = tree.read(path)
        if actual == expected:
            yield True, f"{path} is what {source} yields"
        else:
            where = "is missing" if actual is None else f"differs from {source} from line {_first(actual, expected)} on"
            yield False, f"{path} {where}; run `{_mending(source, path)}`"


def _mending(source: str, path: str) -> str:
    import shlex

    return shlex.join(["opspec-lint", "extract", source, "--output", path])


def _first(actual: bytes, expected: bytes) -> int:
    """Return the number of the first line that is not the same."""
    from itertools import zip_longest

    pairs = zip_longest(actual.splitlines(keepends=True), expected.splitlines(keepends=True))
    return next(number for number, (ours, theirs) in enumerate(pairs, 1) if ours != theirs)
