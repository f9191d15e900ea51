"""Write waivers for the current findings.

The command compares what `check` compares, and takes the fingerprints of its report. Each entry names a finding and its
values, the reason why it does not count, and the owner who answers for it. The command adds the entries at the end of
the waiver file, and changes nothing else in it.
"""

from __future__ import annotations

import os

from opspec_lint.cli.comparison import make_report
from opspec_lint.cli.shared_options import configure_inputs
from opspec_lint.kit.command_line import Outcome, OutputFile
from opspec_lint.kit.errors import CLEAN, UsageError
from opspec_lint.kit.text import is_day, is_encodable, is_visible, listing, one_line, plural
from opspec_lint.lint.steps import Steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.kit.command_line import Arguments, Options
    from opspec_lint.report.findings import Finding

SUMMARY = "write waivers for findings"
EXAMPLES = (
    "opspec-lint waive 50162ea54a77 --owner ops-team --reason 'no model uses it'",
    "opspec-lint waive --baseline --owner ops-team",
    "opspec-lint waive --baseline --audit audit.json --waivers accepted.yaml --owner ops-team",
)

_BASELINE = "found when opspec-lint was adopted"
_SHORTEST = 6
"""Shortest beginning of a fingerprint that is accepted."""


def configure(arguments: Arguments) -> None:
    """Declare the arguments."""
    add = arguments.add
    add("fingerprints", metavar="FINGERPRINT", values="*", help="the fingerprint of a finding, or its first digits")
    add("--baseline", values=0, help="waive every error and warning that exists today, also against releases")
    help_text = "a list of accepted changes of another tool: waive the errors that it hides; needs --between"
    add("--import", metavar="FILE", dest="import_file", help=help_text)
    help_text = f"why the findings do not count (with --baseline by default: {_BASELINE!r})"
    add("--reason", metavar="TEXT", accept=str, help=help_text)
    add("--owner", metavar="WHO", accept=str, help="the owner of the waivers: a person or a team")
    add("--expires", metavar="YYYY-MM-DD", help="the last day on which the waivers apply")
    help_text = "waive findings of an audit: its JSON report, or the file of `audit --results`"
    add("--audit", metavar="FILE", help=help_text)
    add("--between", values=2, metavar=("BASE", "HEAD"), help="compare two specs, not the repository with its base")
    configure_inputs(arguments)


def run(options: Options) -> Outcome:
    """Write the waivers. Raises UsageError if an argument is missing, or a fingerprint matches no finding."""
    reason: str = options.reason or (_default_reason(options) if options.baseline else "")
    _check_entry_texts(reason, options)
    _check_selection(options)
    _refuse_ends_of_audit(options)
    options.base_spec, options.head_spec = options.between or (None, None)
    from opspec_lint.project import waiver_file

    path, top = options.waivers, None
    if not path:
        path, top = waiver_file.default_file(options.config, options.environment)
    # "" means no waivers: naming a file that does not exist yet would be an error.
    options.waivers = path if os.path.exists(path) else ""
    remarks, chosen = _findings_to_waive(_current_findings(options), options)
    new = [(finding, day) for finding, day in chosen if finding.waived is None]
    if not new:
        already = f"{plural(len(chosen), 'finding')} waived already" if chosen else "there is no error and no warning"
        closing = f"nothing to waive: {already}"
        return Outcome(text="\n".join([*map(one_line, remarks), closing, ""]), code=CLEAN)
    entries = [waiver_file.make_entry(finding, reason, options.owner, day) for finding, day in new]
    file = OutputFile(path=path, content=lambda: waiver_file.add_entries(path, entries), below=top)
    remarks += _pending_lines(finding for finding, _ in new)
    lines = [f"{finding.fingerprint}  {finding.rule} {finding.op or finding.name or ''}".rstrip() for finding, _ in new]
    closing = f"{path}: {plural(len(new), 'waiver')} added"
    text = "\n".join([*map(one_line, [*remarks, *lines, closing]), ""])
    return Outcome(text=text, code=CLEAN, files=[file], makes_folder=True)


def _check_entry_texts(reason: str, options: Options) -> None:
    """Raise UsageError if the reason or owner of the waivers is missing, or their last day is none or in the past."""
    for name, value in (("reason", reason), ("owner", options.owner)):
        if not is_visible(value or ""):
            raise UsageError(f"--{name} is missing", advice="a waiver needs a reason and an owner")
        if not is_encodable(value):
            raise UsageError(f"--{name} is not UTF-8 text", advice="let the terminal use UTF-8")
    if options.expires is not None and not is_day(options.expires):
        raise UsageError(f"--expires is {options.expires!r}", advice="write a date, YYYY-MM-DD")
    if options.expires is not None and options.expires < options.today:
        raise UsageError(f"--expires is {options.expires!r}, which is in the past", advice=f"today is {options.today}")


def _check_selection(options: Options) -> None:
    """Raise UsageError unless the findings are chosen in exactly one way, and a list of another tool has its specs."""
    if [bool(options.fingerprints), options.baseline, bool(options.import_file)].count(True) != 1:
        problem = "expected fingerprints, --baseline, or --import FILE"
        raise UsageError(problem, advice="`opspec-lint check` shows the fingerprints")
    if options.import_file and not options.between:
        raise UsageError("--import needs --between BASE HEAD", advice="name the two specs that the list is about")


def _current_findings(options: Options) -> tuple[Finding, ...]:
    """Return the findings of the check, or of the audit that the user named, with the existing waivers applied."""
    if options.audit is None:
        return make_report(options, wants_lines=False).findings
    from opspec_lint.lint.waivers import Waivers
    from opspec_lint.project import waiver_file
    from opspec_lint.zoo.findings_of_audit import read_findings

    findings = read_findings(options.audit)
    waivers = Waivers(waiver_file.read(options.waivers) if options.waivers else (), options.today)
    return Steps(waived=waivers.waiver_step(findings)).apply_to(findings)


def _default_reason(options: Options) -> str:
    """Return the reason of a baseline: of a repository, or of the difference between two specs."""
    return _BASELINE if not options.between else "found when {} and {} were compared".format(*options.between)


def _pending_lines(findings: Iterable[Finding]) -> list[str]:
    """Return the line on a setting `against` that base does not have, so that nothing is compared with it yet."""
    if not any(finding.rule == "policy_changed" and finding.name == "against" for finding in findings):
        return []
    problem = "the setting 'against' is not in force before base has it: no break against these releases is waived"
    return [f"{problem}; commit it, and run this command again"]


def _findings_to_waive(
    findings: tuple[Finding, ...], options: Options
) -> tuple[list[str], list[tuple[Finding, str | None]]]:
    """Return the remarks on an imported list, and the findings to waive, each with its last day."""
    if not options.import_file:
        return [], [(finding, options.expires) for finding in _named_findings(findings, options)]
    from opspec_lint.cli.imported_waivers import ImportedList
    from opspec_lint.cli.shared_options import reading
    from opspec_lint.sources import references

    base = references.resolve(options.between[0], reading(options)).spec
    imported = ImportedList(options.import_file, base, findings, options.today)
    return imported.lines, [(finding, options.expires or day) for finding, day in imported.chosen]


def _named_findings(findings: tuple[Finding, ...], options: Options) -> list[Finding]:
    """Return the findings with the given fingerprints, in their order; with --baseline, all errors and warnings."""
    # A finding with the same fingerprint in another spec file needs a waiver of its own.
    distinct = {(finding.spec, finding.fingerprint): finding for finding in findings if finding.kind != "waiver"}
    if options.baseline:
        return [finding for finding in distinct.values() if finding.level in ("error", "warning")]
    known = {fingerprint for _, fingerprint in distinct}
    source = "audit --format json" if options.audit else "check --format json"
    advice = f"`opspec-lint {source}` has the fingerprints"
    if options.audit is None:
        advice += "; for a finding of `audit`, name its results with --audit FILE"
    named = dict.fromkeys(_resolve_fingerprint(beginning, known, advice) for beginning in options.fingerprints)
    return [finding for fingerprint in named for finding in distinct.values() if finding.fingerprint == fingerprint]


def _refuse_ends_of_audit(options: Options) -> None:
    """Raise UsageError for options that name what is compared, beside --audit, and if no file of waivers is named."""
    if options.audit is not None and not options.waivers:
        # `check` would report waivers for models as unused.
        problem = "--audit needs --waivers FILE: a repository's own waivers are for its specs"
        raise UsageError(problem, advice="name the file that `opspec-lint audit --waivers FILE` reads")
    of_check = ("base", "exact", "staged", "head", "fetch", "between", "import_file", "library", "op", "profile")
    given = [name for name in of_check if options.audit is not None and getattr(options, name)]
    if given:
        option = "import" if given[0] == "import_file" else given[0]
        raise UsageError(f"--{option} has no effect with --audit", advice="remove one of the two")


def _resolve_fingerprint(beginning: str, known: set[str], advice: str) -> str:
    """Return the only known fingerprint with this beginning; raise UsageError if there is none, or are several."""
    if len(beginning) < _SHORTEST:
        raise UsageError(f"{beginning!r} is too short", advice=f"give at least {_SHORTEST} digits of the fingerprint")
    fitting = [fingerprint for fingerprint in known if fingerprint.startswith(beginning.lower())]
    if not fitting:
        raise UsageError(f"{beginning!r} does not match any current finding", advice=advice)
    if len(fitting) > 1:
        raise UsageError(
            f"{beginning!r} matches several findings", advice=f"write one of: {listing(sorted(fitting), 10)}"
        )
    return fitting[0]
