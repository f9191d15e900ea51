"""The checks that ONNX Runtime makes of the weights of the main graph, and of inputs of the same names."""

from __future__ import annotations

from math import prod

from opspec_lint.frameworks.onnx.saved.files.reading import RAW_DATA
from opspec_lint.frameworks.onnx.saved.judging import well_formed
from opspec_lint.frameworks.onnx.saved.judging.faults import model_refused
from opspec_lint.frameworks.onnx.saved.judging.types import stored_type, type_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.onnx.saved.files.reading import Initializer
    from opspec_lint.spec.fact import Fact


def input_faults(value: Any, weight: Initializer) -> Iterator[Fact]:
    """Yield the faults of an input (a ValueInfoProto) that states another type or shape than the weight of its name."""
    stated_type = type_text(value.type)
    if weight.data_type and stated_type not in (None, stored_type(weight)):
        problem = f"the weight '{weight.name}' is {stored_type(weight)}, and the input of that name {stated_type}"
        yield model_refused("model_header", weight.name, "type", problem)
    elif not _has_stated_shape(value.type, weight.dims):
        problem = (
            f"the weight '{weight.name}' has the shape {list(weight.dims)}, and the input of that name another one"
        )
        yield model_refused("model_header", weight.name, "shape", problem)


def _has_stated_shape(kind: object, dims: tuple[int, ...]) -> bool:
    """Return True if a weight has the shape that the input of its name states."""
    tensor_type = kind.tensor_type  # type: ignore[attr-defined]
    if not tensor_type.HasField("shape"):
        return True
    stated = tensor_type.shape.dim
    return len(stated) == len(dims) and all(
        size.WhichOneof("value") != "dim_value" or size.dim_value == own for size, own in zip(stated, dims, strict=True)
    )


def find_problem(weight: Initializer, ir_version: int) -> str | None:
    """Return the problem of a weight, None if there is none; as in the checker, values are not read."""
    if not weight.data_type:
        return "has no type"
    if not weight.name and ir_version <= well_formed.WEIGHTS_ARE_INPUTS:
        return "has no name"
    if weight.is_sparse or weight.file is not None:
        return None
    if prod(weight.dims) and not weight.stored:
        return "has no values"
    if RAW_DATA in weight.stored and weight.raw_size != well_formed.raw_bytes(weight):
        return f"has {weight.raw_size} bytes of values, and needs {well_formed.raw_bytes(weight)}"
    return None
