"""Records of the ops of a source tree, plain data for the cache: OpDef, fault, builds and places in the source."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.spec.op_table import OpTable
from opspec_lint.spec.records import origin_from_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.builder import BuiltOp, Place
    from opspec_lint.spec.model import Op

    OpRecord = tuple[bytes, "str | None", bool, tuple[str, ...], "Place | None", Place, dict[str, list[Place]]]
    """The OpDef, the fault, whether a full type is unknown, the builds; then the places of the fault, of the op, and of
    its arguments by section."""

_SECTIONS = ("inputs", "outputs", "attrs")


def to_record(op: BuiltOp, place: Place) -> OpRecord:
    """Return the record of an op that was registered at a place."""
    return op.opdef, op.fault, op.hides_type, (), op.fault_place, place, op.places


def with_builds(stored: OpRecord, builds: tuple[str, ...]) -> OpRecord:
    """Return a record with the builds that have the op."""
    return *stored[:3], builds, *stored[4:]


def moved(stored: OpRecord, line: int) -> OpRecord:
    """Return a record of an op that is now registered at another line of its file."""
    opdef, fault, hides_type, builds, fault_place, place, places = stored
    distance = line - place[1]
    if not distance:
        return stored  # the same object, which the cache need not write again

    def move(at: Place) -> Place:
        return at[0], at[1] + distance, at[2]

    moved_places = {section: list(map(move, section_places)) for section, section_places in places.items()}
    return opdef, fault, hides_type, builds, fault_place and move(fault_place), move(place), moved_places


def is_same_declaration(first: OpRecord, second: OpRecord) -> bool:
    """Tell whether two records have the same declaration, regardless of places and builds."""
    return first[:3] == second[:3]


def op_table(records: Mapping[str, OpRecord]) -> OpTable:
    """Return the table of ops that are built from records when they are accessed."""
    return OpTable(
        records, _build_op, _no_numbers, "located OpDef", located=True, declared=_declared, fields={"builds": _builds}
    )


def _builds(stored: OpRecord) -> tuple[str, ...]:
    return stored[3]


def _build_op(name: str, stored: OpRecord) -> Op:
    """Return the op of a record, with the origin of each argument."""
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
