"""Details of a finding: the lines of a report below its message, with the same words in every output format.

A reporter chooses which details it shows, in which order and form.
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
"""Characters of a text: a default value may be of any length."""
_PART = 600
"""Characters of each text of a waiver, so that none of them pushes another out."""


class Detail(Compact):
    """A line below the message of a finding: a label, "" for none, and a text as a spec or a person wrote it."""

    label: str
    text: str

    @property
    def line(self) -> str:
        """The label and the text, on one line and of bounded length."""
        return shorten(one_line(f"{self.label}: {self.text}" if self.label else self.text), LONGEST)


def judgement(finding: Finding) -> Iterator[Detail]:
    """Yield who breaks and how, what to do instead, and the declarations that the finding shows."""
    yield Detail(label="breaks" if finding.directions else "effect", text=finding.breaks)
    yield Detail(label="instead", text=finding.advice)
    for label, text in zip(SIDES, finding.declared, strict=True):
        if text is not None:
            yield Detail(label=label, text=text)


def evidence(finding: Finding) -> Iterator[Detail]:
    """Yield what loaders, a history, known models and reviewers add to a finding, as far as they were asked."""
    if finding.proofs and (proof := proof_words(finding)):
        yield Detail(label="proof", text=proof)
    if finding.since is not None:
        yield Detail(label="since", text=since_words(finding))
    if finding.usage is not None:
        yield Detail(label="used by", text=usage_words(finding))
    if finding.review:
        yield Detail(label="review", text=review_words(finding))


def waiver_words(waived: Waived) -> str:
    """Return who waives a finding, until when and why: at most 2000 characters, on one line."""
    owner, reason = (shorten(one_line(text), _PART) for text in (waived.owner, waived.reason))
    until = "" if waived.expires is None else f" until {shorten(one_line(waived.expires), _PART)}"
    return f"waived by {owner}{until}: {reason}{' (new in this change)' if waived.is_new else ''}"


def review_words(finding: Finding) -> str:
    """Return who has approved, or else who has to, and why that is still open; "" for nobody, and always one line."""
    if finding.review is None:
        return ""
    if finding.approval is None or not finding.approval.by:
        problem = "" if finding.approval is None else f": {finding.approval.problem}"
        return shorten(one_line(f"needs {finding.review} to approve{problem}"), LONGEST)
    return shorten(one_line(f"approved by {', '.join(finding.approval.by)} for {finding.review}"), LONGEST)


def proof_words(finding: Finding) -> str:
    """Return whose loaders confirm a finding, or take what it says to break; "" where nobody tried."""
    tried = (each for each in finding.proofs if each.verdict in ("confirmed", "refuted"))
    told = (f"{each.verdict} by the loader of {each.loaded_by} ({each.reason})" for each in tried)
    return shorten(one_line("; ".join(told)), LONGEST)


def since_words(finding: Finding) -> str:
    """Return since when base is what it is, in which releases, and what head goes back to; "" where nobody knows."""
    since = finding.since
    if since is None:
        return ""
    begin = f"{since.date}, or earlier" if since.is_start else f"{since.date} ({since.commit[:10]})"
    told = f"{begin}, in no release"
    if since.release is not None:
        year = "" if since.released is None else f" ({since.released[:4]})"
        told = f"{since.release}{year}{' or earlier' if since.is_start else ''}, in {plural(since.releases, 'release')}"
    back = "" if since.back_to is None else f"; goes back to what held from {since.back_to[:10]} until {since.until}"
    return shorten(one_line(f"{told}{back}"), LONGEST)


def usage_words(finding: Finding) -> str:
    """Return how many known models use what a finding is about; "" where nobody counted."""
    usage = finding.usage
    if usage is None:
        return ""
    if not usage.models:
        return f"no known model, of {usage.of:,}"
    told = [f"{usage.models:,} of {plural(usage.of, 'model')}"]
    if usage.with_attr is not None:
        told.append(f"{usage.with_attr:,} of them with this attr set")
    if usage.with_value is not None:
        told.append(f"{usage.with_value:,} to its default at base")
    return ", ".join(told)
