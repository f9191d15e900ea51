"""Proofs as text for people: a table of verdicts by rule, and the single proofs with their reasons."""

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
"""Number of proofs per verdict that are listed; the JSON has all."""
_LONGEST = 300
_DIRECTION, _COUNT = 8, 12
"""Least widths of the columns for directions and counts, so that the table looks the same for any numbers."""
_TITLES: dict[Verdict, str] = {
    "confirmed": "confirmed",
    "refuted": "refuted",
    "not_provable": "not provable",
    "not_tried": "not tried",
}


def render(comparison: Comparison, loader: str, result: Proofs, files: Mapping[bytes, str]) -> str:
    """Return the text of proofs; `files` are the paths of written models, by their bytes."""
    proofs = result.proofs
    lines = [one_line(f"{comparison.base.file} -> {comparison.head.file}, by {loader}"), "", *_table(proofs), ""]
    for verdict in ("confirmed", "refuted", "not_provable"):
        lines += _lines_of_verdict(
            [proof for proof in proofs if proof.judgement.verdict == verdict and proof.direction], verdict, files
        )
    lines += _no_evidence(result.evidence)
    lines.append(_summary(proofs))
    return "\n".join([*lines, ""])


def _table(proofs: Sequence[Proof]) -> list[str]:
    """Return the lines of the table: for each rule and direction, the number of findings per verdict."""
    head = ("", " " * _DIRECTION, *(title.rjust(_COUNT) for title in _TITLES.values()))
    rows = (
        (rule, direction or "-", *(str(count or ".") for count in counts))
        for (rule, direction), counts in by_rule(proofs).items()
    )
    return columns([head, *rows], right=range(2, len(head)))


def _lines_of_verdict(proofs: Sequence[Proof], verdict: Verdict, files: Mapping[bytes, str]) -> Iterator[str]:
    """Yield the lines of the first proofs of a verdict: subject, reason, file of the model."""
    for proof in proofs[:_MOST]:
        subject = proof.finding.op or proof.finding.rule
        name = f" {proof.finding.name}" if proof.finding.name not in (None, proof.finding.op) else ""
        yield one_line(f"{_TITLES[verdict]}: {subject}{name} [{proof.finding.rule}, {proof.direction}]")
        yield f"    {shorten(one_line(proof.judgement.reason), _LONGEST)}"
        if proof.model is not None and proof.model in files:
            yield f"    model: {one_line(files[proof.model])}"
    if len(proofs) > _MOST:
        yield f"{len(proofs) - _MOST} more {_TITLES[verdict]}; --format json has them all"
    if proofs:
        yield ""


def _no_evidence(evidence: Evidence) -> Iterator[str]:
    """Yield the numbers of models that the saving release itself does not load or run, which are no evidence."""
    if evidence.not_taken:
        models = plural(evidence.tried, "model")
        yield f"{evidence.not_taken} of {models} show nothing: the release that saves them does not take them"
    if evidence.not_run:
        models = plural(evidence.run, "model")
        yield f"{evidence.not_run} of {models} that were run show nothing: the release that saves them does not"


def _summary(proofs: Sequence[Proof]) -> str:
    """Return the last line: "12 proofs: 10 confirmed, 2 refuted"."""
    counts = (f"{count} {title}" for count, title in zip(totals(proofs), _TITLES.values(), strict=True) if count)
    return f"{plural(len(proofs), 'proof')}: {', '.join(counts)}" if proofs else "no findings, so nothing to prove"
