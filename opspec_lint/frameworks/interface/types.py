"""The types of an interface, of what models say of their tensors and arguments."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.interface.types import CONSTANT_TENSOR, Composite, Group, Tensor, UnknownType, Value, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.models.model import Structure
    from opspec_lint.models.model import Tensor as ModelTensor
    from opspec_lint.spec.interface.types import Type

_GROUPS = ("tuple", "list", "dict", "named_tuple")
_WORDS = {
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
"""The dtype of a tensor of which nothing says any."""


def of_tensor(found: ModelTensor) -> Type:
    """Return the type of a tensor of a signature."""
    shape = None if found.shape is None else tuple(None if size < 0 else size for size in found.shape)
    tensor = Tensor(dtype=identifier(found.dtype or _ANY), shape=shape)
    if found.encoding == "name":
        return tensor
    return Composite(type_name=_ENCODINGS.get(found.encoding) or identifier(found.encoding), parts=(tensor,))


def of_structure(found: Structure | None) -> Type:
    """Return the type of an argument or a result."""
    if found is None:
        return UnknownType()
    facts = found.facts
    if found.kind in _GROUPS:
        return _group(found)
    if found.kind == "tensor":
        return _tensor(facts)
    if found.kind == CONSTANT_TENSOR:
        return Composite(type_name=CONSTANT_TENSOR, parts=(_tensor(facts), parse(str(facts.get("value")))))
    if found.kind == "value":
        return _value(str(facts.get("type")), facts.get("value"))
    if found.kind == "type_spec":
        return Composite(type_name=_begun(_NO_PATH.sub("_", str(facts.get("type") or "TypeSpec"))))
    return _other(found)


def _group(found: Structure) -> Group:
    parts = [(key, of_structure(each)) for key, each in found.items or ()]
    if found.kind != "named_tuple":
        return Group(kind=found.kind, items=tuple(parts))
    name = identifier(str(found.facts.get("name") or ""))
    return Group(kind=found.kind, name=name, items=tuple((identifier(key), each) for key, each in parts))


def _other(found: Structure) -> Type:
    if found.kind not in _WORDS:
        return UnknownType()
    facts = found.facts
    parts: tuple[Type, ...] = (_tensor(facts),) if "dtype" in facts else ()
    if "ragged_rank" in facts:
        parts += (Value(text=repr(facts["ragged_rank"])),)
    if "row_splits_dtype" in facts:
        parts += (Value(text=repr(facts["row_splits_dtype"])),)
    return Composite(type_name=_WORDS[found.kind], parts=parts)


def _tensor(facts: Any) -> Tensor:
    """Return a tensor; one of a name (`x: float32[None]`) is the same without it for who calls a function."""
    sizes = facts.get("shape")
    shape = tuple(sizes) if isinstance(sizes, (list, tuple)) else None
    return Tensor(dtype=identifier(str(facts.get("dtype") or _ANY)), shape=shape)


def _value(kind: str, value: Any) -> Type:
    if kind == "TensorShape":
        shape = None if value is None else tuple(value)
        return Composite(type_name=kind, parts=(Tensor(dtype=_ANY, shape=shape),))
    if kind == "DType":
        return Composite(type_name=kind, parts=(Value(text=repr(value)),))
    if kind == "float" and isinstance(value, str):
        return Value(text=value)  # inf and nan, which JSON cannot express
    return Value(text=repr(value))


def identifier(text: str) -> str:
    """Return a name as one that Python could have; a model may call things anything."""
    return _begun(_NO_NAME.sub("_", text))


def _begun(text: str) -> str:
    return text if text and not text[0].isdigit() and text[0] != "." else f"_{text}"
