"""Write a site of all ops: the releases that have each op, its arguments there, and where a model with it loads.

DIR is a new or empty folder. The site is static: any web server or file system shows it as it is. It is about the
released specs that opspec-lint brings (`opspec-lint specs`), or about those of --spec. The same specs give the same
files, byte for byte. `data/` has the same facts as JSON. All released specs take about a minute.
"""

from __future__ import annotations

import os
from contextlib import ExitStack

from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.site.build import Sources

SUMMARY = "write a site of all ops by release"
EXAMPLES = (
    "opspec-lint site ops/",
    "opspec-lint site ops/ --history paddle.sqlite --proofs proofs.json",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    from opspec_lint.cli.shared_options import configure_reading

    add = arguments.add
    add("folder", metavar="DIR", help="a new or empty folder for the site")
    add("--spec", repeats=True, metavar="NAME", help="only this released spec; may be repeated (default: all)")
    add("--history", repeats=True, metavar="FILE", help="a history, for the commits behind changes; may be repeated")
    add("--proofs", repeats=True, metavar="FILE", help="the output of `prove --format json`; may be repeated")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Write the site, file by file.

    Raises UsageError if the folder has other files, or a name is no released spec, InputError if a spec, a history or a
    proof cannot be read.
    """
    _require_empty(options.folder)
    return Outcome(text="", code=CLEAN, files=_files(options), makes_folder=True)


def _require_empty(folder: str) -> None:
    # Files are yielded while the site is built: all of them together would not fit into memory.
    if os.path.lexists(folder) and not (os.path.isdir(folder) and not os.listdir(folder)):
        raise UsageError(f"{folder}: is not an empty folder", advice="name a new one, or delete it first")


def _files(options: Options) -> Iterator[OutputFile]:
    from opspec_lint.site import build

    with ExitStack() as stack:
        for path, text in build.files(_sources(options, stack)):
            place = os.path.join(options.folder, *path.split("/"))
            # Not durable: to flush thousands of files takes minutes, and the site can be built again.
            yield OutputFile(path=place, content=text, below=options.folder, is_durable=False)


def _sources(options: Options, stack: ExitStack) -> Sources:
    from opspec_lint.cli.shared_options import reading
    from opspec_lint.history import store
    from opspec_lint.site.build import Sources
    from opspec_lint.sources import references, released

    how = reading(options)
    names = released.names() if options.spec is None else [released.full_name(name) for name in options.spec]
    ordered = [name for name in released.names() if name in names]
    return Sources(
        specs=tuple((name, references.resolve(name, how).spec) for name in ordered),
        histories=tuple(stack.enter_context(store.open_history(path)) for path in options.history or ()),
        proofs=tuple(options.proofs or ()),
    )
