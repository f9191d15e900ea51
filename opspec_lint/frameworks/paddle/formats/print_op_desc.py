"""The spec format of Paddle's `tools/print_op_desc.py`: one JSON object of all ops, with codes for attr types.

A field that an argument lacks is unknown: 1.8.5 writes no `extra` and no `quant`.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.documents.forms import FORMS, Forms
from opspec_lint.frameworks.paddle.framework import flags_of
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.text import join
from opspec_lint.sources.format import Format
from opspec_lint.sources.formats.opspec import is_of_numbers
from opspec_lint.spec import values
from opspec_lint.spec.interning import intern_object
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Output, Provenance, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    from opspec_lint.documents.schema import FileFault
    from opspec_lint.spec.fields import Section

    _A = TypeVar("_A", Input, Output, Attr)

NAME = "print_op_desc"
_SECTIONS: dict[str, Section] = {"Inputs": "inputs", "Outputs": "outputs", "Attrs": "attrs"}
_CODES = frozenset(range(len(ATTR_TYPES)))
_FLAGS = {
    key: [flag.field.name for flag in flags_of(section) if NAME not in flag.field.absent_in]
    for key, section in _SECTIONS.items()
}
_NOT_STATED: dict[str, Callable[[Any], Any]] = {
    "builds": lambda _: (),
    **dict.fromkeys(("deprecation", "invalid"), lambda _: UNKNOWN),
}
"""The values of fields of ops that no record states, and that comparisons ask for."""
_ATTR: dict[str, tuple[frozenset[type], Callable[[Any], bool]]] = {
    "type": (frozenset({int}), lambda _: False),
    "default_value": FORMS["value"],
}
_FORMS = {
    key: Forms(dict.fromkeys(flags, FORMS["flag"]) | (_ATTR if key == "Attrs" else {})) for key, flags in _FLAGS.items()
}


def likeness(value: Any) -> int:
    """Return how certainly a decoded document is of this format: 0 not, 1 perhaps, 2 certainly."""
    if not isinstance(value, dict):
        return 0
    first = next(iter(value.values()), None)
    return 2 if isinstance(first, dict) and not _SECTIONS.keys().isdisjoint(first) else 1


def count_keys(value: Any, counts: dict[int, int]) -> int | None:
    """Validate a document, and return the number of keys in its objects; None if it does not fit the schema.

    A text with more keys than that repeats one, which `json` would drop silently (`sources.recognise`). `counts` has
    the results for op records that were counted before, by id.
    """
    total = len(value)
    for record in value.values():
        count = counts.get(id(record)) or _count_op(record)
        if count is None:
            return None
        counts[id(record)] = count
        total += count
    return total


def load(value: Any, file: str) -> Spec:
    """Return the spec of a faultless document."""
    provenance = Provenance(framework="paddle", made_by="print_op_desc")
    ops = OpTable(value, _build, _numbers, NAME, fields=_NOT_STATED)
    return Spec(file=file, provenance=provenance, ops=ops)


def convert_numbers(value: Any) -> None:
    """Convert strings that are numbers in YAML 1.2, in the default values of attrs that are numbers."""
    from opspec_lint.documents.yaml_text import convert_number_texts

    convert_number_texts(value, frozenset({"default_value"}), _has_numbers)


def _has_numbers(record: dict[str, Any]) -> bool:
    """Return whether the record of an attr is of a type with numbers."""
    code = record.get("type")
    return type(code) is int and code in _CODES and is_of_numbers(ATTR_TYPES[code])


def faults(value: Any, file: str) -> Iterator[FileFault]:  # noqa: ARG001 - other formats need the file
    """Yield every fault of a decoded document; only ops that are not faultless are checked by the schema."""
    from opspec_lint.documents import schema

    rules = json_schema()
    for name, record in value.items():
        if _count_op(record) is None:
            yield from schema.faults(record, rules, at=join(name), fragment="/$defs/op")


@cache
def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of the output of print_op_desc."""
    boolean = {"type": "boolean"}
    sections: dict[str, Any] = {
        section: {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": dict.fromkeys(_FLAGS[section], boolean),
            },
        }
        for section in _SECTIONS
    }
    sections["Attrs"]["additionalProperties"]["properties"] |= {
        "type": {
            "description": "A code of Paddle's AttrType.",
            "type": "integer",
            "minimum": 0,
            "maximum": len(ATTR_TYPES) - 1,
        },
        "default_value": {"format": "attr-value"},
    }
    op = {"type": "object", "required": [*sections], "additionalProperties": False, "properties": sections}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:opspec-lint:print_op_desc",
        "title": "The output of Paddle's print_op_desc.py",
        "type": "object",
        "additionalProperties": {"$ref": "#/$defs/op"},
        "$defs": {"op": op},
    }


def _count_op(record: Any) -> int | None:
    """Return the number of keys in the record of an op; None if it has a fault."""
    if type(record) is not dict or record.keys() != _SECTIONS.keys():
        return None
    total = len(record)
    for section, forms in _FORMS.items():
        arguments = record[section]
        if type(arguments) is not dict or not forms.fit(arguments.values()):
            return None
        total += len(arguments) + sum(map(len, arguments.values()))
    # A newer Paddle may have attr types that this program does not know; the schema reports them.
    codes = {attr.get("type", 0) for attr in record["Attrs"].values()}
    return total if codes <= _CODES else None


def _numbers(record: dict[str, Any]) -> list[Any]:
    """Return the default values of an op, the only values that may be numbers."""
    return [fields.get("default_value") for fields in record["Attrs"].values()]


def _build(name: str, record: dict[str, Any]) -> Op:
    """Return an op for its record."""
    return Op(
        name=name,
        inputs=_arguments(_input, record["Inputs"]),
        outputs=_arguments(_output, record["Outputs"]),
        attrs=_arguments(_attr, record["Attrs"]),
    )


def _arguments(make: Callable[[str, dict[str, Any]], _A], section: dict[str, dict[str, Any]]) -> tuple[_A, ...]:
    """Return the arguments of a section; equal ones are the same object."""
    return tuple([intern_object(make, make, name, record) for name, record in section.items()])


def _input(name: str, record: dict[str, Any]) -> Input:
    """Return an input for its record."""
    return Input(name=name, **record)


def _output(name: str, record: dict[str, Any]) -> Output:
    """Return an output for its record."""
    return Output(name=name, **record)


def _attr(name: str, record: dict[str, Any]) -> Attr:
    """Return an attr for its record, with the name of its type."""
    changed: dict[str, Any] = {}
    if "type" in record:
        changed["type"] = ATTR_TYPES[record["type"]]
    if "default_value" in record:
        changed["default_value"] = values.freeze(record["default_value"])
    return Attr(name=name, **{**record, **changed})


FORMAT = Format(
    summary="output of Paddle's print_op_desc",
    likeness=likeness,
    count_keys=count_keys,
    all_faults=faults,
    load=load,
    convert_numbers=convert_numbers,
)
