"""What the extractors of two specs had to say of their reading, as facts that rules judge.

A remark is news where base has none such, or one about another text. What base has as well is no fault of head; an op
that cannot be evaluated is named all the same, as nobody can say that it did not change.
"""

from __future__ import annotations

from opspec_lint.circumstances import Circumstance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.findings import Finding
    from opspec_lint.model import Remark, Spec

_STANDING = {"op_unresolved": "op_still_unresolved"}
"""The event of a remark that base has as well, where that is worth a word."""


def news(base: Spec, head: Spec, only: Collection[str] | None = None) -> Iterator[Circumstance]:
    """Yield what head's extractor remarked on that base's did not, and what both could not evaluate."""
    before = {_key(remark): remark for remark in base.remarks}
    for remark in head.remarks:
        if only is not None and remark.op not in only:
            continue
        old = before.get(_key(remark))
        event: str | None = remark.event
        if old is not None and old.digest == remark.digest:
            event = _STANDING.get(remark.event)
        if event is not None:
            yield Circumstance(
                event=event,
                kind="op" if remark.op is not None and event.startswith("op_") else "source",
                name=remark.name,
                op=remark.op,
                facts=remark.facts,
                origin=remark.origin,
            )


def is_void(finding: Finding, base: Spec, head: Spec) -> bool:
    """Tell whether a finding says that an op came or went which one side merely could not evaluate."""
    side = {"op_removed": head, "op_added": base}.get(finding.rule)
    return side is not None and any(
        remark.event == "op_unresolved" and remark.op == finding.op for remark in side.remarks
    )


def _key(remark: Remark) -> tuple[str, str, str | None]:
    return remark.event, remark.name, remark.op
