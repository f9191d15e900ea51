"""Details of a finding: the labelled lines below its message, with the same text in every output format.

A reporter selects the details that it prints, and their order and form.
"""

from __future__ import annotations

from opspec_lint.kit.record import Compact
from opspec_lint.kit.text import one_line, plural, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.report.findings import Finding, Waived

SIDES = ("before", "after")
"""The labels of the declarations in base and head."""

LONGEST = 2000
"""Greatest length of a text in characters: a default value may have any length."""
_PART = 600
"""Greatest length of each text of a waiver, so that a long reason does not cut off the owner."""


class Detail(Compact):
    """A line below the message of a finding: label, "" for none, and text, not yet escaped or cut."""

    label: str
    text: str

    @property
    def line(self) -> str:
        """The label and the text, on one line and of bounded length."""
        return shorten(one_line(f"{self.label}: {self.text}" if self.label else self.text), LONGEST)


def judgement(finding: Finding) -> Iterator[Detail]:
    """Yield the details of the rule: who breaks and how, what to do instead, the declarations before and after."""
    yield Detail(label="breaks" if finding.directions else "effect", text=finding.breaks)
    yield Detail(label="instead", text=finding.advice)
    for label, text in zip(SIDES, finding.declared, strict=True):
        if text is not None:
            yield Detail(label=label, text=text)


def evidence(finding: Finding) -> Iterator[Detail]:
    """Yield the details from outside of the rule: proofs, history, usage by known models, approval."""
    if finding.proofs and (proof := describe_proofs(finding)):
        yield Detail(label="proof", text=proof)
    if finding.since is not None:
        yield Detail(label="since", text=describe_since(finding))
    if finding.usage is not None:
        yield Detail(label="used by", text=describe_usage(finding))
    if finding.review:
        yield Detail(label="review", text=describe_review(finding))


def describe_waiver(waived: Waived) -> str:
    """Return owner, last day and reason of a waiver, on one line of at most 2000 characters."""
    owner, reason = (shorten(one_line(text), _PART) for text in (waived.owner, waived.reason))
    until = "" if waived.expires is None else f" until {shorten(one_line(waived.expires), _PART)}"
    return f"waived by {owner}{until}: {reason}{' (new in this change)' if waived.is_new else ''}"


def describe_review(finding: Finding) -> str:
    """Return who has approved, or else the team that has to and why it has not; "" if no approval is needed."""
    if finding.review is None:
        return ""
    if finding.approval is None or not finding.approval.by:
        problem = "" if finding.approval is None else f": {finding.approval.problem}"
        return shorten(one_line(f"needs {finding.review} to approve{problem}"), LONGEST)
    return shorten(one_line(f"approved by {', '.join(finding.approval.by)} for {finding.review}"), LONGEST)


def describe_proofs(finding: Finding) -> str:
    """Return the releases whose loaders confirmed or refuted a finding, with reasons; "" without a proof."""
    tried = (proof for proof in finding.proofs if proof.verdict in ("confirmed", "refuted"))
    sentences = (f"{proof.verdict} by the loader of {proof.loaded_by} ({proof.reason})" for proof in tried)
    return shorten(one_line("; ".join(sentences)), LONGEST)


def describe_since(finding: Finding) -> str:
    """Return since when base is as it is, in how many releases, and whether head reverts to an older state."""
    since = finding.since
    if since is None:
        return ""
    begin = f"{since.date}, or earlier" if since.is_start else f"{since.date} ({since.commit[:10]})"
    text = f"{begin}, in no release"
    if since.release is not None:
        year = "" if since.released is None else f" ({since.released[:4]})"
        text = f"{since.release}{year}{' or earlier' if since.is_start else ''}, in {plural(since.releases, 'release')}"
    back = "" if since.back_to is None else f"; goes back to what held from {since.back_to[:10]} until {since.until}"
    return shorten(one_line(f"{text}{back}"), LONGEST)


def describe_usage(finding: Finding) -> str:
    """Return how many known models use the op, the attr and the value of a finding; "" without statistics."""
    usage = finding.usage
    if usage is None:
        return ""
    if not usage.models:
        return f"no known model, of {usage.of:,}"
    parts = [f"{usage.models:,} of {plural(usage.of, 'model')}"]
    if usage.with_attr is not None:
        parts.append(f"{usage.with_attr:,} of them with this attr set")
    if usage.with_value is not None:
        parts.append(f"{usage.with_value:,} to its default at base")
    return ", ".join(parts)
