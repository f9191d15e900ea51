"""Proofs as text for a person: how many findings of each rule were confirmed, and those that were not."""

from __future__ import annotations

from opspec_lint.kit.text import columns, one_line, plural, shorten
from opspec_lint.proof.tally import by_rule, totals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.evidence import Evidence
    from opspec_lint.proof.judge import Verdict
    from opspec_lint.proof.prove import Proofs
    from opspec_lint.report.findings import Comparison

_MOST = 20
"""Proofs of one verdict that are listed; the JSON has all."""
_LONGEST = 300
_DIRECTION, _COUNT = 8, 12
"""Characters of a direction and of a count in the table, whatever stands in it."""
_TITLES: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted",
    "not_provable": "not provable",
    "not_tried": "not tried",
}


def render(comparison: Comparison, loader: str, found: Proofs, files: Mapping[bytes, str]) -> str:
    """Return proofs as text; `files` are where models were written, by their bytes."""
    proofs = found.proofs
    lines = [one_line(f"{comparison.base.file} -> {comparison.head.file}, by {loader}"), "", *_table(proofs), ""]
    for verdict in ("confirmed", "refuted", "not_provable"):
        lines += _listed([each for each in proofs if each.shown.verdict == verdict and each.direction], verdict, files)
    lines += _no_evidence(found.evidence)
    lines.append(_summary(proofs))
    return "\n".join([*lines, ""])


def _table(proofs: Sequence[Proof]) -> list[str]:
    """Return how many findings of each rule came to which verdict."""
    head = ("", " " * _DIRECTION, *(title.rjust(_COUNT) for title in _TITLES.values()))
    rows = (
        (rule, direction or "-", *(str(count or ".") for count in counts))
        for (rule, direction), counts in by_rule(proofs).items()
    )
    return columns([head, *rows], right=range(2, len(head)))


def _listed(proofs: Sequence[Proof], verdict: Verdict, files: Mapping[bytes, str]) -> Iterator[str]:
    for each in proofs[:_MOST]:
        subject = each.finding.op or each.finding.rule
        name = f" {each.finding.name}" if each.finding.name not in (None, each.finding.op) else ""
        yield one_line(f"{_TITLES[verdict]}: {subject}{name} [{each.finding.rule}, {each.direction}]")
        yield f"    {shorten(one_line(each.shown.reason), _LONGEST)}"
        if each.model is not None and each.model in files:
            yield f"    model: {one_line(files[each.model])}"
    if len(proofs) > _MOST:
        yield f"{len(proofs) - _MOST} more {_TITLES[verdict]}; --format json has them all"
    if proofs:
        yield ""


def _no_evidence(evidence: Evidence) -> Iterator[str]:
    """Yield how many models show nothing, since the release that saves them stops them itself."""
    if evidence.not_taken:
        models = plural(evidence.tried, "model")
        yield f"{evidence.not_taken} of {models} show nothing: the release that saves them does not take them"
    if evidence.not_run:
        models = plural(evidence.run, "model")
        yield f"{evidence.not_run} of {models} that were run show nothing: the release that saves them does not"


def _summary(proofs: Sequence[Proof]) -> str:
    counts = (f"{count} {title}" for count, title in zip(totals(proofs), _TITLES.values(), strict=True) if count)
    return f"{plural(len(proofs), 'proof')}: {', '.join(counts)}" if proofs else "no findings, so nothing to prove"
