"""The remarks on reading two sources, as facts that rules judge.

A remark is new if base does not have it, or has it about another text. A remark that base has as well is not reported,
except that an op cannot be evaluated: nobody can tell whether that op changed.
"""

from __future__ import annotations

from opspec_lint.lint.circumstances import circumstance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from opspec_lint.spec.fact import Fact, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Remark, Spec

_UNRESOLVED: EventId = "op_unresolved"
STILL_UNRESOLVED: EventId = "op_still_unresolved"
"""The event of an op that base could not evaluate either: the only remark on both sides that is reported."""
_OF_OPS: tuple[EventId, ...] = ("op_unresolved", "op_version_dropped")
"""Remarks on an op; any other is about a source, even if it names an op."""
_OF_OTHER_FILES: tuple[EventId, ...] = ("op_version_dropped",)
"""Remarks that an op is missing, which mean nothing if a file of ops could not be read."""


def news(base: Spec, head: Spec, only: Collection[str] | None = None) -> Iterator[Fact]:
    """Yield the remarks that are new in head, and the ops that neither side could evaluate.

    The latter are about the reading of the sources, not about the contract: nothing of it is known to change.
    """
    before = {_key(remark): remark for remark in base.remarks}
    doubtful = _OF_OTHER_FILES if _lost_files(head) - _lost_files(base) else ()
    for remark in head.remarks:
        if (only is not None and remark.op not in only) or remark.event in doubtful:
            continue
        old = before.get(_key(remark))
        if old is None or old.digest != remark.digest:
            is_about_op = remark.op is not None and remark.event in _OF_OPS
            yield _said(remark, remark.event, "op" if is_about_op else "source")
        elif remark.event == _UNRESOLVED:
            yield _said(remark, STILL_UNRESOLVED, "source")


def _said(remark: Remark, event: EventId, kind: Kind) -> Fact:
    return circumstance(event, kind, remark.name, remark.facts, op=remark.op, origins=(None, remark.origin))


def certain(facts: Iterable[Fact], base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield facts, without those that an op was added or removed if one side merely could not evaluate it."""
    if not base.remarks and not head.remarks:
        return iter(facts)
    gone, come = unresolved(head, base), unresolved(base, head)
    unsure: dict[EventId, set[str | None]] = {
        "op_removed": gone,
        "op_added": come,
        "op_added_late": come,
        "version_added": come,
        "builds_lost": gone,
        "builds_gained": come,
        "op_version_names_nothing": gone,
    }
    return (fact for fact in facts if fact.op not in unsure.get(fact.event, ()))


def unresolved(spec: Spec, other: Spec) -> set[str | None]:
    """Return the ops that a spec could not evaluate, and the ops of the other one that it may still have.

    A new declaration in a file that cannot be evaluated, and whose name is unknown, may declare any op of that file.
    """
    found = {remark.op for remark in spec.remarks if remark.event == _UNRESOLVED}
    known = {(_key(remark), remark.digest) for remark in other.remarks}
    nameless = (remark for remark in spec.remarks if remark.event == _UNRESOLVED and remark.op is None)
    new = (remark.origin for remark in nameless if (_key(remark), remark.digest) not in known)
    files = _lost_files(spec) | {origin.file for origin in new if origin is not None and origin.file is not None}
    if files:
        found |= {name for name, op in other.ops.items() if op.origin is not None and op.origin.file in files}
    return found


def message(remark: Remark) -> str:
    """Return the message of a remark's rule, after the place that the remark is about."""
    from opspec_lint.lint import rulebook

    facts = {"name": remark.name, "op": remark.op or "", **remark.facts}
    text = rulebook.load(remark.event).message.format_map(facts)
    return text if remark.origin is None else f"{remark.origin.place}: {text}"


def _lost_files(spec: Spec) -> set[str]:
    return {remark.name for remark in spec.remarks if remark.event == _UNRESOLVED and remark.op is None}


def _key(remark: Remark) -> tuple[EventId, str, str | None]:
    return remark.event, remark.name, remark.op
