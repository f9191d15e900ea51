"""Numbers of proofs by verdict."""

from __future__ import annotations

from opspec_lint.proof.judge import VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.judge import Verdict


def by_rule(proofs: Iterable[Proof]) -> dict[tuple[str, str | None], list[int]]:
    """Return the numbers of proofs per verdict, in the order of `VERDICTS`, by rule and direction."""
    verdicts: dict[tuple[str, str | None], list[Verdict]] = {}
    for proof in proofs:
        verdicts.setdefault((proof.finding.rule, proof.direction), []).append(proof.judgement.verdict)
    return {key: _counts(verdicts[key]) for key in sorted(verdicts, key=lambda key: (key[0], key[1] or ""))}


def totals(proofs: Iterable[Proof]) -> list[int]:
    """Return the numbers of proofs per verdict, in the order of `VERDICTS`."""
    return _counts([proof.judgement.verdict for proof in proofs])


def _counts(verdicts: list[Verdict]) -> list[int]:
    """Return the number of each of `VERDICTS`, in their order."""
    return [verdicts.count(verdict) for verdict in VERDICTS]
