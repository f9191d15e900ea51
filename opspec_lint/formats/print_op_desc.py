"""The output of Paddle's `tools/print_op_desc.py`: one JSON object of all ops, with codes for the attr types.

A field that an argument lacks is unknown: 1.8.5 writes no `extra` and no `quant`.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.model import UNKNOWN, Attr, Input, Op, Output, Provenance, Spec
from opspec_lint.optable import OpTable
from opspec_lint.paddle import ATTR_TYPES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.document import Document
    from opspec_lint.schema import Fault

NAME = "print_op_desc"
SUMMARY = "output of Paddle's print_op_desc"

_SECTIONS = {"Inputs", "Outputs", "Attrs"}
_VARIABLE_KEYS = frozenset({"duplicable", "dispensable", "intermediate", "extra", "quant"})
_ATTR_KEYS = frozenset({"type", "generated", "default_value", "extra", "quant"})


def likeness(value: Any) -> int:
    """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""
    if not isinstance(value, dict):
        return 0
    first = next(iter(value.values()), None)
    return 2 if isinstance(first, dict) and not _SECTIONS.isdisjoint(first) else 1


def load(document: Document) -> Spec:
    """Return the spec of a decoded, faultless document.

    Raises:
        InputError: a key stands twice in one object.
    """
    document.check_unique_keys(_count_keys(document.value))
    return Spec(
        file=document.file,
        provenance=Provenance(framework="paddle", made_by="print_op_desc"),
        ops=OpTable(document.value, _build, NAME),
    )


def is_faultless(value: Any) -> bool:
    """Tell, fast, whether a decoded document agrees with the schema of this format."""
    return all(map(_is_op, value.values()))


def faults(value: Any, file: str) -> Iterator[Fault]:  # noqa: ARG001 - other formats need the file
    """Yield every fault of a decoded document; only the ops that are not faultless are looked at in full."""
    from opspec_lint import schema

    for name, record in value.items():
        if not _is_op(record):
            yield from schema.faults(record, NAME, at=schema.join(name), fragment="/$defs/op")


def _is_op(record: Any) -> bool:
    return (
        type(record) is dict
        and record.keys() == _SECTIONS
        and _are_variables(record["Inputs"])
        and _are_variables(record["Outputs"])
        and _are_attrs(record["Attrs"])
    )


def _are_variables(section: Any) -> bool:
    if type(section) is not dict:
        return False
    for record in section.values():
        if type(record) is not dict or not record.keys() <= _VARIABLE_KEYS:
            return False
        for flag in record.values():
            if flag is not True and flag is not False:
                return False
    return True


def _are_attrs(section: Any) -> bool:
    if type(section) is not dict:
        return False
    for record in section.values():
        if type(record) is not dict or not record.keys() <= _ATTR_KEYS:
            return False
        for key, value in record.items():
            if key == "default_value":
                if not values.in_range(value):
                    return False
            elif key == "type":
                if type(value) is not int or not 0 <= value < len(ATTR_TYPES):
                    return False
            elif value is not True and value is not False:
                return False
    return True


def _count_keys(records: dict[str, Any]) -> int:
    return sum(
        1 + len(record) + sum(len(section) + sum(map(len, section.values())) for section in record.values())
        for record in records.values()
    )


def _build(name: str, record: dict[str, Any]) -> Op:
    return Op(
        name=name,
        inputs=tuple(Input(name=each, **flags) for each, flags in record["Inputs"].items()),
        outputs=tuple(Output(name=each, **flags) for each, flags in record["Outputs"].items()),
        attrs=tuple(_attr(each, fields) for each, fields in record["Attrs"].items()),
    )


def _attr(name: str, fields: dict[str, Any]) -> Attr:
    return Attr(
        name=name,
        type=ATTR_TYPES[fields["type"]] if "type" in fields else UNKNOWN,
        default_value=values.freeze(fields["default_value"]) if "default_value" in fields else UNKNOWN,
        generated=fields.get("generated", UNKNOWN),
        extra=fields.get("extra", UNKNOWN),
        quant=fields.get("quant", UNKNOWN),
    )
