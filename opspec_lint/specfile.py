"""The canonical text of a spec: versioned, sorted, default values left out, one argument a line.

A change of one attr is a diff of one line. `formats.opspec` reads it back; `specs/opspec.schema.json` is its schema.
"""

from __future__ import annotations

import json

from opspec_lint import values
from opspec_lint.model import DOCUMENTATION, FIELDS, OP_FLAGS, UNKNOWN, GraphVersions, Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.model import Argument, Attr, Checkpoint, Op, Spec

VERSION = 1

_CLEARED = dict.fromkeys(("duplicable", "dispensable", "intermediate", "generated", "extra", "quant", "is_ref"), False)
_UNSET = dict.fromkeys(("type", "type_attr", "number_attr", "type_list_attr", "full_type", "handle_data"))

DEFAULTS: dict[str, dict[str, Any]] = {
    "ops": {
        **dict.fromkeys(("deprecation", "deprecation_version", "invalid")),
        **dict.fromkeys(OP_FLAGS, False),
        "control_outputs": (),
    },
    "inputs": _UNSET | _CLEARED,
    "outputs": _UNSET | _CLEARED,
    "attrs": {**dict.fromkeys(("default_value", "allowed_values", "minimum", "maximum")), **_CLEARED},
}
"""What a known field is when it is left out. The type of an attr has no default."""

ARGUMENTS = ("inputs", "outputs", "attrs")


def dumps(spec: Spec) -> str:
    """Return the canonical text of a spec. Equal specs give equal texts; origins are not part of it."""
    ops = [spec.ops[name] for name in sorted(spec.ops)]
    earlier = {name: spec.earlier[name] for name in sorted(spec.earlier)}
    knows = _knowledge([*ops, *(op for versions in earlier.values() for op in versions)])
    members = [_member("opspec", VERSION), _member("provenance", _provenance(spec.provenance))]
    if spec.ordered:
        members.append(_member("ordered", value=True))
    if spec.graph_versions is not None:
        members.append(_member("graph_versions", _graph_versions(spec.graph_versions)))
    members.append(_member("knows", {section: sorted(known) for section, known in knows.items() if known}))
    members.append(_block(1, "ops", [_op(op, knows, ordered=spec.ordered) for op in ops], "{}"))
    if earlier:
        members.append(_block(1, "earlier", [_earlier(*each, knows) for each in earlier.items()], "{}"))
    if spec.op_versions is not UNKNOWN:
        histories = [_history(op, history) for op, history in sorted(spec.op_versions.items())]
        members.append(_block(1, "op_versions", histories, "{}"))
    return "{\n" + ",\n".join(members) + "\n}\n"


def _knowledge(ops: Iterable[Op]) -> dict[str, set[str]]:
    knows: dict[str, set[str]] = {section: set() for section in FIELDS}
    for op in ops:
        knows["ops"].update(_known(op, "ops"))
        for section in ARGUMENTS:
            for argument in getattr(op, section):
                knows[section].update(_known(argument, section))
    return knows


def _known(thing: Op | Argument | Attr, section: str) -> list[str]:
    return [field for field in FIELDS[section] if getattr(thing, field) is not UNKNOWN]


def _provenance(provenance: Provenance) -> dict[str, str]:
    return {field: value for field in Provenance._fields if (value := getattr(provenance, field)) is not None}


def _graph_versions(versions: GraphVersions) -> dict[str, Any]:
    fields = {field: values.thaw(getattr(versions, field)) for field in GraphVersions._fields}
    return {field: value for field, value in fields.items() if value not in (None, [])}


def _earlier(name: str, versions: Iterable[Op], knows: Mapping[str, set[str]]) -> str:
    """Return the earlier declarations of an op, which only the sources of ordered specs keep."""
    return _block(2, name, ["   " + _op(op, knows, ordered=True).partition(": ")[2] for op in versions], "[]")


def _op(op: Op, knows: Mapping[str, set[str]], *, ordered: bool) -> str:
    own = [_member(key, value, indent=3) for key, value in _fields(op, "ops", knows).items()]
    if op.builds:
        own.append(_member("builds", list(op.builds), indent=3))
    for section in ARGUMENTS:
        arguments: Sequence[Argument | Attr] = getattr(op, section)
        if not ordered:
            arguments = sorted(arguments, key=lambda argument: argument.name)
        if arguments:
            lines = ["    " + _line({"name": each.name, **_fields(each, section, knows)}) for each in arguments]
            own.append(_block(3, section, lines, "[]"))
    return _block(2, op.name, own, "{}")


def _fields(thing: Op | Argument | Attr, section: str, knows: Mapping[str, set[str]]) -> dict[str, Any]:
    known = _known(thing, section)
    defaults = DEFAULTS[section]
    fields = {
        field: values.thaw(getattr(thing, field))
        for field in known
        if field not in defaults or not values.same(getattr(thing, field), defaults[field])
    }
    fields |= {field: text for field in DOCUMENTATION[section] if (text := getattr(thing, field))}
    unknown = sorted(knows[section].difference(known))
    return {**fields, "unknown": unknown} if unknown else fields


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
