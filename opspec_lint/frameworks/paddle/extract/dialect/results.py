"""What is found in a tree, or in a wheel, of the ops of PIR's dialects, and the spec of it."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec import records
from opspec_lint.spec.model import GraphVersions, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.extract.declarations import PaddleAttrRecord, VariableRecord
    from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import Entry
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Origin, Provenance
    from opspec_lint.spec.records import LocatedOp, OpPlaces, OpRecord, Place, RemarkRecord

    class PirVariable(VariableRecord, total=False):
        """The record of an input or output with its names in a ProgramDesc."""

        legacy_name: str
        legacy_tensors: Sequence[str]

    class PirAttr(PaddleAttrRecord, total=False):
        """The record of an attr with its names in a ProgramDesc."""

        legacy_name: str
        legacy_extra: bool

    class PirOp(OpRecord, total=False):
        """The record of an op."""

        variadic: bool
        kernel_of: str
        patches: Sequence[Mapping[str, Any]] | None
        legacy_names: Sequence[str]
        other_legacy_names: Sequence[tuple[str, str, str]]

    class PirPlaces(OpPlaces, total=False):
        """The places of an op and its arguments, and what op_compat.yaml says of the ops that become it (`entries`)."""

        entries: Sequence[Entry]

    LocatedPirOp: TypeAlias = tuple[PirOp, PirPlaces]


FRAMEWORK = "paddle-pir"
BY_POSITION = "position"
_OF_NAMES = ("legacy_name", "legacy_tensors", "legacy_extra")
"""The fields of an argument that stand where op_compat.yaml names it."""
_OF_TREES = frozenset({*_OF_NAMES, "legacy_names", "other_legacy_names", "kernel_of"})
"""The fields that no wheel says."""
_KNOWN: dict[Section, frozenset[str]] = {
    "ops": frozenset({"variadic", "patches", "legacy_names", "other_legacy_names", "kernel_of"}),
    "inputs": frozenset({"duplicable", "dispensable", "mutable_attr", "legacy_name", "legacy_tensors"}),
    "outputs": frozenset({"duplicable", "dispensable", "intermediate", "legacy_name"}),
    "attrs": frozenset({"default_value", "legacy_name", "legacy_extra"}),
}
"""The fields that have their default values where a record leaves them out; any other is unknown there."""


class Extraction(Record):
    """What a tree or a wheel declares, as plain data.

    `has_names` is whether the names in ProgramDescs are known, which no wheel says. `version` is that of PIR which the
    last release wrote, None where it has none. `loading` is what its loader decides by, as a spec has it, and `places`
    are those of that and of the patches of ops.
    """

    ops: Mapping[str, LocatedPirOp] = {}
    remarks: Sequence[RemarkRecord] = ()
    has_names: bool = True
    version: int | None = None
    loading: Mapping[str, Any] = {}
    places: Mapping[str, Place] = {}

    def spec(self, file: str, provenance: Provenance) -> Spec:
        """Return the spec of the tree or wheel.

        Args:
            file: what the user called it.
            provenance: where it comes from.
        """
        return Spec(
            file=file,
            provenance=provenance,
            ops=records.OpReader(FRAMEWORK, known(has_names=self.has_names)).located_table(
                self.ops, _places_of_names, _with_entries, is_located=self.has_names
            ),
            binding=BY_POSITION,
            graph_versions=None if self.version is None else GraphVersions(producer=self.version, min_producer=1),
            loading=self.loading,
            field_origins={name: records.origin_from_place(place) for name, place in self.places.items()},
            remarks=tuple(map(records.remark_from_record, self.remarks)),
        )


def known(*, has_names: bool) -> dict[Section, frozenset[str]]:
    """Return the fields that ops know, with the names in ProgramDescs or without, by section."""
    return {section: said if has_names else said - _OF_TREES for section, said in _KNOWN.items()}


def _with_entries(op: LocatedPirOp) -> tuple[PirOp, Sequence[Entry]]:
    """Return what two ops have in common that are surely the same.

    An op counts as changed where op_compat.yaml says something else of it, so that its translation is compared again.
    """
    record, places = op
    return record, places.get("entries", ())


def _places_of_names(name: str, op: LocatedOp) -> dict[str, Origin]:
    """Return the places of an op's names (`Op.places`); that of its entry where an argument has none."""
    record, places = op
    named = places.get("names")
    if named is None:
        return {}
    origins = {argument: records.origin_from_place(place) for argument, place in named.items()}
    entry = origins[""]
    sections = (record.get("inputs", ()), record.get("outputs", ()), record.get("attrs", ()))
    arguments = [each["name"] for section in sections for each in section]
    of_arguments = {f"{field}.{each}": origins.get(each, entry) for each in arguments for field in _OF_NAMES}
    return of_arguments | {f"legacy_names.{name}": entry}
