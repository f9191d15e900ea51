"""What of a tree takes something from programs: an entry of op_compat.yaml, or the declaration of a PIR op."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Declared, Op, Origin

OTHER_LOADER = "load such models with the legacy executor or the predictor, or export them again"


class Cause(Record):
    """The places of a cause in base and in head, and what can be done about it."""

    base_origin: Origin | None = None
    origin: Origin | None = None
    remedy: str = OTHER_LOADER


def declared(fault: Fact, op: Op, target: Op | None) -> Cause:
    """Return where base declares what a fault is about, and where head declares the PIR op.

    Args:
        fault: the fault.
        op: the legacy op.
        target: the PIR op, None where there is none.
    """
    own = next((each for each in _arguments(op) if each.name == fault.name), op)
    return Cause(base_origin=own.origin, origin=None if target is None else target.origin)


def changed(fault: Fact, op: Op, before: Op, head: Op | None) -> Cause:
    """The change: that of op_compat.yaml, or else that of the declaration.

    Args:
        fault: the fault.
        op: the legacy op.
        before: the PIR op of base.
        head: the PIR op of head of the same name, None where there is none.
    """
    if head is None:
        return declared(fault, op, before).replace(origin=None)
    if fault.kind == "op":
        own = before.name.partition(".")[2]
        return _named(before, head, "", f"`op : {own} ({op.name})`")
    new = next((each for each in _arguments(head) if _is_about(fault, each)), None)
    if new is None:
        return declared(fault, op, head)
    old = next((each for each in _arguments(before) if each.name == new.name), None)
    entry = None if old is None else _entry(old, new)
    if entry is None:
        return declared(fault, op, head).replace(origin=new.origin)
    return _named(before, head, new.name, entry)


def _arguments(op: Op) -> Iterator[Declared]:
    return (each for section in SECTIONS.values() for each in getattr(op, section))


def _is_about(fault: Fact, argument: Declared) -> bool:
    """Tell whether a fault is about an argument of a PIR op: it names it, or else what programs call it."""
    own = fault.facts.get("own")
    return argument.name == own if own is not None else fault.name == (argument.get("legacy_name") or argument.name)


def _entry(old: Declared, new: Declared) -> str | None:
    """The former text of op_compat.yaml on an argument, None where it says the same, or nobody knows."""
    if old.get("legacy_name") != new.get("legacy_name"):
        return f"`{old.name} : {old.get('legacy_name') or old.name}`"
    if old.get("legacy_tensors") != new.get("legacy_tensors"):
        return f"the tensors of `{old.name}`: {', '.join(old.get('legacy_tensors') or ())}"
    return f"`{old.name}` under `extra`" if old.get("legacy_extra") != new.get("legacy_extra") else None


def _named(before: Op, head: Op, argument: str, entry: str) -> Cause:
    base_origin, origin = (
        each.places.get(f"legacy_name.{argument}" if argument else f"legacy_names.{each.name}") or each.origin
        for each in (before, head)
    )
    return Cause(base_origin=base_origin, origin=origin, remedy=f"keep in op_compat.yaml: {entry}")
