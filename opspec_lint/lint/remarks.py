"""Remarks on reading two sources, as facts for rules: which remarks are new, and which facts they make doubtful.

A remark is new if base does not have it, or has it for another source text. A remark that base has as well is not
reported, except for an op that cannot be evaluated: whether that op changed is unknown.
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
_OF_OPS: tuple[EventId, ...] = ("op_unresolved", "op_version_dropped", "schema_unlisted")
"""Remarks on an op; any other remark is on a source, even if it names an op."""
_MISSING_OPS: tuple[EventId, ...] = ("op_version_dropped",)
"""Remarks that an op is missing: without meaning if a file of ops could not be read, as that may contain the op."""


def new_remarks(base: Spec, head: Spec, only: Collection[str] | None = None) -> Iterator[Fact]:
    """Yield the remarks that are new in head, and the ops that neither side could evaluate.

    The latter are facts of kind "source", not "op": no change of the contract is known.
    """
    # One op may have several remarks, such as one for each of its different declarations.
    before = {(_key(remark), remark.digest) for remark in base.remarks}
    # Only files that head newly fails to read: a remark that base has as well was not caused by the change.
    doubtful = _MISSING_OPS if _unreadable_files(head) - _unreadable_files(base) else ()
    for remark in head.remarks:
        if (only is not None and remark.op not in only) or remark.event in doubtful:
            continue
        if (_key(remark), remark.digest) not in before:
            concerns_op = remark.op is not None and remark.event in _OF_OPS
            yield _remark_fact(remark, remark.event, "op" if concerns_op else "source")
        elif remark.event == _UNRESOLVED:
            yield _remark_fact(remark, STILL_UNRESOLVED, "source")


def _remark_fact(remark: Remark, event: EventId, kind: Kind) -> Fact:
    """Return the fact for a remark of head."""
    return circumstance(event, kind, remark.name, remark.facts, op=remark.op, origins=(None, remark.origin))


def drop_unevaluated(facts: Iterable[Fact], base: Spec, head: Spec) -> Iterator[Fact]:
    """Drop facts that an op was added or removed if the other side merely could not evaluate the op."""
    if not base.remarks and not head.remarks:
        return iter(facts)
    unresolved_in_head, unresolved_in_base = unresolved_ops(head, base), unresolved_ops(base, head)
    unsure: dict[EventId, set[str | None]] = {
        "op_removed": unresolved_in_head,
        "op_added": unresolved_in_base,
        "op_added_late": unresolved_in_base,
        "version_added": unresolved_in_base,
        "builds_lost": unresolved_in_head,
        "builds_gained": unresolved_in_base,
        "op_version_names_nothing": unresolved_in_head,
    }
    return (fact for fact in facts if fact.op not in unsure.get(fact.event, ()))


def unresolved_ops(spec: Spec, counterpart: Spec) -> set[str | None]:
    """Return the ops that `spec` could not evaluate, and the ops of `counterpart` that it may contain unseen.

    A new declaration without a known name may declare any op that `counterpart` has in the same file.
    """
    ops = {remark.op for remark in spec.remarks if remark.event == _UNRESOLVED}
    # First the declarations without a name that are new, then all ops that their files may declare unseen.
    # A nameless declaration that `counterpart` has with the same text declares the same op there: it hides nothing.
    known = {(_key(remark), remark.digest) for remark in counterpart.remarks}
    nameless = (remark for remark in spec.remarks if remark.event == _UNRESOLVED and remark.op is None)
    new = (remark.origin for remark in nameless if (_key(remark), remark.digest) not in known)
    files = _unreadable_files(spec) | {origin.file for origin in new if origin is not None and origin.file is not None}
    if files:
        ops |= {op_name for op_name, op in counterpart.ops.items() if op.origin is not None and op.origin.file in files}
    return ops


def remark_message(remark: Remark) -> str:
    """Return the text of a remark, by the message of its rule, after its place: `ops.cc:12: ...`."""
    from opspec_lint.lint import rulebook

    facts = {"name": remark.name, "op": remark.op or "", **remark.facts}
    text = rulebook.load(remark.event).message.format_map(facts)
    return text if remark.origin is None else f"{remark.origin.place}: {text}"


def _unreadable_files(spec: Spec) -> set[str]:
    """Return the files without any known op: the names of unresolved remarks that name a file in place of an op."""
    return {remark.name for remark in spec.remarks if remark.event == _UNRESOLVED and remark.op is None}


def _key(remark: Remark) -> tuple[EventId, str, str | None]:
    """Return the identity of a remark in both specs; its place and its text may change."""
    return remark.event, remark.name, remark.op
