"""Show the commit behind each argument and field of an op.

SOURCE is the file of a history, which `opspec-lint history` builds; or a source with revisions. The history of a spec
file is then kept in the cache directory; of a source tree, only the revisions that concern the op are read. Each line
has the commit that brought the value, its date, its pull request, and the first release that contains it. A field is
left out if it has its default value, and always had it. A long search for the changes of an op names the newest one on
standard error as soon as it is known.
"""

from __future__ import annotations

from opspec_lint.cli.progress import make_progress
from opspec_lint.cli.shared_options import configure_format, configure_reading, outcome, reading
from opspec_lint.kit.errors import CLEAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Arguments, Options, Outcome

SUMMARY = "show the commit behind each argument and field of an op"
EXAMPLES = ("opspec-lint blame paddle.sqlite softmax",)


def formats() -> tuple[str, ...]:
    """Return the names of the output formats."""
    return ("text", "json")


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.add("source", metavar="SOURCE", help="the file of a history, or a source with revisions")
    arguments.add("op", metavar="OP", help="the name of the op")
    arguments.add("--at", metavar="REVISION", help="the revision (default: the last one)")
    since_help = "the first revision to read (default: the root); not for the file of a history"
    arguments.add("--since", metavar="REVISION", help=since_help)
    configure_reading(arguments)
    configure_format(arguments, formats)
    arguments.add("--output", metavar="FILE", help="the file for the text (default: -, standard output)")


def run(options: Options) -> Outcome:
    """Return the fields of the op, each with the commit that set it."""
    from opspec_lint.history import blame, cached_history
    from opspec_lint.history.gaps import gaps
    from opspec_lint.history.requested_op import RequestedOp

    ends = options.since, options.at
    progress = make_progress(options, "revisions", announces=True)
    # A terminal shows the newest change in the line of progress.
    op = RequestedOp(name=options.op, announce=options.tell or (lambda _: None))
    with cached_history.history_of(options.source, reading(options), progress, ends, op) as history:
        at = history.commit(options.at or "HEAD")
        blamed = blame.blame(history, options.op, at)
        render = blame.to_json if options.format == "json" else blame.to_text
        text = render(blamed, gaps(history, -1, at.number), options.op, at, blame.coverage(history))
    return outcome(text, CLEAN, options.output)
