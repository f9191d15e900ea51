"""Write a site of all ops: the releases that have each op, its arguments there, and where a model with it loads.

DIR is a new or empty folder, or one that an earlier `site` wrote, which is replaced. It appears when it is complete:
meanwhile its files are in DIR.incomplete. The site is static: any web server or file system shows it as it is. It
shows the released specs that opspec-lint brings (`opspec-lint specs`), or a part that --spec and --only select. The
same specs give the same files, byte for byte. `compat/` has the same facts as JSON. All released specs take about a
minute.
"""

from __future__ import annotations

import os
from contextlib import ExitStack

from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, InputError, UsageError, unknown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.site.build import Sources
    from opspec_lint.spec.model import Spec

SUMMARY = "write a site of all ops by release"
EXAMPLES = (
    "opspec-lint site ops/",
    "opspec-lint site ops/ --only onnx --only onnxruntime",
    "opspec-lint site ops/ --ops net.onnx",
    "opspec-lint site ops/ --history paddle.sqlite --proofs proofs.json",
)
_LIST_OF_NAMES = ".txt"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    from opspec_lint.cli.shared_options import configure_reading

    add = arguments.add
    add("folder", metavar="DIR", help="a folder for the site: new, empty, or an earlier site")
    add("--spec", repeats=True, metavar="NAME", help="only this released spec; may be repeated (default: all)")
    add("--only", repeats=True, metavar="FRAMEWORK", help="only the releases of this framework; may be repeated")
    add(
        "--ops",
        repeats=True,
        metavar="FILE",
        help="only the ops of this saved model, or those that a .txt file names, one name or pattern a line; may be "
        "repeated",
    )
    add("--history", repeats=True, metavar="FILE", help="a history, for the commits behind changes; may be repeated")
    add("--proofs", repeats=True, metavar="FILE", help="the output of `prove --format json`; may be repeated")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Return the files of the site. A file is made when it is written.

    Raises UsageError if the folder has other files. Making the files raises UsageError if a framework or op is unknown,
    InputError if a name is no released spec, or a spec, a model, a list of ops, a history or a proof cannot be read.
    """
    from opspec_lint.cli import whole_folder

    folder = os.path.normpath(options.folder)
    whole_folder.require_replaceable(folder)
    return Outcome(text="", code=CLEAN, files=_files(options, folder), folder=folder)


def _files(options: Options, folder: str) -> Iterator[OutputFile]:
    from opspec_lint.cli.progress import make_progress
    from opspec_lint.site import build

    with ExitStack() as stack:
        sources = _sources(options, stack)
        for path, text in build.files(sources, make_progress(options, "pages of ops", verb="writing")):
            yield OutputFile(path=os.path.join(folder, *path.split("/")), content=text)


def _sources(options: Options, stack: ExitStack) -> Sources:
    """Return the specs, histories, proofs and ops of the site; the histories are closed with `stack`."""
    from opspec_lint.history import store
    from opspec_lint.site.build import Sources

    ops = None if options.ops is None else tuple(dict.fromkeys(op for path in options.ops for op in _ops_of(path)))
    return Sources(
        specs=tuple(_specs(options)),
        histories=tuple(stack.enter_context(store.open_history(path)) for path in options.history or ()),
        proofs=tuple(options.proofs or ()),
        ops=ops,
    )


def _specs(options: Options) -> Iterator[tuple[str, Spec]]:
    """Yield the name and the spec of each release of the site."""
    from opspec_lint.cli.progress import make_progress
    from opspec_lint.cli.shared_options import reading
    from opspec_lint.sources import references

    names = _names(options)
    how, progress = reading(options), make_progress(options, "specs")
    for done, name in enumerate(names):
        progress(done, len(names), name)
        yield name, references.resolve(name, how).spec


def _names(options: Options) -> list[str]:
    """Return the names of the releases that the options select, older ones of a family first."""
    from opspec_lint.site.releases import framework_of
    from opspec_lint.sources import released

    names = released.names()
    if options.only is not None:
        frameworks = {framework_of(released.family(name)) for name in names}
        for framework in options.only:
            if framework not in frameworks:
                raise unknown_name("framework", framework, frameworks)
        names = [name for name in names if framework_of(released.family(name)) in options.only]
    if options.spec is not None:
        chosen = {released.full_name(name) for name in options.spec}
        names = [name for name in names if name in chosen]
    if not names:
        raise UsageError(
            "no release is of a framework of --only and named by --spec as well", advice="give one of them"
        )
    return names


def _ops_of(path: str) -> list[str]:
    """Return the ops of a saved model, or the names and patterns in a text file; a line may be a comment (`#`).

    Raises InputError if the file cannot be read, or names no op.
    """
    if path.endswith(_LIST_OF_NAMES):
        from opspec_lint.kit.named_file import read_named_file

        data = read_named_file(path, "list of ops", "name a text file with one op a line, or a saved model")
        lines = (line.strip() for line in data.decode("utf-8", "replace").splitlines())
        ops = [line for line in lines if line and not line.startswith("#")]
    else:
        from opspec_lint.models.recognise import read_model

        graphs = (graph for meta in read_model(path).meta_graphs for graph in meta.graphs)
        ops = sorted({op for graph in graphs for op in graph.distinct_ops()})
    if not ops:
        raise InputError(path, "names no op")
    return ops
