"""Show the commits that changed the contract, newest first, each with its findings.

SOURCE is the file of a history, which `opspec-lint history` builds; or a source with revisions, whose history is then
kept in the cache directory. A..B are the commits after A, up to B.

The exit code is 0 whatever the findings: the command looks up, and checks nothing.
"""

from __future__ import annotations

from opspec_lint.cli.destinations import configure_formats, destinations
from opspec_lint.cli.progress import make_progress
from opspec_lint.cli.shared_options import configure_reading, reading
from opspec_lint.kit.command_line import Outcome, OutputFile, choice_of
from opspec_lint.kit.errors import CLEAN, InputError, UsageError, unknown_name
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import LEVELS, REPORTED_LEVELS
from opspec_lint.report.reporter import REPORTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from opspec_lint.history.gaps import Gap
    from opspec_lint.history.log import LoggedCommit
    from opspec_lint.history.store import Commit, History
    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.report.findings import Finding

SUMMARY = "show the commits that changed the contract"
EXAMPLES = (
    "opspec-lint log paddle.sqlite",
    "opspec-lint log paddle.sqlite v2.6.2..v3.0.0 --op 'conv*'",
)
_SHOWS_GAPS = ("text", "json", "html")
"""Formats with a place for revisions that could not be read; with another one, remarks name them."""


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("source", metavar="SOURCE", help="the file of a history, or a source with revisions")
    add("range", metavar="A..B", values="?", help="the commits after A, up to B (default: all)")
    add("--op", repeats=True, metavar="OP", help="only findings of this op, or of a pattern ('conv*'); may be repeated")
    add("--arg", repeats=True, metavar="NAME", help="only findings of the argument of this name; may be repeated")
    add("--rule", repeats=True, metavar="RULE", help="only findings of this rule; may be repeated")
    add(
        "--level",
        accept=choice_of("level", _levels),
        known=_levels,
        help="only findings of this level, or of a worse one",
    )
    add(
        "--profile",
        accept=choice_of("profile", PROFILES.names),
        known=PROFILES.names,
        metavar="NAME",
        help=lambda: f"the policy: {', '.join(PROFILES.names())} (default: that of the framework)",
    )
    configure_reading(arguments)
    configure_formats(arguments, REPORTERS.names)


def _levels() -> tuple[str, ...]:
    return REPORTED_LEVELS


def run(options: Options) -> Outcome:
    """Return the commits with their findings."""
    from opspec_lint.history import cached_history, log
    from opspec_lint.history.gaps import gap_text, gaps

    targets = destinations(options.format or (), options.output)
    policy = None if options.profile is None else PROFILES.load(options.profile)
    ends = _parse_range(options.range)
    with cached_history.history_of(
        options.source, reading(options), make_progress(options, "revisions", announces=True), ends
    ) as history:
        base, head = _commits(history, ends)
        _require_ops(history, options.op)
        # A history is replayed from the oldest revision; the output begins with the newest one.
        commits = list(log.entries(history, base, head, policy, _finding_filter(options)))[::-1]
        unread = gaps(history, base.number, head.number)
        texts = [(_render(name, commits, unread, history), file) for name, file in targets]
    has_room = all(name in _SHOWS_GAPS for name, _ in targets)
    files = [OutputFile(path=file, content=text) for text, file in texts if file is not None]
    text = "".join(text for text, file in texts if file is None)
    remarks = () if has_room else tuple(map(gap_text, unread))
    return Outcome(text=text, code=CLEAN, files=files, makes_folder=True, remarks=remarks)


def _parse_range(text: str | None) -> tuple[str | None, str | None]:
    """Parse A..B; an end is None if it is left out. Raises UsageError for another text."""
    if text is None:
        return None, None
    base, dots, head = text.partition("..")
    if not dots or head.startswith("."):
        raise UsageError(f"{text!r} is no range of commits", advice="write A..B, A.. or ..B")
    return base or None, head or None


def _commits(history: History, ends: tuple[str | None, str | None]) -> tuple[Commit, Commit]:
    first, last = history.first(), history.last()
    if first is None or last is None:
        raise InputError(history.file, "has no revision", advice="`opspec-lint history SOURCE --output FILE` builds it")
    base, head = ends
    return first if base is None else history.commit(base), last if head is None else history.commit(head)


def _require_ops(history: History, patterns: Sequence[str] | None) -> None:
    from opspec_lint.spec import op_choice

    names = set() if patterns is None else set(history.ops())
    missing = op_choice.unmatched_patterns(patterns or (), names)
    if missing:
        raise unknown_name("op", missing[0], names)


def _finding_filter(options: Options) -> Callable[[Finding], bool]:
    """Return a predicate for the findings that the options select."""
    from opspec_lint.spec.op_choice import matches_any

    def is_selected(finding: Finding) -> bool:
        return (
            (options.op is None or (finding.op is not None and matches_any(finding.op, options.op)))
            and (options.arg is None or finding.name in options.arg or finding.new_name in options.arg)
            and (options.rule is None or finding.rule in options.rule)
            and (options.level is None or LEVELS.index(finding.level) >= LEVELS.index(options.level))
        )

    return is_selected


def _render(name: str, commits: Sequence[LoggedCommit], gaps: Sequence[Gap], history: History) -> str:
    """Return a log in an output format."""
    from opspec_lint.history import log_text

    if name == "text":
        return log_text.to_text(commits, gaps)
    if name == "json":
        return log_text.to_json(commits, gaps, history.about().get("source", ""))
    if name == "html":
        from opspec_lint.history import page

        return page.render(commits, gaps, history)
    from opspec_lint.lint.check import report

    return REPORTERS.load(name).render(report(*(comparison for entry in commits for comparison in entry.comparisons)))
