"""Check a branch, or compare two specs, and judge every difference.

Without BASE and HEAD, all contracts of the repository are checked: the work tree is compared with its merge base with
the branch that --base names (by default, the default branch of the remote, else main or master). The configuration
names the contracts; without one, they are the spec files under specs/ and the source trees of frameworks. A source tree
alone is checked in the same way: SOURCE --base REVISION, SOURCE@A... (the same, for A) or SOURCE@A...B (for A, with B
in place of the work tree).

With BASE and HEAD, these two are compared as they are. BASE is the spec that existing models were saved with, HEAD is
the spec that replaces it. Each is a spec file (a canonical spec in JSON or YAML, or the output of Paddle's
print_op_desc), such a file at a revision of the current repository (REVISION:PATH) or in its index (:PATH), or a
source.
"""

from __future__ import annotations

from opspec_lint.cli.comparison import make_report
from opspec_lint.cli.destinations import configure_formats, destinations
from opspec_lint.cli.release_order import order_hints
from opspec_lint.cli.shared_options import configure_inputs, schemes
from opspec_lint.kit.command_line import Outcome, OutputFile, choice_of
from opspec_lint.kit.errors import CLEAN, FINDINGS
from opspec_lint.kit.text import listing, plural
from opspec_lint.report.findings import REPORTED_LEVELS
from opspec_lint.report.reporter import REPORTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.kit.terminal import Terminal
    from opspec_lint.report.findings import Report
    from opspec_lint.report.reporter import Reporter

SUMMARY = "check a branch, or compare two specs, and judge every difference"
EXAMPLES = (
    "opspec-lint check --base origin/main",
    "opspec-lint check paddle-source:.@origin/develop...",
    "opspec-lint check --base origin/main --format text --format html=review.html",
    "opspec-lint check paddle@2.6.2 paddle@3.0.0",
)


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    arguments.listing = schemes
    arguments.add(
        "base_spec", metavar="BASE", values="?", help="a source tree to check, or the spec of existing models"
    )
    arguments.add("head_spec", metavar="HEAD", values="?", help="the spec that replaces BASE")
    configure_inputs(arguments)
    configure_formats(arguments, REPORTERS.names)
    arguments.add(
        "--fail-on",
        metavar="LEVEL",
        default="error",
        accept=choice_of("level", _levels),
        known=_levels,
        help="the exit code is 1 from findings of this level on: note, warning or error (default: error)",
    )
    help_text = "print a report only if the check fails; in the text report, only the findings that fail"
    arguments.add("--quiet", values=0, help=help_text)
    arguments.add(
        "--color",
        metavar="WHEN",
        default="auto",
        accept=choice_of("choice", _color_choices),
        known=_color_choices,
        help="colors in the text report: auto, always or never (default: auto)",
    )
    arguments.add(
        "--no-legend",
        values=0,
        help="leave out the explanation of terms, which the first report with findings on a terminal has",
    )
    arguments.add("--statistics", values=0, help="count findings by rule; the same as --format statistics")
    arguments.add("--reviews", metavar="FILE", help="GitHub's list of reviews, for findings that need an approval")
    arguments.add("--author", metavar="LOGIN", help="the author of the change, who cannot approve it")
    arguments.add(
        "--proofs",
        repeats=True,
        metavar="FILE",
        help="the output of `prove --format json`, for the report",
    )
    help_text = "apply the safe fixes to the files of the work tree, or with =unsafe all, and check again"
    arguments.add("--fix", bare="safe", metavar="[=SAFETY]", accept=choice_of("safety", _safeties), help=help_text)
    help_text = "print the safe fixes, or those of --fix, as a unified diff, and change nothing"
    arguments.add("--diff", values=0, help=help_text)
    arguments.add("--released", metavar="VERSION", help="the version of BASE, from which the next version is derived")
    arguments.add("--next", metavar="VERSION", help="the next version; the check fails if it is too small")


def _levels() -> tuple[str, ...]:
    return REPORTED_LEVELS


def _safeties() -> tuple[str, ...]:
    return ("safe", "unsafe")


def _color_choices() -> tuple[str, ...]:
    return ("auto", "always", "never")


def run(options: Options) -> Outcome:
    """Check, and return the report; the exit code is 1 if a finding has the level of --fail-on."""
    formats: list[tuple[str, str | None]] = list(options.format or ())
    if options.statistics:
        formats.append(("statistics", None))
    targets = destinations(formats, options.output)
    reporters = {name: REPORTERS.load(name) for name, _ in targets}
    report, remarks = _checked(options, reporters.values())
    files = [
        OutputFile(path=file, content=reporters[name].render_parts(report))
        for name, file in targets
        if file is not None
    ]
    code = FINDINGS if report.has(options.fail_on) else CLEAN
    if options.diff:
        from opspec_lint.cli.fixing import diff

        text, remarks = diff(report, options)
        return Outcome(text=text, code=code, is_raw=True, files=files, makes_folder=True, remarks=remarks)
    if options.quiet and code == CLEAN:
        return Outcome(text="", parts=(), code=code, files=files, makes_folder=True, remarks=remarks)
    printing = [reporters[name] for name, file in targets if file is None]
    if files and not printing:
        remarks = (*remarks, f"{_counts_text(report)}: {listing([file.path for file in files], len(files))}")
    if options.head_spec is not None:
        remarks = (*remarks, *order_hints(report.comparisons))
    parts = _printed_parts(report, printing, options)
    return Outcome(text="", parts=parts, code=code, files=files, makes_folder=True, remarks=remarks)


def _checked(options: Options, reporters: Iterable[Reporter]) -> tuple[Report, tuple[str, ...]]:
    """Return the report with what the reporters need, and remarks on the fixes that were applied."""
    reporters = tuple(reporters)
    wants_lines = any(reporter.wants_lines for reporter in reporters)
    wants_error_lines = any(reporter.wants_error_lines for reporter in reporters)
    remarks: tuple[str, ...] = ()
    if options.fix and not options.diff:
        from opspec_lint.cli.fixing import apply_fixes

        report, remarks = apply_fixes(options, wants_lines=wants_lines, wants_error_lines=wants_error_lines)
    else:
        report = make_report(
            options,
            wants_fixes=options.diff or any(reporter.wants_fixes for reporter in reporters),
            wants_lines=wants_lines,
            wants_error_lines=wants_error_lines,
        )
    if options.proofs:
        from opspec_lint.proof.attach import attach_proofs

        report = attach_proofs(report, options.proofs)
    return report, remarks


def _printed_parts(report: Report, reporters: Sequence[Reporter], options: Options) -> Iterator[str]:
    """Yield the parts of the printed reports, each rendered when it is printed; a large report is never held whole.

    With --quiet, a report for people has only the findings that fail.
    """
    failing = report.failing(options.fail_on) if options.quiet else report
    for reporter in reporters:
        yield from _render_for_output(report if reporter.render_on is None else failing, reporter, options)


def _counts_text(report: Report) -> str:
    """Return the numbers of the findings that count, the worst level first: `2 errors, 1 warning`."""
    counts = [plural(number, level) for level in reversed(REPORTED_LEVELS) if (number := report.count(level))]
    return ", ".join(counts) or "no findings"


def _render_for_output(report: Report, format_: Reporter, options: Options) -> Iterable[str]:
    """Return the parts of a report; a report for people is rendered for the terminal, the first one with a legend."""
    if format_.render_on is None:
        return format_.render_parts(report)
    terminal: Terminal = options.terminal
    if report.findings and terminal.width is not None:
        from opspec_lint.cli import legend

        terminal = legend.terminal(options)
    return (format_.render_on(report, terminal),)
