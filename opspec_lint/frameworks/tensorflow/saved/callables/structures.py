"""Conversion of StructuredValue, the arguments and results of functions in a SavedModel, to the common model."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.models.model import Structure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_VALUES = {"float64_value": "float", "int64_value": "int", "string_value": "str", "bool_value": "bool"}
"""Python type by field of a StructuredValue with a plain value."""
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
"""Kinds in the common model by number of the enum TypeSpecProto.TypeSpecClass; others are a `type_spec`."""
_PARTS: dict[str, tuple[str, ...]] = {
    "sparse": ("shape", "dtype"),
    "ragged": ("shape", "dtype", "ragged_rank", "row_splits_dtype"),
    "variable": ("shape", "dtype"),
}
"""Names of the first items of the state of a TypeSpec, by kind."""


def parse_structure(value: Any) -> Structure:
    """Convert a StructuredValue to a structure of the common model."""
    # The recursion is safe: protobuf refuses messages that are nested deeper than a hundred.
    which = value.WhichOneof("kind")
    if which in _VALUES:
        return _value_structure(_VALUES[which], _json_value(getattr(value, which)))
    if which in _SPECS:
        return _parse_tensor_spec(_SPECS[which], getattr(value, which))
    if which in ("list_value", "tuple_value"):
        items = tuple(("", parse_structure(item)) for item in getattr(value, which).values)
        return Structure(kind=which.removesuffix("_value"), items=items)
    if which == "dict_value":
        fields = value.dict_value.fields
        return Structure(kind="dict", items=tuple((key, parse_structure(fields[key])) for key in sorted(fields)))
    if which == "named_tuple_value":
        pairs = value.named_tuple_value.values
        items = tuple((pair.key, parse_structure(pair.value)) for pair in pairs)
        return Structure(kind="named_tuple", facts={"name": value.named_tuple_value.name}, items=items)
    if which == "type_spec_value":
        return _parse_type_spec(value.type_spec_value)
    return _parse_rarer_kind(which, value)


def _parse_rarer_kind(which: str | None, value: Any) -> Structure:
    """Convert None, shapes, dtypes and constants; other kinds keep their name only."""
    if which == "none_value":
        return _value_structure("NoneType", None)
    if which == "tensor_shape_value":
        return _value_structure("TensorShape", _shape(value.tensor_shape_value))
    if which == "tensor_dtype_value":
        return _value_structure("DType", python_name(data_type(value.tensor_dtype_value)))
    if which in _CONSTANTS:
        return _parse_constant(getattr(value, which))
    return Structure(kind="unknown" if which is None else which.removesuffix("_value"))


def _parse_constant(tensor: Any) -> Structure:
    """Convert a TensorProto to a constant with its Python text."""
    from opspec_lint.frameworks.tensorflow.saved.graphs.constants import python_text

    dtype = python_name(data_type(tensor.dtype))
    facts = {"shape": _shape(tensor.tensor_shape), "dtype": dtype, "value": python_text(tensor)}
    return Structure(kind="constant", facts=facts)


def _value_structure(type_name: str, value: object) -> Structure:
    return Structure(kind="value", facts={"type": type_name, "value": value})


def _json_value(value: Any) -> object:
    """Return a value; infinity and NaN, which JSON lacks, as text."""
    return str(value) if isinstance(value, float) and value - value != 0 else value


def _parse_tensor_spec(kind: str, spec: Any) -> Structure:
    facts = {"name": spec.name or None, "shape": _shape(spec.shape), "dtype": python_name(data_type(spec.dtype))}
    return Structure(kind=kind, facts=facts)


def _shape(shape: Any) -> list[int | None] | None:
    """Return the dimensions of a TensorShapeProto, None for an unknown dimension or, as a whole, an unknown rank."""
    return None if shape.unknown_rank else [None if dim.size < 0 else dim.size for dim in shape.dim]


def _parse_type_spec(spec: Any) -> Structure:
    """Convert a TypeSpec by its class, with the first items of its state."""
    kind = _CLASSES.get(spec.type_spec_class)
    if kind in _PARTS:
        parts = (parse_structure(item) for item in spec.type_state.tuple_value.values)
        return Structure(
            kind=kind, facts={name: _plain_value(part) for name, part in zip(_PARTS[kind], parts, strict=False)}
        )
    if kind is not None:
        return Structure(kind=kind)
    return Structure(kind="type_spec", facts={"type": spec.type_spec_class_name or str(spec.type_spec_class)})


def _plain_value(structure_: Structure) -> object:
    return structure_.facts.get("value")


def strings(sequence: Structure | None) -> list[str]:
    """Return the strings in a list or tuple, [] for any other structure."""
    texts = (item.facts.get("value") for item in items(sequence))
    return [text for text in texts if isinstance(text, str)]


def items(parent: Structure | None) -> Iterable[Structure]:
    """Return the items of a structure without their keys, () if it has none."""
    return () if parent is None or parent.items is None else [item for _, item in parent.items]


def by_key(parent: Structure | None) -> Mapping[str, Structure]:
    """Return the items of a structure by their keys, {} if it has none."""
    return {} if parent is None or parent.items is None else dict(parent.items)
