"""Write waivers: entries by which findings of today do not count.

What is compared is what `check` compares; the fingerprints are those of its report. Each entry names the finding, pins
the values that it is about, and says why it does not count and who answers for it. The entries are added at the end of
the file, and nothing else in it is touched.
"""

from __future__ import annotations

from opspec_lint.commands.check import configure_inputs, make_report
from opspec_lint.errors import CLEAN, UsageError, nearest_advice
from opspec_lint.options import Outcome
from opspec_lint.plain import one_line, plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from opspec_lint.findings import Finding
    from opspec_lint.options import Parser

SUMMARY = "write waivers for findings"

_BASELINE = "found when opspec-lint was adopted"
_SHORTEST = 6
"""Characters of a fingerprint that are enough to name it."""


def configure(parser: Parser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("fingerprints", metavar="FINGERPRINT", nargs="*", help="the fingerprint of a finding, or how it begins")
    add("--baseline", action="store_true", help="waive every error that there is today, to begin with")
    add("--reason", metavar="TEXT", help=f"why they do not count (with --baseline by default: {_BASELINE!r})")
    add("--owner", metavar="WHO", help="who answers for it: a person or a team")
    add("--expires", metavar="YYYY-MM-DD", help="the last day on which they hold")
    add("--between", nargs=2, metavar=("BASE", "HEAD"), help="compare two specs, and not the repository with its base")
    configure_inputs(parser)


def run(options: Namespace, *, color: bool) -> Outcome:  # noqa: ARG001 - plain text
    """Write the entries.

    Raises:
        UsageError: an argument is missing, or a fingerprint is none of a finding.
    """
    reason: str = options.reason or (_BASELINE if options.baseline else "")
    for name, value in (("reason", reason), ("owner", options.owner)):
        if not (value or "").strip():
            raise UsageError(
                f"--{name} is missing", advice="a waiver says why the finding does not count, and who says so"
            )
        if not _is_text(value):
            raise UsageError(f"--{name} is no UTF-8 text", advice="is the terminal set to UTF-8?")
    if options.expires is not None and not _is_day(options.expires):
        raise UsageError(f"--expires is {options.expires!r}", advice="name a day, YYYY-MM-DD")
    if bool(options.fingerprints) == options.baseline:
        raise UsageError("expected fingerprints, or --baseline", advice="`opspec-lint check` shows them")
    options.base_spec, options.head_spec = options.between or (None, None)
    from opspec_lint import waiverfile

    path = options.waivers or waiverfile.default(options.config, options.environment)
    options.waivers = path if waiverfile.exists(path) else ""
    report = make_report(options, wants_lines=False)
    chosen = _chosen(report.findings, options)
    new = [finding for finding in chosen if finding.waived is None]
    if not new:
        return Outcome(text=f"nothing to waive: {plural(len(chosen), 'finding')} waived already\n", code=CLEAN)
    entries = [waiverfile.entry(finding, reason, options.owner, options.expires) for finding in new]
    text = waiverfile.added(path, entries)
    lines = [f"{finding.fingerprint}  {finding.rule} {finding.op or finding.name or ''}".rstrip() for finding in new]
    closing = f"{path}: {plural(len(new), 'waiver')} added"
    said = "\n".join([*map(one_line, [*lines, closing]), ""])
    return Outcome(text=said, code=CLEAN, files={path: text}, makes_folder=True)


def _is_text(text: str) -> bool:
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False


def _is_day(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _chosen(findings: tuple[Finding, ...], options: Namespace) -> list[Finding]:
    by_fingerprint = {finding.fingerprint: finding for finding in findings if finding.kind != "waiver"}
    if options.baseline:
        return [finding for finding in by_fingerprint.values() if finding.level == "error"]
    return [by_fingerprint[_one(beginning, by_fingerprint)] for beginning in dict.fromkeys(options.fingerprints)]


def _one(beginning: str, by_fingerprint: dict[str, Finding]) -> str:
    fitting = [each for each in by_fingerprint if each.startswith(beginning.lower()) and len(beginning) >= _SHORTEST]
    if len(fitting) != 1:
        problem = "is the fingerprint of no finding of today" if not fitting else "begins several fingerprints"
        raise UsageError(f"{beginning!r} {problem}", advice=nearest_advice(beginning, by_fingerprint))
    return fitting[0]
