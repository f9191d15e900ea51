"""Arguments and results of functions as a SavedModel keeps them: StructuredValue, in the words of all frameworks."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.models.model import Structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_VALUES = {"float64_value": "float", "int64_value": "int", "string_value": "str", "bool_value": "bool"}
"""The fields that hold a value of Python, and its type."""
_SPECS = {"tensor_spec_value": "tensor", "bounded_tensor_spec_value": "bounded_tensor"}
_CONSTANTS = ("tensor_value", "numpy_value")
_CLASSES = {
    1: "sparse",
    2: "indexed_slices",
    3: "ragged",
    4: "tensor_array",
    5: "dataset",
    6: "iterator",
    9: "variable",
}
"""The classes of TypeSpec that have a word of their own."""
_PARTS: dict[str, tuple[str, ...]] = {
    "sparse": ("shape", "dtype"),
    "ragged": ("shape", "dtype", "ragged_rank", "row_splits_dtype"),
    "variable": ("shape", "dtype"),
}
"""What the state of a TypeSpec begins with."""


def structure(found: Any) -> Structure:
    """Return the structure of a StructuredValue. Protobuf nests no deeper than a hundred messages."""
    which = found.WhichOneof("kind")
    if which in _VALUES:
        return _value(_VALUES[which], _in_json(getattr(found, which)))
    if which in _SPECS:
        return _tensor(_SPECS[which], getattr(found, which))
    if which in ("list_value", "tuple_value"):
        items = tuple(("", structure(each)) for each in getattr(found, which).values)
        return Structure(kind=which.removesuffix("_value"), items=items)
    if which == "dict_value":
        fields = found.dict_value.fields
        return Structure(kind="dict", items=tuple((key, structure(fields[key])) for key in sorted(fields)))
    if which == "named_tuple_value":
        pairs = found.named_tuple_value.values
        items = tuple((each.key, structure(each.value)) for each in pairs)
        return Structure(kind="named_tuple", facts={"name": found.named_tuple_value.name}, items=items)
    if which == "type_spec_value":
        return _type_spec(found.type_spec_value)
    return _other(which, found)


def _other(which: str | None, found: Any) -> Structure:
    if which == "none_value":
        return _value("NoneType", None)
    if which == "tensor_shape_value":
        return _value("TensorShape", _shape(found.tensor_shape_value))
    if which == "tensor_dtype_value":
        return _value("DType", python_name(data_type(found.tensor_dtype_value)))
    if which in _CONSTANTS:
        return _constant(getattr(found, which))
    return Structure(kind="unknown" if which is None else which.removesuffix("_value"))


def _constant(found: Any) -> Structure:
    from opspec_lint.frameworks.tensorflow.saved.graphs.constants import python_text

    dtype = python_name(data_type(found.dtype))
    facts = {"shape": _shape(found.tensor_shape), "dtype": dtype, "value": python_text(found)}
    return Structure(kind="constant", facts=facts)


def _value(type_name: str, value: object) -> Structure:
    return Structure(kind="value", facts={"type": type_name, "value": value})


def _in_json(value: Any) -> object:
    """Return a value as JSON can have it: of floats, not those without a number."""
    return str(value) if isinstance(value, float) and value - value != 0 else value


def _tensor(kind: str, spec: Any) -> Structure:
    facts = {"name": spec.name or None, "shape": _shape(spec.shape), "dtype": python_name(data_type(spec.dtype))}
    return Structure(kind=kind, facts=facts)


def _shape(found: Any) -> list[int | None] | None:
    """Return the sizes of a shape, None for one that is not fixed; None where not even the rank is known."""
    return None if found.unknown_rank else [None if dim.size < 0 else dim.size for dim in found.dim]


def _type_spec(spec: Any) -> Structure:
    kind = _CLASSES.get(spec.type_spec_class)
    if kind in _PARTS:
        parts = (structure(each) for each in spec.type_state.tuple_value.values)
        return Structure(
            kind=kind, facts={name: _value_of(each) for name, each in zip(_PARTS[kind], parts, strict=False)}
        )
    if kind is not None:
        return Structure(kind=kind)
    return Structure(kind="type_spec", facts={"type": spec.type_spec_class_name or str(spec.type_spec_class)})


def _value_of(found: Structure) -> object:
    return found.facts.get("value")


def strings(found: Structure | None) -> list[str]:
    """Return the texts that a list or tuple holds, none of what is none."""
    return [text for each in items(found) if isinstance(text := each.facts.get("value"), str)]


def items(found: Structure | None) -> Iterable[Structure]:
    """Return the parts of a structure, none of what has none."""
    return () if found is None or found.items is None else [each for _, each in found.items]


def by_key(found: Structure | None) -> Mapping[str, Structure]:
    """Return the parts of a structure by their keys."""
    return {} if found is None or found.items is None else dict(found.items)
