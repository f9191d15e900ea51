"""Conversion of records to ops. Spec files, readers of source trees, and their caches all use such records.

A record is plain data: the fields of an op by name (`spec/fields.py`), and the records of its arguments under `inputs`,
`outputs` and `attrs`. A field that it omits has its default value if the spec knows the field, and is unknown
otherwise; `unknown` lists the fields that this op or argument does not know although the spec does. The places of
declarations are kept beside the record, so that equal records are equal declarations.
"""

from __future__ import annotations

import marshal
from functools import partial

from opspec_lint.spec.canonical import ARGUMENTS
from opspec_lint.spec.fields import SECTIONS, field_table
from opspec_lint.spec.interning import intern_object
from opspec_lint.spec.model import UNKNOWN, Attr, Checkpoint, Input, Op, Origin, Output, Remark, Update
from opspec_lint.spec.op_table import INPUT_NAMES, OpTable
from opspec_lint.spec.values import freeze, same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from typing_extensions import Required, TypedDict

    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Action, Kind

    Place: TypeAlias = tuple[str, int | None, int | None]
    """File, line and column."""

    class ArgumentRecord(TypedDict, total=False):
        """The record of an input or output; a framework adds its own fields."""

        name: Required[str]
        unknown: list[str]
        type: str
        duplicable: bool
        dispensable: bool
        extra: bool

    class AttrRecord(TypedDict, total=False):
        """The record of an attr; a framework adds its own fields."""

        name: Required[str]
        unknown: list[str]
        type: str
        default_value: Any
        allowed_values: object
        minimum: float
        maximum: float
        extra: bool

    class OpRecord(TypedDict, total=False):
        """The record of an op, with the records of its arguments; a framework adds its own fields."""

        unknown: list[str]
        inputs: Sequence[Any]
        outputs: Sequence[Any]
        attrs: Sequence[Any]
        builds: Sequence[str]

    class OpPlaces(TypedDict, total=False):
        """The places of an op and of its arguments, in the order of the record.

        `names` has the places that assign arguments other names than their declaration; "" is the op itself.
        """

        op: Required[Place]
        inputs: Sequence[Place]
        outputs: Sequence[Place]
        attrs: Sequence[Place]
        names: Mapping[str, Place]

    LocatedOp: TypeAlias = tuple[OpRecord, OpPlaces]
    LocatedAttr: TypeAlias = tuple[AttrRecord, Place]

    class UpdateRecord(TypedDict, total=False):
        """The record of an `Update`."""

        action: Required[Action]
        kind: Kind
        name: str
        remark: str
        default_value: Any

    class CheckpointRecord(TypedDict, total=False):
        """The record of a `Checkpoint`."""

        note: str
        updates: Required[Sequence[UpdateRecord]]

    class RemarkRecord(TypedDict):
        """The record of a `Remark`."""

        event: EventId
        name: str
        op: str | None
        digest: str
        facts: dict[str, str]
        place: Place


_MAKE: dict[Section, Any] = {"ops": Op, "inputs": Input, "outputs": Output, "attrs": Attr}
_NUMERIC = frozenset({"value", "values", "number"})
"""The forms of fields whose values may be integers or floats."""
_NO_FIELDS = frozenset({*ARGUMENTS, "builds"})
"""The keys of an op's record that are no fields."""


def _record(located: LocatedOp) -> OpRecord:
    """Return the record of a located op."""
    return located[0]


class OpReader:
    """Builds ops from records; the spec as a whole states which fields they know.

    Args:
        framework: the framework of the spec.
        knows: the fields that the spec knows, by section.
        attrs_of_all: attrs that every op has after its own, with their places.
    """

    def __init__(
        self, framework: str, knows: Mapping[Section, Iterable[str]], attrs_of_all: Iterable[LocatedAttr] = ()
    ) -> None:
        definitions = field_table(framework)
        known = {section: frozenset(knows.get(section, ())) for section in SECTIONS}
        self._known = known["ops"]
        self._defaults = {
            section: _split_defaults(section, definitions.defaults(section), known[section]) for section in SECTIONS
        }
        # By section, the constructor of its arguments, and what the interned ones depend on besides their record.
        self._constructors = {
            section: (partial(self._argument, section), (section, known[section])) for section in ARGUMENTS
        }
        numeric = {
            section: tuple(name for name, field in definitions.fields_of(section).items() if field.form in _NUMERIC)
            for section in SECTIONS
        }
        self._numeric = [(section, names) for section, names in numeric.items() if names]
        common_attrs = tuple(attrs_of_all)
        self._attrs_of_all = tuple(self._located("attrs", record, place) for record, place in common_attrs)
        # Tables with the same dialect make equal ops of equal records. The records of attrs are compared as text, since
        # they are dicts, which are not hashable.
        known_of_arguments = (known[section] for section in ARGUMENTS)
        self._dialect = (framework, repr([record for record, _ in common_attrs]), *known_of_arguments)
        self._fields_of_op: dict[str, Callable[[Any], Any]] = {
            "builds": _builds,
            INPUT_NAMES: _input_names,
            # Comparisons ask for these two in every framework, also where no op can state them.
            **{
                field: partial(self._field, field)
                for field in ("deprecation", "invalid", *definitions.fields_of("ops"))
            },
        }

    def table(self, records: Mapping[str, OpRecord]) -> OpTable:
        """Return the ops of some records, by name."""
        dialect = ("record", *self._dialect)
        return OpTable(records, self.op, self.numbers, dialect, known=self._known, fields=self._fields_of_op)

    def located_table(
        self,
        ops: Mapping[str, LocatedOp],
        places_of_fields: Callable[[str, LocatedOp], Mapping[str, Origin]] | None = None,
        decisive: Callable[[Any], object] = _record,
        *,
        is_located: bool = True,
    ) -> OpTable:
        """Return the ops of some records with places, by name.

        Args:
            ops: the records and places.
            places_of_fields: returns `Op.places` of an op; None if ops have none.
            decisive: returns the data that are equal exactly for certainly equal ops: the record, and perhaps more.
            is_located: whether the places are in files that the user can open.
        """

        def build(name: str, located: LocatedOp) -> Op:
            return self.op(name, *located, places_of_fields(name, located) if places_of_fields else {})

        return OpTable(
            ops,
            build,
            lambda located: self.numbers(_record(located)),
            ("located record", *self._dialect),
            known=self._known,
            located=is_located,
            declared=decisive,
            fields={field: partial(_apply_to_record, get) for field, get in self._fields_of_op.items()},
        )

    def op(
        self,
        name: str,
        record: OpRecord,
        places: OpPlaces | None = None,
        places_of_fields: Mapping[str, Origin] = {},
    ) -> Op:
        """Return the op of a record.

        Args:
            name: the name of the op.
            record: its record.
            places: the places of the op and its arguments, None if its source has no places.
            places_of_fields: the places of fields of the op, which become `Op.places`.
        """
        return Op(
            name=name,
            inputs=self._arguments("inputs", record, places),
            outputs=self._arguments("outputs", record, places),
            attrs=self._arguments("attrs", record, places) + self._attrs_of_all,
            builds=_builds(record),
            origin=None if places is None else origin_from_place(places["op"]),
            places=places_of_fields,
            **self._fields("ops", {key: value for key, value in record.items() if key not in _NO_FIELDS}),
        )

    def numbers(self, record: Mapping[str, Any]) -> list[Any]:
        """Return the values of an op's record that may be integers or floats."""
        return [
            declared[name]
            for section, names in self._numeric
            for declared in ((record,) if section == "ops" else record.get(section, ()))
            for name in names
            if name in declared
        ]

    def _field(self, field: str, record: Mapping[str, Any]) -> Any:
        """Return a field of the op of a record, without building the op."""
        # Only the requested field and `unknown` are converted: an op can have hundreds of arguments.
        values = self._fields("ops", {key: record[key] for key in (field, "unknown") if key in record})
        return values[field] if field in values else values["own"].get(field, UNKNOWN)

    def _arguments(
        self, section: Section, record: Mapping[str, Any], places: Mapping[str, Any] | None
    ) -> tuple[Any, ...]:
        """Return the arguments of a section of an op's record; `places` has their places by section, or is None.

        Equal arguments without places are one object, as hundreds of ops and releases have them. Those with places are
        not interned, since hardly any two have the same place.
        """
        arguments = record.get(section, ())
        if places is None:
            construct, key = self._constructors[section]
            return tuple([intern_object(construct, key, "", argument) for argument in arguments])
        if not arguments:
            return ()
        return tuple(
            [
                self._located(section, argument, place)
                for argument, place in zip(arguments, places[section], strict=True)
            ]
        )

    def _argument(self, section: Section, _: str, record: dict[str, Any]) -> Any:
        return _MAKE[section](**self._fields(section, record))

    def _located(self, section: Section, record: Mapping[str, Any], place: Place) -> Any:
        return _MAKE[section](**self._fields(section, record), origin=origin_from_place(place))

    def _fields(self, section: Section, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a record's fields, as keywords of the class.

        Most arguments share one `own` mapping with the defaults of the framework's fields; it is copied before a
        change.
        """
        of_model, of_framework = self._defaults[section]
        result, own, model = of_model.copy(), of_framework, _MAKE[section]._fields
        for field, value in record.items():
            if field in model:
                # Most values are texts, which need no conversion and so no call.
                result[field] = value if type(value) is str else freeze(value)
            elif field != "unknown":
                # Copied at the first own value only: most arguments have none besides the defaults.
                own = own.copy() if own is of_framework else own
                own[field] = freeze(value)
        for field in record.get("unknown", ()):
            own = {name: value for name, value in own.items() if name != field}
            result.pop(field, None)
        result["own"] = own
        return result


def _split_defaults(
    section: Section, defaults: Mapping[str, Any], known: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the defaults of the fields that a spec knows: for fields of the class, and for the framework's."""
    model = _MAKE[section]._fields
    of_model = {field: value for field, value in defaults.items() if field in known and field in model}
    return of_model, {field: value for field, value in defaults.items() if field in known and field not in model}


def origin_from_place(place: Place) -> Origin:
    """Return a place as an `Origin`."""
    file, line, column = place
    return Origin(file=file, line=line, column=column)


def checkpoints_from_records(records: Sequence[CheckpointRecord]) -> tuple[Checkpoint, ...]:
    """Return the version history of an op."""
    return intern_object(_checkpoints, "checkpoints", "", {"": records})


def remark_from_record(record: RemarkRecord) -> Remark:
    """Return the remark of a record."""
    fields: dict[str, Any] = {**record}
    return Remark(origin=origin_from_place(fields.pop("place")), **fields)


def same_record(first: Any, second: Any) -> bool:
    """Return whether two records declare the same; 1, 1.0 and true differ, although they are equal under `==`."""
    # Marshal is fast, but the order of keys changes its bytes; then the values are compared.
    return marshal.dumps(first, 2) == marshal.dumps(second, 2) or same(freeze(first), freeze(second))


def _checkpoints(_: str, record: dict[str, Any]) -> tuple[Checkpoint, ...]:
    records = record[""]
    return tuple(
        Checkpoint(note=record.get("note", ""), updates=tuple(map(_update, record["updates"]))) for record in records
    )


def _update(record: UpdateRecord) -> Update:
    return Update(**{key: freeze(value) for key, value in record.items()})


def _input_names(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the inputs in the record of an op."""
    return tuple(argument["name"] for argument in record.get("inputs", ()))


def _builds(record: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(record.get("builds", ()))


def _apply_to_record(get: Callable[[OpRecord], object], located: LocatedOp) -> object:
    """Return `get` of the record of a located op."""
    record, _ = located
    return get(record)
