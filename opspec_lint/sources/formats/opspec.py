"""The canonical spec file, in JSON, or the same document in YAML; `spec/canonical.py` writes it.

A field that a record omits has its default value if the file's `knows` names it, and is unknown otherwise. The fields
and their values are declared in `spec/fields.py`, and the JSON Schema of a file follows from them. The records of ops
are checked by the forms of their fields, which is faster; a test compares the verdicts.
"""

from __future__ import annotations

from functools import cache, partial

from opspec_lint.documents.forms import FORMS, Forms, is_list_of_strings, valid_types_and_check
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.lazy_mapping import LazyMapping
from opspec_lint.kit.text import join
from opspec_lint.sources.format import SURELY, Format
from opspec_lint.spec import canonical, fields, values
from opspec_lint.spec.canonical import ARGUMENTS, VERSION
from opspec_lint.spec.fields import DOCUMENTATION, SECTIONS
from opspec_lint.spec.model import BY_NAME, UNKNOWN, GraphVersions, Provenance, Spec
from opspec_lint.spec.records import OpReader, checkpoints_from_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.documents.schema import FileFault
    from opspec_lint.spec.fields import FieldTable, Section

NAME = "opspec"

_UPDATE = Forms(
    {
        "action": (frozenset(), lambda action: action in ("new", "modify", "delete", "bugfix")),
        "kind": (frozenset(), lambda kind: kind in ("input", "output", "attr")),
        "name": FORMS["text"],
        "remark": FORMS["text"],
        "default_value": FORMS["value"],
    }
)
"""The forms of an update of an op version."""
_ORDERED_BINDING = "signature"
"""The binding that `"ordered": true` means, in files that predate `binding`."""
_VALUE_FIELDS = frozenset({"default_value", "allowed_values"})


def likeness(value: Any) -> int:
    """Return 2 for a document of this format, and 0 for any other."""
    # Output of print_op_desc may contain an op named `opspec`, which is a mapping.
    return SURELY if isinstance(value, dict) and "opspec" in value and not isinstance(value["opspec"], dict) else 0


def count_keys(value: Any, counts: dict[int, int]) -> int | None:
    """Return the number of keys of all objects in a document, None if the document is not valid."""
    if not _is_valid_header(value):
        return None
    checks = _checks(value["provenance"]["framework"])
    total = _count_header_keys(value, checks)
    for record in value["ops"].values():
        # Records that the memo reused from another document have been validated there.
        count = counts.get(id(record))
        if count is None:
            if not checks.is_op(record):
                return None
            count = counts[id(record)] = checks.count(record)
        total += count
    return total


def load(value: Any, file: str) -> Spec:
    """Return the spec of a valid document."""
    reader = OpReader(value["provenance"]["framework"], value["knows"])
    histories, versions = value.get("op_versions"), value.get("graph_versions")
    return Spec(
        file=file,
        provenance=Provenance(**value["provenance"]),
        ops=reader.table(value["ops"]),
        op_versions=UNKNOWN
        if histories is None
        else {op: checkpoints_from_records(records) for op, records in histories.items()},
        binding=value.get("binding", _ORDERED_BINDING if value.get("ordered") else BY_NAME),
        earlier=LazyMapping(
            value.get("earlier", {}), lambda name, versions: tuple([reader.op(name, records) for records in versions])
        ),
        graph_versions=versions and GraphVersions(**{key: values.freeze(number) for key, number in versions.items()}),
        loading={key: values.freeze(setting) for key, setting in value.get("loading", {}).items()},
    )


def convert_numbers(value: Any) -> None:
    """Convert strings that are numbers in YAML 1.2, in the values of attrs whose type is numeric."""
    from opspec_lint.documents.yaml_text import convert_number_texts

    convert_number_texts(value, _VALUE_FIELDS, lambda record: is_of_numbers(str(record.get("type"))))


def is_of_numbers(kind: str) -> bool:
    """Return whether the values of an attr of a type are numbers: INT, FLOAT64S, list(int), LONGS."""
    return any(type_name in kind.upper() for type_name in ("FLOAT", "INT", "LONG"))


def faults(value: Any, file: str) -> Iterator[FileFault]:
    """Yield every fault of a decoded document; only invalid ops are validated by the JSON Schema, which is slow.

    Raises:
        InputError: the document has another version of this format.
    """
    from opspec_lint.documents import schema
    from opspec_lint.spec import file_schema

    # The version is first: its faults would be hundreds of keys that this version does not have.
    _check_version(value["opspec"], file)
    known = _known_framework(value.get("provenance"))
    checks, rules = _checks(known), file_schema.schema(known)
    ops = value.get("ops")
    records = ops if isinstance(ops, dict) else {}
    if not _is_valid_header(value):
        # Without the ops, of which a file has thousands: the invalid ones are validated one by one below.
        yield from schema.faults({**value, "ops": {}} if records else value, rules)
        yield from _loading_faults(value.get("loading"), known)
    for name, record in records.items():
        if not checks.is_op(record):
            place = join("ops", name)
            yield from schema.faults(record, rules, at=place, fragment="/$defs/op")
            yield from _repeated_names(record, place)
    if _is_earlier_in_form(value.get("earlier")):
        for name, versions in value["earlier"].items():
            for index, record in enumerate(versions):
                yield from _repeated_names(record, join("earlier", name, index))


class _RecordChecks:
    """Fast checks of the records of ops against the fields of a framework."""

    def __init__(self, table: FieldTable) -> None:
        self._fields = {section: frozenset(table.fields_of(section)) for section in SECTIONS}
        self._forms = {section: self._forms_of_section(table, section) for section in SECTIONS}
        self._nested = {
            section: _fields_of_forms(table, section, "value", "values", "condition") for section in SECTIONS
        }

    def _forms_of_section(self, table: FieldTable, section: Section) -> Forms:
        """Return the valid forms of the fields of ops, or of arguments, by name."""
        known = {name: valid_types_and_check(field) for name, field in table.fields_of(section).items()}
        known |= dict.fromkeys(DOCUMENTATION[section], FORMS["text"])
        known["unknown"] = (frozenset(), partial(self.are_fields, section))
        if section != "ops":
            return Forms({"name": FORMS["text"], **known})
        known["builds"] = FORMS["names"]
        present = [arguments for arguments in ARGUMENTS if table.fields_of(arguments)]
        return Forms(
            known | {arguments: (frozenset(), partial(self._are_arguments, arguments)) for arguments in present}
        )

    def is_op(self, record: Any) -> bool:
        """Return whether a record is a valid record of an op."""
        return self._forms["ops"].fit((record,)) and self._has_unique_names(record)

    def are_fields(self, section: Section, value: Any) -> bool:
        """Return whether a value is a list of fields of a section, each once."""
        return is_list_of_strings(value) and len(self._fields[section].intersection(value)) == len(value)

    def count(self, record: dict[str, Any]) -> int:
        """Return the number of keys of all objects in an op's record."""
        total = 0
        for section, nested in self._nested.items():
            for declared in _records_of_section(record, section):
                total += len(declared)
                for key in nested:
                    value = declared.get(key)
                    if value and type(value) in _CONTAINERS:
                        total += _count_nested(value)
        return total

    def _are_arguments(self, section: Section, records: Any) -> bool:
        return type(records) is list and self._forms[section].fit(records)

    def _has_unique_names(self, record: dict[str, Any]) -> bool:
        """Return whether every argument of an op has a unique name; names may repeat in an op with `invalid`."""
        for section in ARGUMENTS:
            arguments = record.get(section, ())
            names = {argument.get("name") for argument in arguments}
            if None in names or (len(names) != len(arguments) and not record.get("invalid")):
                return False
        return True


def _fields_of_forms(table: FieldTable, section: Section, *forms: str) -> tuple[str, ...]:
    """Return the fields of a section whose values have one of some forms."""
    return tuple(name for name, field in table.fields_of(section).items() if field.form in forms)


def _records_of_section(record: dict[str, Any], section: Section) -> Sequence[dict[str, Any]]:
    """Return the records of a section of an op: the op itself, or its arguments."""
    return (record,) if section == "ops" else record.get(section, ())


@cache
def _checks(framework: str) -> _RecordChecks:
    return _RecordChecks(fields.field_table(framework))


def _check_version(version: Any, file: str) -> None:
    if type(version) is int and version != VERSION:
        raise InputError(
            file,
            f"is of version {version} of the spec format; this opspec-lint reads version {VERSION}",
            where="opspec",
            advice="upgrade opspec-lint" if version > VERSION else "write the file again with `opspec-lint extract`",
        )


def _is_valid_header(value: dict[str, Any]) -> bool:
    """Return whether a document is valid, except for its ops."""
    from opspec_lint.documents.conformity import conforms
    from opspec_lint.spec import file_schema

    framework = _known_framework(value.get("provenance"))
    histories, earlier = value.get("op_versions", {}), value.get("earlier", {})
    # Of these a file has hundreds or thousands, which take a fast check each.
    without: dict[str, Any] = {key: {} for key in ("ops", "op_versions", "earlier") if type(value.get(key)) is dict}
    return (
        conforms({**value, **without}, file_schema.schema(framework))
        and not any(_loading_faults(value.get("loading", {}), framework))
        and all(map(_is_history, histories.values()))
        and _is_earlier(earlier, _checks(value["provenance"]["framework"]))
    )


def _known_framework(provenance: Any) -> str:
    """Return the framework that a provenance names; "" if it names none that is known."""
    framework = provenance.get("framework") if type(provenance) is dict else None
    return framework if isinstance(framework, str) and framework in fields.FRAMEWORKS else ""


def _loading_faults(loading: Any, framework: str) -> Iterator[FileFault]:
    """Yield the values of `loading` that are invalid for the loader of a framework."""
    if type(loading) is not dict or not loading or framework not in fields.FRAMEWORKS:
        return
    for known in fields.FRAMEWORKS.load(framework).loading:
        if known.name in loading and not known.is_valid(loading[known.name]):
            from opspec_lint.documents import schema

            yield schema.FileFault(where=join("loading", known.name), problem=f"expected {known.expected}")


def _is_earlier_in_form(earlier: Any) -> bool:
    return type(earlier) is dict and all(type(records) is list for records in earlier.values())


def _is_earlier(earlier: Any, checks: _RecordChecks) -> bool:
    return _is_earlier_in_form(earlier) and all(all(map(checks.is_op, records)) for records in earlier.values())


def _is_history(history: Any) -> bool:
    """Return whether a value has the form of the version history of an op."""
    return type(history) is list and all(
        type(checkpoint) is dict
        and checkpoint.keys() <= {"note", "updates"}
        and type(checkpoint.get("note", "")) is str
        and type(checkpoint.get("updates")) is list
        and all(map(_is_update, checkpoint["updates"]))
        for checkpoint in history
    )


def _is_update(record: Any) -> bool:
    if type(record) is not dict or not _UPDATE.fit((record,)):
        return False
    if record.get("action") == "bugfix":
        return "kind" not in record and "name" not in record
    return {"action", "kind", "name"} <= record.keys()


def _repeated_names(record: Any, place: str) -> Iterator[FileFault]:
    """Yield the arguments of an op whose name an earlier one has; the record may be invalid otherwise."""
    from opspec_lint.documents import schema

    if not isinstance(record, dict) or record.get("invalid"):
        return
    for section in ARGUMENTS:
        seen: dict[str, int] = {}
        arguments = record.get(section)
        for index, argument in enumerate(arguments if isinstance(arguments, list) else ()):
            name = argument.get("name") if isinstance(argument, dict) else None
            if not isinstance(name, str):
                continue
            if name in seen:
                where = f"{place}.{section}[{index}]"
                yield schema.FileFault(
                    where=where, problem=f"the name {name!r} is already used by {section}[{seen[name]}]"
                )
            seen.setdefault(name, index)


_CONTAINERS = frozenset({dict, list})


def _count_nested(value: Any) -> int:
    """Return the number of keys of all objects in a container."""
    own, items = 0, value
    if type(value) is dict:
        own, items = len(value), value.values()
    elif type(value) is not list:
        return 0
    # Most containers hold scalars only, and need no call for each item.
    if _CONTAINERS.isdisjoint(map(type, items)):
        return own
    return own + sum(_count_nested(item) for item in items)


def _count_header_keys(value: dict[str, Any], checks: _RecordChecks) -> int:
    """Return the number of keys of all objects in a valid document, except for those in `ops`."""
    earlier, histories = value.get("earlier", {}), value.get("op_versions", {})
    parts = (
        value,
        value["provenance"],
        value["knows"],
        value.get("graph_versions", ()),
        value["ops"],
        earlier,
        histories,
    )
    checkpoints = [checkpoint for history in histories.values() for checkpoint in history]
    return (
        sum(map(len, parts))
        + _count_nested(value.get("loading", {}))
        + sum(map(checks.count, (record for versions in earlier.values() for record in versions)))
        + sum(map(len, checkpoints))
        + sum(
            len(update) + _count_nested(update.get("default_value"))
            for checkpoint in checkpoints
            for update in checkpoint["updates"]
        )
    )


FORMAT = Format(
    summary="spec file of opspec-lint, JSON or YAML",
    likeness=likeness,
    count_keys=count_keys,
    all_faults=faults,
    load=load,
    convert_numbers=convert_numbers,
    dumps=canonical.dumps,
)
