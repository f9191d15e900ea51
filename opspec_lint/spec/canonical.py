"""The canonical text of a spec: versioned, sorted, default values left out, one argument a line.

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
ARGUMENTS: tuple[Section, ...] = ("inputs", "outputs", "attrs")


def dumps(spec: Spec) -> str:
    """Return the canonical text of a spec. Equal specs give equal texts; origins are not part of it."""
    records = RecordWriter(spec)
    knows = records.knows()
    earlier = {name: spec.earlier[name] for name in sorted(spec.earlier)}
    members = [_member("opspec", VERSION), *(_member(*each) for each in header_members(spec).items())]
    members.append(_member("knows", knows))
    members.append(_block(1, "ops", [_op(name, records.op(spec.ops[name], knows)) for name in sorted(spec.ops)], "{}"))
    if earlier:
        lists = [_earlier(name, [records.op(op, knows) for op in ops]) for name, ops in earlier.items()]
        members.append(_block(1, "earlier", lists, "{}"))
    if spec.op_versions is not UNKNOWN:
        histories = [_history(op, history) for op, history in sorted(spec.op_versions.items())]
        members.append(_block(1, "op_versions", histories, "{}"))
    return "{\n" + ",\n".join(members) + "\n}\n"


def op_text(spec: Spec, name: str) -> str:
    """Return the canonical text of one op of a spec, with its versions: equal declarations give equal texts."""
    op, records = spec.ops[name], RecordWriter(spec)
    history = () if spec.op_versions is UNKNOWN else spec.op_versions.get(name, ())
    known: dict[str, list[str]] = {section: sorted(fields) for section, fields in records.known(op).items()}
    return "\n".join((spec.binding, _op(op.name, records.op(op, known)), _history(name, history)))


def header_members(spec: Spec) -> dict[str, Any]:
    """Return the members of a file that are about the spec as a whole, but for its version and what its ops know."""
    found: dict[str, Any] = {"provenance": _provenance(spec.provenance)}
    if spec.binding != BY_NAME:
        found["binding"] = spec.binding
    if spec.graph_versions is not None:
        found["graph_versions"] = _graph_versions(spec.graph_versions)
    if spec.loading:
        found["loading"] = {key: values.thaw(each) for key, each in sorted(spec.loading.items())}
    return found


class RecordWriter:
    """Makes the records of ops, as a file has them: each with what all ops of the spec together know.

    Args:
        spec: the spec. The order of arguments is no part of its contract if models name them; they are then sorted.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        self._table = fields.field_table(spec.provenance.framework)
        self._sorts = spec.binding == BY_NAME
        self._defaults = {section: self._table.defaults(section) for section in SECTIONS}

    def knows(self) -> dict[str, list[str]]:
        """Return the fields that all ops together know, by section."""
        found = self.known(
            *self._spec.ops.values(), *(op for versions in self._spec.earlier.values() for op in versions)
        )
        return {section: sorted(known) for section, known in found.items() if known}

    def known(self, *ops: Op) -> dict[Section, set[str]]:
        """Return the fields that some ops together know, by section."""
        found: dict[Section, set[str]] = {}
        for section in SECTIONS:
            unknown = every = frozenset(self._table.fields_of(section))
            for op in ops:
                for thing in (op,) if section == "ops" else getattr(op, section):
                    unknown = unknown and frozenset(each for each in unknown if thing.get(each) is UNKNOWN)
            found[section] = {*every - unknown}
        return found

    def op(self, op: Op, knows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        """Return the record of an op, given what all ops together know."""
        found = self._fields(op, "ops", knows)
        if op.builds:
            found["builds"] = list(op.builds)
        for section in ARGUMENTS:
            arguments: Sequence[Argument | Attr] = getattr(op, section)
            if self._sorts:
                arguments = sorted(arguments, key=lambda argument: argument.name)
            if arguments:
                found[section] = [{"name": each.name, **self._fields(each, section, knows)} for each in arguments]
        return found

    def _fields(self, thing: Declared, section: Section, knows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        every, defaults = {**thing.own, **thing.__dict__}, self._defaults[section]
        known = {
            field: value
            for field in self._table.fields_of(section)
            if (value := every.get(field, UNKNOWN)) is not UNKNOWN
        }
        found = {
            field: values.thaw(value)
            for field, value in known.items()
            if field not in defaults or not values.same(value, defaults[field])
        }
        found |= {field: text for field in DOCUMENTATION[section] if (text := getattr(thing, field))}
        unknown = sorted(set(knows.get(section, ())).difference(known))
        return {**found, "unknown": unknown} if unknown else found


def _op(name: str, record: dict[str, Any]) -> str:
    """Return the lines of an op."""
    members = [
        _block(3, key, ["    " + _line(each) for each in value], "[]")
        if key in ARGUMENTS
        else _member(key, value, indent=3)
        for key, value in record.items()
    ]
    return _block(2, name, members, "{}")


def _earlier(name: str, versions: Iterable[dict[str, object]]) -> str:
    """Return the lines of the earlier declarations of an op."""
    return _block(2, name, ["   " + _op("", record).partition(": ")[2] for record in versions], "[]")


def _provenance(provenance: Provenance) -> dict[str, str]:
    return {field: value for field in Provenance._fields if (value := getattr(provenance, field)) is not None}


def _graph_versions(versions: GraphVersions) -> dict[str, object]:
    fields = {field: values.thaw(getattr(versions, field)) for field in GraphVersions._fields}
    return {field: value for field, value in fields.items() if value not in (None, [])}


def _history(op: str, history: Iterable[Checkpoint]) -> str:
    return _block(2, op, [_checkpoint(checkpoint_record(each)) for each in history], "[]")


def _checkpoint(record: dict[str, Any]) -> str:
    lines = ["     " + _line(update) for update in record["updates"]]
    note = [_member("note", record["note"], indent=4)] if "note" in record else []
    return "   {\n" + ",\n".join([*note, _block(4, "updates", lines, "[]")]) + "\n   }"


def checkpoint_record(checkpoint: Checkpoint) -> dict[str, Any]:
    """Return the record of a version of an op, as a file has it."""
    updates = []
    for update in checkpoint.updates:
        record = {"action": update.action, "kind": update.kind, "name": update.name, "remark": update.remark or None}
        record = {key: value for key, value in record.items() if value is not None}
        if update.default_value is not UNKNOWN:
            record["default_value"] = values.thaw(update.default_value)
        updates.append(record)
    return {"note": checkpoint.note, "updates": updates} if checkpoint.note else {"updates": updates}


def _block(indent: int, key: str, lines: Iterable[str], brackets: str) -> str:
    body = ",\n".join(lines)
    space = " " * indent
    inside = f"{brackets[0]}\n{body}\n{space}{brackets[1]}" if body else brackets
    return f"{space}{_line(key)}: {inside}"


def _member(key: str, value: object, *, indent: int = 1) -> str:
    return f"{' ' * indent}{_line(key)}: {_line(value)}"


def _line(value: object) -> str:
    return json.dumps(value)
