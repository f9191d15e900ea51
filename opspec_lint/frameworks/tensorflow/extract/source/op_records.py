"""Records of the ops of a source tree: plain tuples, which the cache can store, and the ops built from them."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import op_defs
from opspec_lint.spec.op_table import OpTable
from opspec_lint.spec.records import origin_from_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from opspec_lint.frameworks.tensorflow.extract.source.builder import BuiltOp, Place
    from opspec_lint.spec.model import Op

    OpRecord = tuple[
        bytes, "str | None", bool, tuple[int, ...], tuple[str, ...], "Place | None", Place, dict[str, list[Place]]
    ]
    """The values of an op, at the positions below."""

# Positions in a record: a tuple can be stored by marshal, which an object with fields cannot.
OPDEF: Final = 0
"""The serialized OpDef."""
FAULT: Final = 1
"""The message with which OpDefBuilder rejects the op, None for a valid op."""
HIDES_TYPE: Final = 2
"""True if the full type of the first output is unknown."""
OWN_TYPES: Final = 3
"""The numbers of the data types of the tree that TensorFlow lacks."""
BUILDS: Final = 4
"""The builds that have the op, () for every build."""
FAULT_PLACE: Final = 5
"""The place of the string that OpDefBuilder rejects."""
PLACE: Final = 6
"""The place of the registration."""
PLACES: Final = 7
"""The places of the arguments, by section."""

_SECTIONS = ("inputs", "outputs", "attrs")


def to_record(op: BuiltOp, place: Place) -> OpRecord:
    """Return the record of an op that was registered at a place, in every build."""
    return op.opdef, op.fault, op.hides_type, op.own_types, (), op.fault_place, place, op.places


def with_builds(record: OpRecord, builds: tuple[str, ...]) -> OpRecord:
    """Return a record with the builds that have the op."""
    return *record[:BUILDS], builds, *record[FAULT_PLACE:]


def moved(record: OpRecord, line: int) -> OpRecord:
    """Return a record of an op that is now registered at another line of its file."""
    distance = line - record[PLACE][1]
    if not distance:
        return record  # the same object, which the cache need not write again

    def move(place: Place) -> Place:
        return place[0], place[1] + distance, place[2]

    fault_place = record[FAULT_PLACE]
    places = {section: list(map(move, section_places)) for section, section_places in record[PLACES].items()}
    return *record[:FAULT_PLACE], fault_place and move(fault_place), move(record[PLACE]), places


def is_same_declaration(first: OpRecord, second: OpRecord) -> bool:
    """Return whether two records have the same declaration, regardless of places and builds."""
    return first[:BUILDS] == second[:BUILDS]


def op_table(records: Mapping[str, OpRecord]) -> OpTable:
    """Return the table of ops that are built from records when they are accessed."""
    return OpTable(
        records, _build_op, _no_numbers, "located OpDef", located=True, declared=_declared, fields={"builds": _builds}
    )


def _builds(record: OpRecord) -> tuple[str, ...]:
    return record[BUILDS]


def _build_op(name: str, record: OpRecord) -> Op:
    """Return the op of a record, with the origin of each argument."""
    op = op_defs.read(record[OPDEF], frozenset(record[OWN_TYPES])).replace(name=name, builds=record[BUILDS])
    if record[HIDES_TYPE]:
        first, *others = op.outputs
        own = {field: value for field, value in first.own.items() if field != "full_type"}
        op = op.replace(outputs=(first.replace(own=own), *others))
    arguments = {
        section: tuple(
            argument.replace(origin=origin_from_place(place))
            for argument, place in zip(getattr(op, section), record[PLACES][section], strict=True)
        )
        for section in _SECTIONS
    }
    op = op.replace(origin=origin_from_place(record[PLACE]), **arguments)
    if record[FAULT] is None:
        return op
    fault_place = record[FAULT_PLACE]
    places = {} if fault_place is None else {"invalid": origin_from_place(fault_place)}
    return op.replace(invalid=record[FAULT], places=places)


def _declared(record: OpRecord) -> object:
    return record[:FAULT_PLACE]


def _no_numbers(record: OpRecord) -> list[Any]:  # noqa: ARG001 - equal bytes are equal
    return []
