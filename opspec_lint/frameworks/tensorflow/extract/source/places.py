"""Ops of a source tree as records: a serialized OpDef, TensorFlow's reason for rejecting it, and the places."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.spec.op_table import OpTable
from opspec_lint.spec.records import origin_from_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.builder import Finished, Place
    from opspec_lint.spec.model import Op

    OpRecord = tuple[bytes, "str | None", bool, tuple[str, ...], "Place | None", Place, dict[str, list[Place]]]
    """The OpDef, the fault, whether a full type is unknown, the builds; then the places of the fault, of the op, and of
    its arguments by section."""

_SECTIONS = ("inputs", "outputs", "attrs")


def record(op: Finished, place: Place) -> OpRecord:
    """Return the record of an op that was built, as plain data for a cache."""
    return op.opdef, op.fault, op.hides_type, (), op.fault_place, place, op.places


def in_builds(stored: OpRecord, builds: tuple[str, ...]) -> OpRecord:
    """Return the record of an op that only some builds have."""
    return *stored[:3], builds, *stored[4:]


def is_same(first: OpRecord, second: OpRecord) -> bool:
    """Return whether two records are of the same declaration, wherever it is and whichever builds have it."""
    return first[:3] == second[:3]


def table(records: Mapping[str, OpRecord]) -> OpTable:
    """Return the ops of records, by name."""
    return OpTable(
        records, _op, _no_numbers, "located OpDef", located=True, declared=_declared, fields={"builds": _builds}
    )


def _builds(stored: OpRecord) -> tuple[str, ...]:
    return stored[3]


def _op(name: str, stored: OpRecord) -> Op:
    opdef, fault, hides_type, builds, fault_place, place, places = stored
    op = op_defs.read(opdef).replace(name=name, builds=builds)
    if hides_type:
        first, *others = op.outputs
        own = {field: value for field, value in first.own.items() if field != "full_type"}
        op = op.replace(outputs=(first.replace(own=own), *others))
    arguments = {
        section: tuple(
            argument.replace(origin=origin_from_place(at))
            for argument, at in zip(getattr(op, section), places[section], strict=True)
        )
        for section in _SECTIONS
    }
    if fault is None:
        return op.replace(origin=origin_from_place(place), **arguments)
    where = {} if fault_place is None else {"invalid": origin_from_place(fault_place)}
    return op.replace(origin=origin_from_place(place), invalid=fault, places=where, **arguments)


def _declared(stored: OpRecord) -> object:
    return stored[:4]


def _no_numbers(stored: OpRecord) -> list[Any]:  # noqa: ARG001 - equal bytes are equal
    return []
