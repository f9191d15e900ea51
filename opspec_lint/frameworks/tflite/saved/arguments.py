"""The options of nodes by the names of the schema, and the names of inputs, from tools/tflite_arguments.py.

Loading a model needs neither. So options are decoded when they are first used, and a damaged table is no error: its
place is stated in the value of the attr `options`.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from functools import cache, cached_property

from opspec_lint.models.flatbuffer import Buffer, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_FILE = os.path.join(os.path.dirname(__file__), "arguments.json")
_UNIONS = (("BuiltinOptions", 3), ("BuiltinOptions2", 11))
"""The unions of options, and the slots of their types in an operator; the options are in the next slot."""
_FORMS = {"bool": "?", "byte": "b", "ubyte": "B", "int": "i", "uint": "I", "long": "q", "ulong": "Q", "float": "f"}
_MOST_ITEMS = 64
"""Items of a vector that are decoded; a picture has room for fewer."""


def named_inputs(op: str, tensors: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the inputs of a node by name; the last name takes all further tensors, and an unknown op has one, ""."""
    names = _arguments()["inputs"].get(op) or [""]
    *first, last = names[: max(1, len(tensors))]
    own = ((name, (tensor,)) for name, tensor in zip(first, tensors, strict=False))
    return (*own, (last, tuple(tensors[len(first) :])))


class Options(Mapping[str, object]):
    """The builtin options of the operator at a position, by name; empty for types that are newer than the schema."""

    def __init__(self, data: memoryview, place: int) -> None:
        self._data = data
        self._place = place

    @cached_property
    def _values(self) -> Mapping[str, object]:
        try:
            return dict(_decoded(Buffer(self._data).table(self._place)))
        except ValueError as error:
            return {"options": f"cannot be read: {error}"}

    def __getitem__(self, name: str) -> object:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)


def _decoded(operator: Table) -> Iterator[tuple[str, object]]:
    """Yield the options of an operator; absent ones have the default values of the schema."""
    arguments = _arguments()
    for union, slot in _UNIONS:
        fields = arguments["tables"].get(arguments["unions"][union].get(str(operator.scalar(slot, "ubyte"))))
        options = operator.table(slot + 1)
        if fields is None or options is None:
            continue
        for name, (own_slot, type_, default) in fields.items():
            value = _value(options, own_slot, type_, default)
            if value is not None:
                yield name, value


def _value(options: Table, slot: int, type_: str, default: object) -> object:
    """Return an option: numbers, texts, names of enums, or a list; None for an absent list."""
    if type_ == "string":
        return options.string(slot)
    item_type = type_.strip("[]")
    base, names = _arguments()["enums"].get(item_type, (item_type, {}))
    form = struct.Struct(f"<{_FORMS[base]}")
    if item_type == type_:
        number = options.number(slot, form)
        value = default if number is None else number
        return names.get(str(value), value)
    items = options.numbers(slot, form, _MOST_ITEMS)
    return None if items is None else [names.get(str(item), item) for item in items]


@cache
def _arguments() -> dict[str, Any]:
    """Return the unions, tables and enums of options, and the inputs of ops."""
    with open(_FILE, encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded
