"""The conversion of a model's tensors and structures to the types of an interface."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.types import (
    CONSTANT_TENSOR,
    CompositeType,
    GroupType,
    TensorType,
    UnknownType,
    ValueType,
    parse,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.models.model import Structure
    from opspec_lint.models.model import Tensor as ModelTensor
    from opspec_lint.spec.interface.types import Type

_GROUPS = ("tuple", "list", "dict", "named_tuple")
_COMPOSITES = {
    "bounded_tensor": "BoundedTensor",
    "dataset": "Dataset",
    "indexed_slices": "IndexedSlices",
    "iterator": "Iterator",
    "ragged": "RaggedTensor",
    "sparse": "SparseTensor",
    "tensor_array": "TensorArray",
    "variable": "Variable",
}
_ENCODINGS = {"coo_sparse": "SparseTensor"}
_NO_NAME = pattern(r"[^A-Za-z0-9_]+")
_NO_PATH = pattern(r"[^A-Za-z0-9_.]+")
_ANY = "any"
"""The dtype of a tensor with an unknown one."""


def tensor_type(tensor: ModelTensor) -> Type:
    """Return the type of a tensor of a signature."""
    shape = None if tensor.shape is None else tuple(None if size < 0 else size for size in tensor.shape)
    type_ = TensorType(dtype=identifier(tensor.dtype or _ANY), shape=shape)
    if tensor.encoding == "name":
        return type_
    return CompositeType(type_name=_ENCODINGS.get(tensor.encoding) or identifier(tensor.encoding), parts=(type_,))


def structure_type(structure: Structure | None) -> Type:
    """Return the type of an argument or a result."""
    if structure is None:
        return UnknownType()
    facts = structure.facts
    if structure.kind in _GROUPS:
        return _group(structure)
    if structure.kind == "tensor":
        return _tensor(facts)
    if structure.kind == CONSTANT_TENSOR:
        return CompositeType(type_name=CONSTANT_TENSOR, parts=(_tensor(facts), parse(str(facts.get("value")))))
    if structure.kind == "value":
        return _value(str(facts.get("type")), facts.get("value"))
    if structure.kind == "type_spec":
        return CompositeType(type_name=_with_valid_start(_NO_PATH.sub("_", str(facts.get("type") or "TypeSpec"))))
    return _composite(structure)


def _group(structure: Structure) -> GroupType:
    """Return the type of a container with its parts."""
    parts = [(key, structure_type(part)) for key, part in structure.items or ()]
    if structure.kind != "named_tuple":
        return GroupType(kind=structure.kind, items=tuple(parts))
    name = identifier(str(structure.facts.get("name") or ""))
    return GroupType(kind=structure.kind, name=name, items=tuple((identifier(key), part) for key, part in parts))


def _composite(structure: Structure) -> Type:
    """Return the type of a composite tensor, such as a RaggedTensor."""
    if structure.kind not in _COMPOSITES:
        return UnknownType()
    facts = structure.facts
    parts: tuple[Type, ...] = (_tensor(facts),) if "dtype" in facts else ()
    if "ragged_rank" in facts:
        parts += (ValueType(text=repr(facts["ragged_rank"])),)
    if "row_splits_dtype" in facts:
        parts += (ValueType(text=repr(facts["row_splits_dtype"])),)
    return CompositeType(type_name=_COMPOSITES[structure.kind], parts=parts)


def _tensor(facts: Any) -> TensorType:
    """Return the type of a tensor. Its name is omitted, because a caller of a function does not see it."""
    sizes = facts.get("shape")
    shape = tuple(sizes) if isinstance(sizes, (list, tuple)) else None
    return TensorType(dtype=identifier(str(facts.get("dtype") or _ANY)), shape=shape)


def _value(kind: str, value: Any) -> Type:
    """Return the type of a constant argument."""
    if kind == "TensorShape":
        shape = None if value is None else tuple(value)
        return CompositeType(type_name=kind, parts=(TensorType(dtype=_ANY, shape=shape),))
    if kind == "DType":
        return CompositeType(type_name=kind, parts=(ValueType(text=repr(value)),))
    if kind == "float" and isinstance(value, str):
        return ValueType(text=value)  # inf and nan, which JSON cannot express
    return ValueType(text=repr(value))


def identifier(text: str) -> str:
    """Return a name as a valid Python identifier, since models may contain any name."""
    return _with_valid_start(_NO_NAME.sub("_", text))


def _with_valid_start(text: str) -> str:
    """Return a name with "_" in front if its first character is no valid start of an identifier."""
    return text if text and not text[0].isdigit() and text[0] != "." else f"_{text}"
