"""The canonical text of a spec: versioned, sorted, without default values, one argument per line.

A change of one attr is a diff of one line. `sources/formats/opspec.py` reads it back; `spec/file_schema.py` has its
JSON Schema.
"""

from __future__ import annotations

import json

from opspec_lint.spec import fields, values
from opspec_lint.spec.fields import DOCUMENTATION, SECTIONS
from opspec_lint.spec.model import BY_NAME, UNKNOWN, GraphVersions, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Argument, Attr, Checkpoint, Declared, Op, Spec

VERSION = 1
"""The version of the spec format."""
ARGUMENTS: tuple[Section, ...] = ("inputs", "outputs", "attrs")


def dumps(spec: Spec) -> str:
    """Return the canonical text of a spec. Equal specs have equal texts; the places of declarations do not count."""
    records = RecordWriter(spec)
    knows = records.knows()
    earlier = {name: spec.earlier[name] for name in sorted(spec.earlier)}
    members = [_member_line("opspec", VERSION), *(_member_line(*member) for member in header_members(spec).items())]
    members.append(_member_line("knows", knows))
    members.append(
        _named_block(1, "ops", [_op_lines(name, records.op(spec.ops[name], knows)) for name in sorted(spec.ops)], "{}")
    )
    if earlier:
        lists = [_earlier_lines(name, [records.op(op, knows) for op in ops]) for name, ops in earlier.items()]
        members.append(_named_block(1, "earlier", lists, "{}"))
    if spec.op_versions is not UNKNOWN:
        histories = [_history_lines(op, history) for op, history in sorted(spec.op_versions.items())]
        members.append(_named_block(1, "op_versions", histories, "{}"))
    return "{\n" + ",\n".join(members) + "\n}\n"


def op_text(spec: Spec, name: str) -> str:
    """Return the canonical text of one op and its version history: equal declarations have equal texts."""
    op, records = spec.ops[name], RecordWriter(spec)
    history = () if spec.op_versions is UNKNOWN else spec.op_versions.get(name, ())
    known: dict[str, list[str]] = {section: sorted(fields) for section, fields in records.known(op).items()}
    # The binding decides whether the order of arguments counts, so that it is a part of the contract of an op.
    return "\n".join((spec.binding, _op_lines(op.name, records.op(op, known)), _history_lines(name, history)))


def header_members(spec: Spec) -> dict[str, Any]:
    """Return the members of a spec file about the spec as a whole, except for `opspec` and `knows`."""
    members: dict[str, Any] = {"provenance": _provenance_record(spec.provenance)}
    if spec.binding != BY_NAME:
        members["binding"] = spec.binding
    if spec.graph_versions is not None:
        members["graph_versions"] = _graph_versions_record(spec.graph_versions)
    if spec.loading:
        members["loading"] = {key: values.thaw(value) for key, value in sorted(spec.loading.items())}
    return members


class RecordWriter:
    """Converts ops to the records of a spec file, which omit what all ops of the spec have in common.

    If models bind arguments by name, their order is no part of the contract, and records have them sorted.

    Args:
        spec: the spec.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._table = fields.field_table(spec.provenance.framework)
        self._sorts = spec.binding == BY_NAME
        self._defaults: dict[Section, list[tuple[str, object]]] = {}
        for section in SECTIONS:
            defaults = self._table.defaults(section)
            # `UNKNOWN` is the default of a field that is always written: it equals no value that is known.
            fields_of = self._table.fields_of(section)
            self._defaults[section] = [(field, defaults.get(field, UNKNOWN)) for field in fields_of]

    def knows(self) -> dict[str, list[str]]:
        """Return the fields that the spec as a whole knows, by section."""
        by_section = self.known(
            *self._spec.ops.values(), *(op for versions in self._spec.earlier.values() for op in versions)
        )
        return {section: sorted(known) for section, known in by_section.items() if known}

    def known(self, *ops: Op) -> dict[Section, set[str]]:
        """Return the fields that any of some ops, or of their arguments, knows, by section."""
        result: dict[Section, set[str]] = {}
        for section in SECTIONS:
            unknown = all_fields = frozenset(self._table.fields_of(section))
            for op in ops:
                for declared in (op,) if section == "ops" else getattr(op, section):
                    # The set shrinks quickly, so that most arguments are compared with few fields.
                    known = [field for field in unknown if declared.get(field) is not UNKNOWN]
                    unknown = unknown.difference(known) if known else unknown
            result[section] = {*all_fields - unknown}
        return result

    def op(self, op: Op, knows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return the record of an op; `knows` are the fields that the spec as a whole knows."""
        record = self._fields(op, "ops", knows)
        if op.builds:
            record["builds"] = list(op.builds)
        for section in ARGUMENTS:
            arguments: Sequence[Argument | Attr] = getattr(op, section)
            if self._sorts:
                arguments = sorted(arguments, key=lambda argument: argument.name)
            if arguments:
                record[section] = [
                    {"name": argument.name, **self._fields(argument, section, knows)} for argument in arguments
                ]
        return record

    def _fields(self, declared: Declared, section: Section, knows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return the fields for the record of an op or argument: known ones without default, then `unknown`."""
        stated = {**declared.own, **declared.__dict__}
        record: dict[str, Any] = {}
        omitted = set(knows.get(section, ()))
        for field, default in self._defaults[section]:
            value = stated.get(field, UNKNOWN)
            if value is not UNKNOWN:
                omitted.discard(field)
                # A default value is compared as a value: 0 is not the default `false`.
                if value is not default and not values.same(value, default):
                    record[field] = values.thaw(value)
        record |= {field: text for field in DOCUMENTATION[section] if (text := getattr(declared, field))}
        # `knows` is of the whole spec: a field that this record omits would be read as its default value.
        return {**record, "unknown": sorted(omitted)} if omitted else record


def _op_lines(name: str, record: dict[str, Any]) -> str:
    """Return the lines of an op."""
    members = [
        _named_block(3, key, ["    " + _to_json(argument) for argument in value], "[]")
        if key in ARGUMENTS
        else _member_line(key, value, indent=3)
        for key, value in record.items()
    ]
    return _named_block(2, name, members, "{}")


def _earlier_lines(name: str, versions: Iterable[dict[str, object]]) -> str:
    """Return the lines of the earlier declarations of an op."""
    # An earlier declaration is an item of a list, which has no key: the key of `_op_lines` is cut off.
    return _named_block(2, name, ["   " + _op_lines("", record).partition(": ")[2] for record in versions], "[]")


def _provenance_record(provenance: Provenance) -> dict[str, str]:
    return {field: value for field in Provenance._fields if (value := getattr(provenance, field)) is not None}


def _graph_versions_record(versions: GraphVersions) -> dict[str, object]:
    fields = {field: values.thaw(getattr(versions, field)) for field in GraphVersions._fields}
    return {field: value for field, value in fields.items() if value not in (None, [])}


def _history_lines(op: str, history: Iterable[Checkpoint]) -> str:
    """Return the lines of the version history of an op."""
    return _named_block(2, op, [_checkpoint_lines(checkpoint_record(checkpoint)) for checkpoint in history], "[]")


def _checkpoint_lines(record: dict[str, Any]) -> str:
    lines = ["     " + _to_json(update) for update in record["updates"]]
    note = [_member_line("note", record["note"], indent=4)] if "note" in record else []
    return "   {\n" + ",\n".join([*note, _named_block(4, "updates", lines, "[]")]) + "\n   }"


def checkpoint_record(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the record of a checkpoint, as a spec file has it."""
    updates = []
    for update in checkpoint.updates:
        record = {"action": update.action, "kind": update.kind, "name": update.name, "remark": update.remark or None}
        record = {key: value for key, value in record.items() if value is not None}
        if update.default_value is not UNKNOWN:
            record["default_value"] = values.thaw(update.default_value)
        updates.append(record)
    return {"note": checkpoint.note, "updates": updates} if checkpoint.note else {"updates": updates}


def _named_block(indent: int, key: str, lines: Iterable[str], brackets: str) -> str:
    """Return the lines of an object or list with its key; `brackets` alone if it is empty."""
    body = ",\n".join(lines)
    space = " " * indent
    inside = f"{brackets[0]}\n{body}\n{space}{brackets[1]}" if body else brackets
    return f"{space}{_to_json(key)}: {inside}"


def _member_line(key: str, value: object, *, indent: int = 1) -> str:
    return f"{' ' * indent}{_to_json(key)}: {_to_json(value)}"


def _to_json(value: object) -> str:
    # ASCII only, so that the bytes do not depend on the encoding of a file system or terminal.
    return json.dumps(value)
