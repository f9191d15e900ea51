"""Audits as text for a person: of each model the verdict, and what stands behind it."""

from __future__ import annotations

from opspec_lint.kit.text import one_line, plural, wrap
from opspec_lint.models.audit import WORDS
from opspec_lint.models.fault import NOT_FETCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.models.audit import Audit
    from opspec_lint.models.reach import Reach
    from opspec_lint.report.findings import Finding

_WIDTH = 110
_MOST = 20
"""Errors of one audit that are listed; `--format json` has all."""


def render(audits: Sequence[Audit], reaches: Sequence[Reach] = ()) -> str:
    """Return audits as text, and between which releases models load where that was asked for."""
    lines = [line for each in audits for line in _audit(each)]
    summary = [_summary(audits) if audits else "nothing to audit"] if audits or not reaches else []
    return "\n".join([*(line for each in reaches for line in _reach(each)), *lines, *summary, ""])


def _reach(reach: Reach) -> Iterator[str]:
    if reach.problem is not None:
        yield one_line(reach.problem)
        return
    oldest = reach.oldest and f"from {reach.oldest}{', as its op versions say' if reach.is_claimed else ''}"
    words = [each for each in (oldest, reach.newest and f"up to {reach.newest}") if each is not None]
    said = f"loads {', '.join(words)}" if words else "loads under none of the known releases"
    yield one_line(f"{reach.model}: {said}, by {reach.loader}")
    for each in reach.refusals:
        yield one_line(f"  not under {each.release}: {each.reason}")


def _audit(audit: Audit) -> Iterator[str]:
    under = "" if audit.loader is None else f" by {audit.loader}"
    reason = "" if audit.reason is None else f" ({audit.reason})"
    yield one_line(f"{audit.model}: {WORDS[audit.verdict]}{reason}, against {audit.against}{under}")
    errors = [each for each in audit.findings if each.level == "error"]
    for finding in errors[:_MOST]:
        yield from _finding(finding)
    left = [plural(len(errors) - _MOST, "more error")] if len(errors) > _MOST else []
    missing = [each for each in audit.findings if each.rule == NOT_FETCHED]
    for finding in missing[:_MOST]:
        yield f"  {finding.level:<7} {one_line(finding.message)}  [{finding.rule}]"
        yield from _wrapped(f"instead: {finding.advice}")
    notes = len(audit.findings) - len(errors) - len(missing[:_MOST])
    left += [plural(notes, "note")] if notes else []
    if left:
        yield f"  {' and '.join(left)}; --format json has them all"
    yield ""


def _finding(finding: Finding) -> Iterator[str]:
    yield f"  {'error' if finding.counts else 'waived':<7} {one_line(finding.message)}  [{finding.rule}]"
    if finding.waived is not None:
        yield from _wrapped(f"waived by {finding.waived.owner}: {finding.waived.reason}")
    else:
        yield from _wrapped(f"breaks: {finding.breaks}")
        yield from _wrapped(f"instead: {finding.advice}")


def _wrapped(text: str) -> Iterator[str]:
    """Yield a text as lines, none of which begins with a word that is a command to a CI runner."""
    return map(one_line, wrap(one_line(text), width=_WIDTH, indent="          "))


def _summary(audits: Sequence[Audit]) -> str:
    verdicts = [each.verdict for each in audits]
    counts = (f"{verdicts.count(verdict)} {verdict}" for verdict in WORDS if verdict in verdicts)
    return f"{plural(len(audits), 'audit')}: {', '.join(counts)}"
