"""How many proofs came to which verdict."""

from __future__ import annotations

from opspec_lint.proof.judge import VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.proof.claim_trials import Proof
    from opspec_lint.proof.judge import Verdict


def by_rule(proofs: Iterable[Proof]) -> dict[tuple[str, str | None], list[int]]:
    """Return how many proofs of each rule and direction came to each of `VERDICTS`, in order of name."""
    found: dict[tuple[str, str | None], list[Verdict]] = {}
    for each in proofs:
        found.setdefault((each.finding.rule, each.direction), []).append(each.shown.verdict)
    return {key: _counts(found[key]) for key in sorted(found, key=lambda key: (key[0], key[1] or ""))}


def totals(proofs: Iterable[Proof]) -> list[int]:
    """Return how many proofs came to each of `VERDICTS`."""
    return _counts([each.shown.verdict for each in proofs])


def _counts(verdicts: list[Verdict]) -> list[int]:
    return [verdicts.count(each) for each in VERDICTS]
