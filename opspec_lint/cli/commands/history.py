"""Build or continue the history of a source: its contract at every commit.

SOURCE is a source tree with revisions (SCHEME:DIR or SCHEME:DIR@REVISION), or a spec file of a repository (PATH or
REVISION:PATH). With --export, it may also be the file of a history.

The history follows first parents up to the named revision, by default HEAD. It is one SQLite file. The command can be
stopped at any time: the next run continues, and adds the revisions that are new.

The file is a source: `history:FILE@REVISION` is the spec at any of its revisions. `opspec-lint log FILE` shows the
commits that changed the contract, `opspec-lint blame FILE OP` the commit behind each value of an op.
"""

from __future__ import annotations

import os

from opspec_lint.cli.output import require_place
from opspec_lint.cli.progress import make_progress
from opspec_lint.cli.shared_options import configure_reading, reading
from opspec_lint.kit.command_line import Outcome, OutputFile, choice_of
from opspec_lint.kit.errors import CLEAN, UsageError, unknown_name
from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "build or continue the history of a source"
EXAMPLES = ("opspec-lint history paddle-source:. --since v2.6.2 --output paddle.sqlite",)
FILE = "opspec-history.sqlite"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("source", metavar="SOURCE", help="the source tree or spec file")
    arguments.add("--since", metavar="REVISION", help="the first revision (default: that of the repository)")
    arguments.add("--output", metavar="FILE", default=FILE, help=f"the file of the history (default: {FILE})")
    arguments.add(
        "--jobs",
        accept=choice_of("number of processes", _jobs),
        known=_jobs,
        default="2",
        help="the processes that may read many revisions at once (default: 2)",
    )
    arguments.add(
        "--export",
        values=2,
        metavar=("FORMAT", "DIR"),
        help="write the tables of the history as files of a folder: csv, or parquet, which needs pyarrow",
    )
    configure_reading(arguments)


def _jobs() -> tuple[str, ...]:
    return ("1", "2")


def run(options: Options) -> Outcome:
    """Build or continue the history, and report what was added; with --export, return its tables as files."""
    from opspec_lint.history import store

    exists = os.path.isfile(options.source) and store.is_history(options.source)
    if exists and not options.export:
        raise UsageError(f"{options.source} is a history", advice="name the source that it is the history of")
    remarks = () if exists else _build(options)
    files = _export(options.source if exists else options.output, *options.export) if options.export else ()
    return Outcome(text="", code=CLEAN, files=files, makes_folder=True, remarks=remarks)


def _build(options: Options) -> tuple[str, ...]:
    """Build or continue the history, and return remarks for the user."""
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.history import contracts, store, walk
    from opspec_lint.history.gaps import gap_text, gaps
    from opspec_lint.sources.reading import open_repositories

    # Before the walk, which may take an hour: SQLite would report an unwritable place only when it opens the file.
    require_place(options.output)
    how = reading(options)
    with open_repositories(how) as repositories:
        topic = contracts.topic_of(options.source, how, repositories)
        since = None if options.since is None else require_commit(topic.opened.repository, options.since)
        with store.open_history_to_write(options.output) as writer:
            walked = walk.build_history(writer, topic, since, make_progress(options, "revisions"), int(options.jobs))
            last = writer.last()
            newest = -1 if last is None else last.number
            unread = gaps(writer, newest - walked.added, newest)
    now = "" if last is None else f", up to {last.id[:10]} of {last.date}"
    return (*walked.remarks, *map(gap_text, unread), f"{options.output}: {plural(walked.added, 'revision')} added{now}")


def _export(file: str, form: str, folder: str) -> tuple[OutputFile, ...]:
    """Return the tables of a history as files. Raises UsageError for an unknown format, or a missing library."""
    from opspec_lint.history import export, store

    if form not in export.FORMATS:
        raise unknown_name("format", form, export.FORMATS)
    with store.open_history(file) as history:
        return tuple(
            OutputFile(path=os.path.join(folder, name), content=content)
            for name, content in export.export_tables(history, form)
        )
