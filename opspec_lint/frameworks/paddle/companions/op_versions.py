"""The op version registry of a Paddle: the companion file of a print_op_desc output, which has none of it."""

from __future__ import annotations

import os

from opspec_lint.sources.companion import Companion
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Checkpoint, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.schema import FileFault
    from opspec_lint.spec.model import Action, Kind, Spec

NAME = "op_versions"
SCHEMAS = os.path.join(os.path.dirname(os.path.dirname(__file__)), "schemas")

_ACTIONS: tuple[Action, ...] = ("new", "modify", "delete")
_KINDS: tuple[Kind, ...] = ("input", "output", "attr")
_TYPES = {f"k{action.capitalize()}{kind.capitalize()}": (action, kind) for action in _ACTIONS for kind in _KINDS}


def is_like(value: Any) -> bool:
    """Tell whether a decoded document is a registry rather than a spec."""
    first = next(iter(value.values()), None) if isinstance(value, dict) else None
    return isinstance(first, dict) and "checkpoints" in first


def load(decoded: Document) -> dict[str, tuple[Checkpoint, ...]]:
    """The content of a registry, {op: {"version_id": ..., "checkpoints": [{"note": ..., "updates": [...]}]}}.

    Returns:
        The checkpoints of each op, oldest first.

    Raises:
        InputError: the document is not of this form.
    """
    table = parse_table(decoded.value, decoded.file)
    decoded.check_unique_keys(
        sum(
            1 + len(entry) + sum(len(point) + sum(map(len, point["updates"])) for point in entry["checkpoints"])
            for entry in decoded.value.values()
        )
    )
    return table


def complete(spec: Spec, decoded: Document) -> Spec:
    """Return a spec with the op versions of a registry.

    Raises:
        InputError: the document is none.
    """
    return spec.replace(op_versions=load(decoded))


def faults(value: Any) -> list[FileFault]:
    """Return all that is wrong with a registry."""
    from opspec_lint.documents import schema

    return schema.faults(value, schema.load(NAME, SCHEMAS))


def parse_table(raw: Any, file: str) -> dict[str, tuple[Checkpoint, ...]]:
    """Return the checkpoints of each op of a decoded registry.

    Raises:
        InputError: the registry is not of the form above; the message names its first fault.
    """
    try:
        return {op: _history(entry) for op, entry in raw.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        from opspec_lint.documents.schema import first_error

        advice = "expected op versions in the format that `print_op_desc --op-versions` writes"
        raise first_error(faults(raw), file, advice) from None


def _history(entry: dict[str, Any]) -> tuple[Checkpoint, ...]:
    version = entry.get("version_id", 0)
    if not entry.keys() <= {"version_id", "checkpoints"} or type(version) is not int or version < 0:
        raise ValueError
    return tuple(map(_checkpoint, _list(entry["checkpoints"])))


def _checkpoint(record: dict[str, Any]) -> Checkpoint:
    if not record.keys() <= {"note", "updates"}:
        raise ValueError
    return Checkpoint(note=_text(record.get("note", "")), updates=tuple(map(_update, _list(record["updates"]))))


def _update(record: dict[str, Any]) -> Update:
    if not record.keys() <= {"type", "name", "remark", "default"} or not values.is_attr_value(record.get("default")):
        raise ValueError
    remark = _text_or_null(record.get("remark"))
    if record["type"] == "kBugfixWithBehaviorChanged":
        _text_or_null(record.get("name"))
        return Update(action="bugfix", remark=remark)
    action, kind = _TYPES[record["type"]]
    default = values.freeze(record["default"]) if "default" in record else UNKNOWN
    return Update(action=action, kind=kind, name=_text(record["name"]), remark=remark, default_value=default)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError
    return value


def _text_or_null(value: Any) -> str:
    return "" if value is None else _text(value)


COMPANION = Companion(part="op_versions", is_like=is_like, faults=faults, complete=complete)
