"""The canonical spec file, in JSON or the same document in YAML; `opspec_lint.specfile` writes it.

A field that the file's `knows` names and that a record leaves out has its default value; any other field left out is
unknown.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.errors import InputError
from opspec_lint.interning import interned
from opspec_lint.model import (
    DOCUMENTATION,
    FIELDS,
    OP_FLAGS,
    UNKNOWN,
    Attr,
    Checkpoint,
    GraphVersions,
    Input,
    Op,
    Output,
    Provenance,
    Spec,
    Update,
)
from opspec_lint.optable import EarlierOps, OpTable
from opspec_lint.plain import join
from opspec_lint.specfile import ARGUMENTS, DEFAULTS, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, TypeVar

    from opspec_lint.schema import Fault

    _A = TypeVar("_A", Input, Output, Attr)

NAME = "opspec"
SUMMARY = "spec file of opspec-lint, JSON or YAML"

_HEAD_KEYS = frozenset(
    {"$schema", "opspec", "provenance", "ordered", "graph_versions", "knows", "ops", "earlier", "op_versions"}
)
_OP_KEYS = frozenset({"unknown", "builds", *FIELDS["ops"], *DOCUMENTATION["ops"], *ARGUMENTS})
_KEYS = {section: frozenset({"name", "unknown", *FIELDS[section], *DOCUMENTATION[section]}) for section in ARGUMENTS}
_FLAGS = frozenset({"duplicable", "dispensable", "intermediate", "generated", "extra", "quant", "is_ref", *OP_FLAGS})
_TEXTS = frozenset({"summary", "description"})
_TEXTS_OR_NULL = frozenset({"type", "type_attr", "number_attr", "type_list_attr", "deprecation", "invalid"})
_ALLOWED = (list, dict, type(None))
_LIMITS = ("minimum", "maximum")
_NUMBERS = ("default_value", "allowed_values", *_LIMITS)
"""Fields of attrs that may hold numbers of either kind."""
_UPDATE_KEYS = frozenset(Update._fields)
_NESTED = frozenset({"default_value", "allowed_values", "full_type", "handle_data"})
"""Fields of arguments whose values may be objects."""


def likeness(value: Any) -> int:
    """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""
    return 2 if isinstance(value, dict) and "opspec" in value and not isinstance(value["opspec"], dict) else 0


def count_keys(value: Any) -> int | None:
    """Return how many keys the objects of a document have, None where it disagrees with the schema of this format."""
    return _count_keys(value) if _is_head(value) and all(map(_is_op, value["ops"].values())) else None


def load(value: Any, file: str) -> Spec:
    """Return the spec of a faultless document."""
    knows = {section: frozenset(value["knows"].get(section, ())) for section in FIELDS}
    build = _Builder(knows)
    histories, versions = value.get("op_versions"), value.get("graph_versions")
    return Spec(
        file=file,
        provenance=Provenance(**value["provenance"]),
        ops=OpTable(
            value["ops"],
            build.op,
            _all_numbers if "full_type" in knows["inputs"] else _numbers,
            (NAME, *knows.values()),
        ),
        op_versions=UNKNOWN if histories is None else {op: _checkpoints(history) for op, history in histories.items()},
        ordered=value.get("ordered", False),
        earlier=EarlierOps(value.get("earlier", {}), build.op),
        graph_versions=versions and GraphVersions(**{key: values.freeze(each) for key, each in versions.items()}),
    )


def faults(value: Any, file: str) -> Iterator[Fault]:
    """Yield every fault of a decoded document; only the ops that are not faultless are looked at in full.

    Raises:
        InputError: the document is of another version of this format.
    """
    from opspec_lint import schema

    _check_version(value["opspec"], file)
    ops = value.get("ops")
    records = ops if isinstance(ops, dict) else {}
    if not _is_head(value):
        yield from schema.faults({**value, "ops": {}} if records else value, NAME)
    for name, record in records.items():
        if not _is_op(record):
            at = join("ops", name)
            yield from schema.faults(record, NAME, at=at, fragment="/$defs/op")
            yield from _twice(record, at)
    if _is_earlier_in_form(value.get("earlier")):
        for name, versions in value["earlier"].items():
            for index, record in enumerate(versions):
                yield from _twice(record, join("earlier", name, index))


def _numbers(record: dict[str, Any]) -> list[Any]:
    return [tuple(map(fields.get, _NUMBERS)) for fields in record.get("attrs", ())]


def _all_numbers(record: dict[str, Any]) -> list[Any]:
    arguments = (fields for section in ("inputs", "outputs") for fields in record.get(section, ()))
    return [*_numbers(record), *((fields.get("full_type"), fields.get("handle_data")) for fields in arguments)]


class _Builder:
    """Makes ops of records, with what the file as a whole knows."""

    def __init__(self, knows: Mapping[str, frozenset[str]]) -> None:
        self._knows = knows
        self._defaults = {
            section: {field: value for field, value in DEFAULTS[section].items() if field in known}
            for section, known in knows.items()
        }

    def op(self, name: str, record: dict[str, Any]) -> Op:
        own = {key: value for key, value in record.items() if key not in ARGUMENTS and key != "builds"}
        return Op(
            name=name,
            inputs=self._arguments(Input, "inputs", record),
            outputs=self._arguments(Output, "outputs", record),
            attrs=self._arguments(Attr, "attrs", record),
            builds=tuple(record.get("builds", ())),
            **self._fields("ops", own),
        )

    def _arguments(self, make: Callable[..., _A], section: str, record: dict[str, Any]) -> tuple[_A, ...]:
        def build(**fields: Any) -> _A:
            return make(**self._fields(section, fields))

        key = (section, self._knows[section])
        return tuple([interned(build, key, fields) for fields in record.get(section, ())])

    def _fields(self, section: str, record: dict[str, Any]) -> dict[str, Any]:
        fields = self._defaults[section] | {key: values.freeze(value) for key, value in record.items()}
        for field in fields.pop("unknown", ()):
            fields.pop(field, None)
        return fields


def _checkpoints(records: list[dict[str, Any]]) -> tuple[Checkpoint, ...]:
    return tuple(
        Checkpoint(note=record.get("note", ""), updates=tuple(map(_update, record["updates"]))) for record in records
    )


def _update(record: dict[str, Any]) -> Update:
    return Update(**{key: values.freeze(value) for key, value in record.items()})


def _check_version(version: Any, file: str) -> None:
    if type(version) is int and version != VERSION:
        raise InputError(
            file,
            f"is of version {version} of the spec format; this opspec-lint reads version {VERSION}",
            where="opspec",
            advice="upgrade opspec-lint" if version > VERSION else "write the file anew with `opspec-lint extract`",
        )


def _is_head(value: dict[str, Any]) -> bool:
    provenance, knows, ordered = value.get("provenance"), value.get("knows"), value.get("ordered", False)
    histories = value.get("op_versions", {})
    return (
        value.keys() <= _HEAD_KEYS
        and type(value["opspec"]) is int
        and value["opspec"] == VERSION
        and type(value.get("$schema", "")) is str
        and type(provenance) is dict
        and bool(provenance.get("framework"))
        and provenance.keys() <= set(Provenance._fields)
        and _are(str, provenance.values())
        and type(ordered) is bool
        and type(knows) is dict
        and all(section in FIELDS and _are_fields(section, known) for section, known in knows.items())
        and type(value.get("ops")) is dict
        and type(histories) is dict
        and all(map(_is_history, histories.values()))
        and _is_earlier(value.get("earlier", {}))
        and _are_graph_versions(value.get("graph_versions", {"producer": 0}))
    )


def _is_earlier_in_form(earlier: Any) -> bool:
    return type(earlier) is dict and all(type(records) is list for records in earlier.values())


def _is_earlier(earlier: Any) -> bool:
    return type(earlier) is dict and all(
        type(records) is list and all(map(_is_op, records)) for records in earlier.values()
    )


def _are_graph_versions(versions: Any) -> bool:
    if type(versions) is not dict or "producer" not in versions or not versions.keys() <= set(GraphVersions._fields):
        return False
    for key, value in versions.items():
        if key == "producer_since":
            if type(value) is not str or not _is_day(value):
                return False
        elif key == "bad_consumers":
            if type(value) is not list or not all(type(each) is int and values.in_range(each) for each in value):
                return False
        elif type(value) is not int or not values.in_range(value):
            return False
    return True


def _is_day(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text.replace("-", "").isdecimal() and text.isascii()


def _is_op(record: Any) -> bool:
    if type(record) is not dict or not record.keys() <= _OP_KEYS:
        return False
    for key, value in record.items():
        if key in _KEYS:
            if type(value) is not list or not _are_arguments(key, value, distinct=not record.get("invalid")):
                return False
        elif key == "builds":
            if type(value) is not list or not _are(str, value):
                return False
        elif not _is_field("ops", key, value):
            return False
    return True


def _are_arguments(section: str, records: list[Any], *, distinct: bool) -> bool:
    keys = _KEYS[section]
    names = set()
    for record in records:
        if type(record) is not dict or not keys.issuperset(record):
            return False
        name = record.get("name")
        if type(name) is not str:
            return False
        names.add(name)
        for key, value in record.items():
            if key in _FLAGS:
                if value is not True and value is not False:
                    return False
            elif key != "name" and not _is_field(section, key, value):
                return False
    return not distinct or len(names) == len(records)


def _is_field(section: str, key: str, value: Any) -> bool:
    if key in _TEXTS_OR_NULL:
        return type(value) is str or (value is None and (section, key) != ("attrs", "type"))
    if key in _LIMITS or key == "deprecation_version":
        return (
            value is None
            or (type(value) is int and values.in_range(value))
            or (key in _LIMITS and type(value) is float and value - value == 0)
        )
    if key == "unknown":
        return _are_fields(section, value)
    if key in _FLAGS:
        return value is True or value is False
    if key in _TEXTS:
        return type(value) is str
    if key == "control_outputs":
        return type(value) is list and _are(str, value)
    return (key != "allowed_values" or type(value) in _ALLOWED) and values.in_range(value)


def _is_history(history: Any) -> bool:
    return type(history) is list and all(
        type(checkpoint) is dict
        and checkpoint.keys() <= {"note", "updates"}
        and type(checkpoint.get("note", "")) is str
        and type(checkpoint.get("updates")) is list
        and all(map(_is_update, checkpoint["updates"]))
        for checkpoint in history
    )


def _is_update(record: Any) -> bool:
    if type(record) is not dict or not record.keys() <= _UPDATE_KEYS:
        return False
    if type(record.get("remark", "")) is not str or not values.in_range(record.get("default_value")):
        return False
    if record.get("action") == "bugfix":
        return "kind" not in record and "name" not in record
    return (
        record.get("action") in ("new", "modify", "delete")
        and record.get("kind") in ("input", "output", "attr")
        and type(record.get("name")) is str
    )


def _are_fields(section: str, value: Any) -> bool:
    return type(value) is list and _are(str, value) and len(set(value).intersection(FIELDS[section])) == len(value)


def _are(kind: type, items: Iterable[Any]) -> bool:
    return all(type(item) is kind for item in items)


def _twice(record: Any, at: str) -> Iterator[Fault]:
    """Yield the arguments of an op whose name is taken; nothing else of the record need be well-formed."""
    from opspec_lint import schema

    for section in ARGUMENTS if isinstance(record, dict) and not record.get("invalid") else ():
        seen: dict[str, int] = {}
        arguments = record.get(section)
        for index, argument in enumerate(arguments if isinstance(arguments, list) else ()):
            name = argument.get("name") if isinstance(argument, dict) else None
            if not isinstance(name, str):
                continue
            if name in seen:
                where = f"{at}.{section}[{index}]"
                yield schema.Fault(where=where, problem=f"the name {name!r} is also that of {section}[{seen[name]}]")
            seen.setdefault(name, index)


def _count_op_keys(record: dict[str, Any]) -> int:
    return len(record) + sum(sum(map(len, record.get(section, ()))) for section in ARGUMENTS)


def _count_inside(record: dict[str, Any]) -> int:
    """Return how many keys the objects among the values of an op's arguments have."""
    return sum(
        _count_nested(value)
        for section in ARGUMENTS
        for fields in record.get(section, ())
        for key, value in fields.items()
        if key in _NESTED and type(value) in (dict, list)
    )


def _count_nested(value: Any) -> int:
    if type(value) is dict:
        return len(value) + sum(map(_count_nested, value.values()))
    return sum(map(_count_nested, value)) if type(value) is list else 0


def _count_keys(value: dict[str, Any]) -> int:
    head = len(value) + len(value["provenance"]) + len(value["knows"]) + len(value.get("graph_versions", ()))
    records = list(value["ops"].values())
    earlier = value.get("earlier", {})
    for versions in earlier.values():
        records += versions
    arguments = len(value["ops"]) + len(earlier) + sum(map(_count_op_keys, records))
    if "full_type" in value["knows"].get("outputs", ()):
        arguments += sum(map(_count_inside, records))
    histories = value.get("op_versions", {})
    return (
        head
        + arguments
        + len(histories)
        + sum(
            len(checkpoint) + sum(map(len, checkpoint["updates"]))
            for history in histories.values()
            for checkpoint in history
        )
    )
