"""The cause of a translation fault in a tree: a changed entry of op_compat.yaml, or a PIR declaration."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Declared, Op, Origin

DEFAULT_REMEDY = "load such models with the legacy executor or the predictor, or export them again"


class Cause(Record):
    """The places of a cause in base and head, and a remedy."""

    base_origin: Origin | None = None
    origin: Origin | None = None
    remedy: str = DEFAULT_REMEDY


def declaration_cause(fault: Fact, op: Op, target: Op | None) -> Cause:
    """Return base's declaration of the argument at fault, and head's declaration of the PIR op."""
    argument_or_op = next((argument for argument in _arguments(op) if argument.name == fault.name), op)
    return Cause(base_origin=argument_or_op.origin, origin=None if target is None else target.origin)


def change_cause(fault: Fact, op: Op, before: Op, head: Op | None) -> Cause:
    """Return the change behind a fault: in op_compat.yaml, or else in the declaration of the PIR op.

    `before` is the PIR op in base, `head` the one of the same name in head (None if it is gone).
    """
    if head is None:
        return declaration_cause(fault, op, before).replace(origin=None)
    if fault.kind == "op":
        op_name = before.name.partition(".")[2]
        return _compat_cause(before, head, "", f"`op : {op_name} ({op.name})`")
    new = next((argument for argument in _arguments(head) if _concerns(fault, argument)), None)
    if new is None:
        return declaration_cause(fault, op, head)
    old = next((argument for argument in _arguments(before) if argument.name == new.name), None)
    entry = None if old is None else _former_entry(old, new)
    if entry is None:
        return declaration_cause(fault, op, head).replace(origin=new.origin)
    return _compat_cause(before, head, new.name, entry)


def _arguments(op: Op) -> Iterator[Declared]:
    """Return all arguments of an op."""
    return (argument for section in SECTIONS.values() for argument in getattr(op, section))


def _concerns(fault: Fact, argument: Declared) -> bool:
    """Return whether a fault concerns an argument of a PIR op, by its name in PIR or in programs."""
    pir_name = fault.facts.get("own")
    if pir_name is not None:
        return argument.name == pir_name
    return fault.name == (argument.get("legacy_name") or argument.name)


def _former_entry(old: Declared, new: Declared) -> str | None:
    """Return the former text of op_compat.yaml for an argument; None if it is unchanged or unknown."""
    if old.get("legacy_name") != new.get("legacy_name"):
        return f"`{old.name} : {old.get('legacy_name') or old.name}`"
    if old.get("legacy_tensors") != new.get("legacy_tensors"):
        return f"the tensors of `{old.name}`: {', '.join(old.get('legacy_tensors') or ())}"
    return f"`{old.name}` under `extra`" if old.get("legacy_extra") != new.get("legacy_extra") else None


def _compat_cause(before: Op, head: Op, argument: str, entry: str) -> Cause:
    """Return a cause in op_compat.yaml."""
    base_origin, origin = (
        op.places.get(f"legacy_name.{argument}" if argument else f"legacy_names.{op.name}") or op.origin
        for op in (before, head)
    )
    return Cause(base_origin=base_origin, origin=origin, remedy=f"keep in op_compat.yaml: {entry}")
