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
    from typing import Any, TypeAlias

    from opspec_lint.spec.fields import Section, Table
    from opspec_lint.spec.model import Argument, Attr, Checkpoint, Declared, Op, Spec

    Knowledge: TypeAlias = Mapping[Section, set[str]]

VERSION = 1
ARGUMENTS: tuple[Section, ...] = ("inputs", "outputs", "attrs")


def dumps(spec: Spec) -> str:
    """Return the canonical text of a spec. Equal specs give equal texts; origins are not part of it."""
    ops = [spec.ops[name] for name in sorted(spec.ops)]
    earlier = {name: spec.earlier[name] for name in sorted(spec.earlier)}
    writer = _Writer(
        fields.table(spec.provenance.framework),
        [*ops, *(op for versions in earlier.values() for op in versions)],
        sorts=spec.binding == BY_NAME,
    )
    members = [_member("opspec", VERSION), _member("provenance", _provenance(spec.provenance))]
    if spec.binding != BY_NAME:
        members.append(_member("binding", spec.binding))
    if spec.graph_versions is not None:
        members.append(_member("graph_versions", _graph_versions(spec.graph_versions)))
    if spec.loading:
        members.append(_member("loading", {key: values.thaw(each) for key, each in spec.loading.items()}))
    members.append(_member("knows", {section: sorted(known) for section, known in writer.knows.items() if known}))
    members.append(_block(1, "ops", [writer.op(op) for op in ops], "{}"))
    if earlier:
        members.append(_block(1, "earlier", [writer.earlier(*each) for each in earlier.items()], "{}"))
    if spec.op_versions is not UNKNOWN:
        histories = [_history(op, history) for op, history in sorted(spec.op_versions.items())]
        members.append(_block(1, "op_versions", histories, "{}"))
    return "{\n" + ",\n".join(members) + "\n}\n"


def declaration(spec: Spec, name: str) -> str:
    """Return the canonical text of one op of a spec, with its versions: equal declarations give equal texts."""
    op = spec.ops[name]
    history = () if spec.op_versions is UNKNOWN else spec.op_versions.get(name, ())
    writer = _Writer(fields.table(spec.provenance.framework), [op], sorts=spec.binding == BY_NAME)
    return "\n".join((spec.binding, writer.op(op), _history(name, history)))


class _Writer:
    """Writes ops, each with what all of them together know.

    Args:
        table: the fields that there are.
        ops: all ops of the spec.
        sorts: whether the order of arguments is no part of the contract, so that they are sorted by name.
    """

    def __init__(self, table: Table, ops: Iterable[Op], *, sorts: bool) -> None:
        self._table = table
        self._sorts = sorts
        self._defaults = {section: table.defaults(section) for section in SECTIONS}
        self.knows: dict[Section, set[str]] = {section: set() for section in SECTIONS}
        for op in ops:
            self.knows["ops"].update(self._known(op, "ops"))
            for section in ARGUMENTS:
                for argument in getattr(op, section):
                    self.knows[section].update(self._known(argument, section))

    def op(self, op: Op) -> str:
        """Return the lines of an op."""
        own = [_member(key, value, indent=3) for key, value in self._fields(op, "ops").items()]
        if op.builds:
            own.append(_member("builds", list(op.builds), indent=3))
        for section in ARGUMENTS:
            arguments: Sequence[Argument | Attr] = getattr(op, section)
            if self._sorts:
                arguments = sorted(arguments, key=lambda argument: argument.name)
            if arguments:
                lines = ["    " + _line({"name": each.name, **self._fields(each, section)}) for each in arguments]
                own.append(_block(3, section, lines, "[]"))
        return _block(2, op.name, own, "{}")

    def earlier(self, name: str, versions: Iterable[Op]) -> str:
        """Return the lines of the earlier declarations of an op."""
        return _block(2, name, ["   " + self.op(op).partition(": ")[2] for op in versions], "[]")

    def _known(self, thing: Declared, section: Section) -> list[str]:
        return [field for field in self._table.of(section) if thing.get(field) is not UNKNOWN]

    def _fields(self, thing: Declared, section: Section) -> dict[str, Any]:
        known = self._known(thing, section)
        defaults = self._defaults[section]
        found = {
            field: values.thaw(thing.get(field))
            for field in known
            if field not in defaults or not values.same(thing.get(field), defaults[field])
        }
        found |= {field: text for field in DOCUMENTATION[section] if (text := getattr(thing, field))}
        unknown = sorted(self.knows[section].difference(known))
        return {**found, "unknown": unknown} if unknown else found


def _provenance(provenance: Provenance) -> dict[str, str]:
    return {field: value for field in Provenance._fields if (value := getattr(provenance, field)) is not None}


def _graph_versions(versions: GraphVersions) -> dict[str, Any]:
    fields = {field: values.thaw(getattr(versions, field)) for field in GraphVersions._fields}
    return {field: value for field, value in fields.items() if value not in (None, [])}


def _history(op: str, history: Iterable[Checkpoint]) -> str:
    return _block(2, op, [_checkpoint(checkpoint) for checkpoint in history], "[]")


def _checkpoint(checkpoint: Checkpoint) -> str:
    lines = []
    for update in checkpoint.updates:
        record = {"action": update.action, "kind": update.kind, "name": update.name, "remark": update.remark or None}
        record = {key: value for key, value in record.items() if value is not None}
        if update.default_value is not UNKNOWN:
            record["default_value"] = values.thaw(update.default_value)
        lines.append("     " + _line(record))
    note = [_member("note", checkpoint.note, indent=4)] if checkpoint.note else []
    return "   {\n" + ",\n".join([*note, _block(4, "updates", lines, "[]")]) + "\n   }"


def _block(indent: int, key: str, lines: Iterable[str], brackets: str) -> str:
    body = ",\n".join(lines)
    space = " " * indent
    inside = f"{brackets[0]}\n{body}\n{space}{brackets[1]}" if body else brackets
    return f"{space}{_line(key)}: {inside}"


def _member(key: str, value: Any, *, indent: int = 1) -> str:
    return f"{' ' * indent}{_line(key)}: {_line(value)}"


def _line(value: Any) -> str:
    return json.dumps(value)
