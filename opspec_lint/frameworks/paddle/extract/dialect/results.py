"""The result of the extraction of PIR ops from a tree or wheel, and the spec made from it."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec import records
from opspec_lint.spec.fields import FRAMEWORKS, SECTIONS, field_table
from opspec_lint.spec.model import GraphVersions, Spec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.extract.declarations import VariableRecord
    from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import Entry
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Origin, Provenance
    from opspec_lint.spec.records import AttrRecord, LocatedOp, OpPlaces, OpRecord, Place, RemarkRecord

    class PirVariable(VariableRecord, total=False):
        """The record of an input or output, with its names in a ProgramDesc."""

        legacy_name: str
        legacy_tensors: Sequence[str]

    class PirAttr(AttrRecord, total=False):
        """The record of an attr, with its name in a ProgramDesc."""

        legacy_name: str
        legacy_extra: bool

    class PirOp(OpRecord, total=False):
        """The record of a PIR op."""

        variadic: bool
        kernel_of: str
        patches: Sequence[Mapping[str, Any]] | None
        legacy_names: Sequence[str]
        other_legacy_names: Sequence[tuple[str, str, str]]

    class PirPlaces(OpPlaces, total=False):
        """The places of an op and its arguments; `entries` are the names of all ops translated to it."""

        entries: Sequence[Entry]

    LocatedPirOp: TypeAlias = tuple[PirOp, PirPlaces]


FRAMEWORK = "paddle-pir"
BY_POSITION = "position"
_NAME_FIELDS = ("legacy_name", "legacy_tensors", "legacy_extra")
"""The fields of an argument whose place is its name in op_compat.yaml."""
_SHARED_FIELDS = frozenset({"duplicable", "dispensable", "default_value"})
"""The common fields that have their default values where a record omits them; others are unknown there."""
_MARKED_FIELDS = frozenset({"intermediate"})
"""The fields that no wheel states, and that the records of a wheel mark as unknown: its library may complete them."""


class Extraction(Record):
    """The PIR ops of a tree or wheel, as plain data.

    `has_names`: the names in ProgramDescs are known, which wheels do not state. `version` is the PIR version that the
    last release wrote, None if there was none. `loading` are the loader's settings in a spec; `places` has the places
    of these settings and of patches.
    """

    ops: Mapping[str, LocatedPirOp] = {}
    remarks: Sequence[RemarkRecord] = ()
    has_names: bool = True
    version: int | None = None
    loading: Mapping[str, Any] = {}
    places: Mapping[str, Place] = {}

    def spec(self, file: str, provenance: Provenance) -> Spec:
        """Return the spec of the tree or wheel; `file` is the name that messages call it by."""
        return Spec(
            file=file,
            provenance=provenance,
            ops=records.OpReader(FRAMEWORK, known_fields(has_names=self.has_names)).located_table(
                self.ops, _name_origins, _comparison_key, is_located=self.has_names
            ),
            binding=BY_POSITION,
            graph_versions=None if self.version is None else GraphVersions(producer=self.version, min_producer=1),
            loading=self.loading,
            field_origins={name: records.origin_from_place(place) for name, place in self.places.items()},
            remarks=tuple(map(records.remark_from_record, self.remarks)),
        )


def known_fields(*, has_names: bool) -> dict[Section, frozenset[str]]:
    """Return the fields that ops state, by section; without names in ProgramDescs for a wheel.

    Only a mutable attr has a `default`: a record that omits it does not know it.
    """
    stated = _SHARED_FIELDS.union(
        field.name
        for field in FRAMEWORKS.load(FRAMEWORK).fields
        if field.name != "default" and (has_names or not field.absent_in or field.name in _MARKED_FIELDS)
    )
    table = field_table(FRAMEWORK)
    return {section: stated.intersection(table.fields_of(section)) for section in SECTIONS}


def _comparison_key(op: LocatedPirOp) -> tuple[PirOp, Sequence[Entry]]:
    """Return a key that is equal for ops without any difference.

    A changed entry of op_compat.yaml counts, so that the translation of the op is compared again.
    """
    record, places = op
    return record, places.get("entries", ())


def _name_origins(name: str, op: LocatedOp) -> dict[str, Origin]:
    """Return the origins of an op's names in ProgramDescs; the entry of the op where an argument has none."""
    record, places = op
    name_places = places.get("names")
    if name_places is None:
        return {}
    origins = {argument: records.origin_from_place(place) for argument, place in name_places.items()}
    entry = origins[""]
    sections = (record.get("inputs", ()), record.get("outputs", ()), record.get("attrs", ()))
    arguments = [argument["name"] for section in sections for argument in section]
    argument_origins = {
        f"{field}.{argument}": origins.get(argument, entry) for argument in arguments for field in _NAME_FIELDS
    }
    return argument_origins | {f"legacy_names.{name}": entry}
