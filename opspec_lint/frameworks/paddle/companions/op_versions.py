"""The op version registry of a Paddle, a file beside an output of print_op_desc, which has no op versions."""

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
    """Return whether a decoded document is a registry, and no spec."""
    first = next(iter(value.values()), None) if isinstance(value, dict) else None
    return isinstance(first, dict) and "checkpoints" in first


def load(decoded: Document) -> dict[str, tuple[Checkpoint, ...]]:
    """Return the checkpoints of each op in a registry, oldest first.

    The form is {op: {"version_id": ..., "checkpoints": [{"note": ..., "updates": [...]}]}}. Raises InputError for a
    document of another form.
    """
    table = parse_table(decoded.value, decoded.file)
    decoded.check_unique_keys(
        sum(
            1
            + len(entry)
            + sum(len(checkpoint) + sum(map(len, checkpoint["updates"])) for checkpoint in entry["checkpoints"])
            for entry in decoded.value.values()
        )
    )
    return table


def complete(spec: Spec, decoded: Document) -> Spec:
    """Return a spec with the op versions of a registry; raise InputError for another document."""
    return spec.replace(op_versions=load(decoded))


def faults(value: Any) -> list[FileFault]:
    """Return the faults of a registry by its JSON Schema."""
    from opspec_lint.documents import schema

    return schema.faults(value, schema.load(NAME, SCHEMAS))


def parse_table(raw: Any, file: str) -> dict[str, tuple[Checkpoint, ...]]:
    """Return the checkpoints of each op in a decoded registry.

    Raises InputError with the first fault of a registry of another form.
    """
    try:
        return {op: _history(entry) for op, entry in raw.items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        from opspec_lint.documents.schema import first_error

        advice = "expected op versions in the format that `print_op_desc --op-versions` writes"
        raise first_error(faults(raw), file, advice) from None


def _history(entry: dict[str, Any]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of one op."""
    version = entry.get("version_id", 0)
    if not entry.keys() <= {"version_id", "checkpoints"} or type(version) is not int or version < 0:
        raise ValueError
    return tuple(map(_checkpoint, _list(entry["checkpoints"])))


def _checkpoint(record: dict[str, Any]) -> Checkpoint:
    """Return one checkpoint."""
    if not record.keys() <= {"note", "updates"}:
        raise ValueError
    return Checkpoint(note=_text(record.get("note", "")), updates=tuple(map(_update, _list(record["updates"]))))


# The parsing functions below raise any error of these types at the first fault; only then the slower check by the
# schema finds a message.
def _update(record: dict[str, Any]) -> Update:
    """Return one update; a bugfix has no argument."""
    if not record.keys() <= {"type", "name", "remark", "default"} or not values.is_attr_value(record.get("default")):
        raise ValueError
    remark = _text_or_null(record.get("remark"))
    if record["type"] == "kBugfixWithBehaviorChanged":
        _text_or_null(record.get("name"))
        return Update(action="bugfix", remark=remark)
    action, kind = _TYPES[record["type"]]
    # Paddle's binding cannot express an update without a default, so a missing key is unknown rather than none.
    default = values.freeze(record["default"]) if "default" in record else UNKNOWN
    return Update(action=action, kind=kind, name=_text(record["name"]), remark=remark, default_value=default)


def _list(value: Any) -> list[Any]:
    """Return a list, or raise TypeError."""
    if type(value) is not list:
        raise TypeError
    return value


def _text(value: Any) -> str:
    """Return a text, or raise TypeError."""
    if type(value) is not str:
        raise TypeError
    return value


def _text_or_null(value: Any) -> str:
    """Return a text, "" for null, or raise TypeError."""
    return "" if value is None else _text(value)


COMPANION = Companion(part="op_versions", is_like=is_like, faults=faults, complete=complete)
