"""The output of Paddle's `tools/print_op_desc.py`: one JSON object of all ops, with codes for the attr types.

A field that an argument lacks is unknown: 1.8.5 writes no `extra` and no `quant`.
"""

from __future__ import annotations

from functools import partial

from opspec_lint import values
from opspec_lint.interning import interned
from opspec_lint.model import Attr, Input, Op, Output, Provenance, Spec
from opspec_lint.optable import OpTable
from opspec_lint.paddle import ATTR_TYPES
from opspec_lint.plain import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from opspec_lint.schema import Fault

    _A = TypeVar("_A", Input, Output, Attr)

NAME = "print_op_desc"
SUMMARY = "output of Paddle's print_op_desc"

_SECTIONS = {"Inputs", "Outputs", "Attrs"}
_VARIABLE_KEYS = frozenset({"duplicable", "dispensable", "intermediate", "extra", "quant"})
_ATTR_FLAGS = ("generated", "extra", "quant")
_ATTR_KEYS = frozenset({"type", "default_value", *_ATTR_FLAGS})
_CODES = len(ATTR_TYPES)
_CHECKED = frozenset({int, list, dict})


def likeness(value: Any) -> int:
    """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""
    if not isinstance(value, dict):
        return 0
    first = next(iter(value.values()), None)
    return 2 if isinstance(first, dict) and not _SECTIONS.isdisjoint(first) else 1


def count_keys(value: Any) -> int | None:
    """Return how many keys the objects of a document have, None where it disagrees with the schema of this format."""
    total = len(value)
    for record in value.values():
        count = _count_op(record)
        if count is None:
            return None
        total += count
    return total


def load(value: Any, file: str) -> Spec:
    """Return the spec of a faultless document."""
    provenance = Provenance(framework="paddle", made_by="print_op_desc")
    return Spec(file=file, provenance=provenance, ops=OpTable(value, _build, _numbers, NAME))


def faults(value: Any, file: str) -> Iterator[Fault]:  # noqa: ARG001 - other formats need the file
    """Yield every fault of a decoded document; only the ops that are not faultless are looked at in full."""
    from opspec_lint import schema

    for name, record in value.items():
        if _count_op(record) is None:
            yield from schema.faults(record, NAME, at=join(name), fragment="/$defs/op")


def _count_op(record: Any) -> int | None:
    if type(record) is not dict or record.keys() != _SECTIONS:
        return None
    inputs, outputs = _count_variables(record["Inputs"]), _count_variables(record["Outputs"])
    attrs = _count_attrs(record["Attrs"])
    return None if inputs is None or outputs is None or attrs is None else len(record) + inputs + outputs + attrs


def _count_variables(section: Any) -> int | None:
    if type(section) is not dict:
        return None
    count = len(section)
    for record in section.values():
        if type(record) is not dict or not _VARIABLE_KEYS.issuperset(record):
            return None
        for flag in record.values():
            if flag is not True and flag is not False:
                return None
        count += len(record)
    return count


def _count_attrs(section: Any) -> int | None:
    if type(section) is not dict:
        return None
    count = len(section)
    for record in section.values():
        if type(record) is not dict or not _ATTR_KEYS.issuperset(record):
            return None
        code = record.get("type", 0)
        if type(code) is not int or not 0 <= code < _CODES:
            return None
        for key in _ATTR_FLAGS:
            flag = record.get(key, True)
            if flag is not True and flag is not False:
                return None
        default = record.get("default_value")
        if default and type(default) in _CHECKED and not values.in_range(default):
            return None
        count += len(record)
    return count


def _numbers(record: dict[str, Any]) -> list[Any]:
    return [fields.get("default_value") for fields in record["Attrs"].values()]


def _build(name: str, record: dict[str, Any]) -> Op:
    return Op(
        name=name,
        inputs=_arguments(Input, record["Inputs"]),
        outputs=_arguments(Output, record["Outputs"]),
        attrs=_arguments(_attr, record["Attrs"]),
    )


def _arguments(make: Callable[..., _A], section: dict[str, dict[str, Any]]) -> tuple[_A, ...]:
    return tuple([interned(partial(make, name=name), (make, name), fields) for name, fields in section.items()])


def _attr(name: str, **fields: Any) -> Attr:
    if "type" in fields:
        fields["type"] = ATTR_TYPES[fields["type"]]
    if "default_value" in fields:
        fields["default_value"] = values.freeze(fields["default_value"])
    return Attr(name=name, **fields)
