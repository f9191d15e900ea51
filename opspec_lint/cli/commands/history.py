"""Build or continue the history of a source: since when an argument is what it is.

SOURCE is a source tree with revisions (SCHEME:DIR or SCHEME:DIR@REVISION), or a spec file of a repository (PATH or
REVISION:PATH). The history goes along first parents, up to the revision that is named, or HEAD. It is one SQLite file.
It can be stopped at any time: the next run continues where it was, and adds what is new.

The file is a source: `history:FILE@REVISION` is the spec at any of its revisions. `opspec-lint log FILE` shows what
changed, `opspec-lint blame FILE OP` since when.
"""

from __future__ import annotations

from opspec_lint.cli.shared_options import configure_reading, reading
from opspec_lint.cli.walk_progress import shown
from opspec_lint.kit.command_line import Outcome
from opspec_lint.kit.errors import CLEAN
from opspec_lint.kit.text import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options

SUMMARY = "build or continue the history of a source"
FILE = "opspec-history.sqlite"


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("source", metavar="SOURCE", help="the source tree or spec file")
    arguments.add("--since", metavar="REVISION", help="the first revision (default: that of the repository)")
    arguments.add("--output", metavar="FILE", default=FILE, help=f"the file of the history (default: {FILE})")
    configure_reading(arguments)


def run(options: Options) -> Outcome:
    """Build or continue the history, and say what was added."""
    from opspec_lint.git.fetching import require_commit
    from opspec_lint.history import contracts, store, walk
    from opspec_lint.sources.reading import open_repositories

    how = reading(options)
    with open_repositories(how) as repositories:
        topic = contracts.topic_of(options.source, how, repositories)
        since = None if options.since is None else require_commit(topic.opened.repository, options.since)
        with store.opened_to_write(options.output) as writer:
            walked = walk.follow(writer, topic, since, shown(options))
            last = writer.last()
    now = "" if last is None else f", up to {last.id[:10]} of {last.date}"
    remarks = (*walked.remarks, f"{options.output}: {plural(walked.added, 'revision')} added{now}")
    return Outcome(text="", code=CLEAN, remarks=remarks)
