"""The variables of a program, as far as the translation looks at them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

TENSOR, SELECTED_ROWS, ARRAY, SPARSE_COO, SPARSE_CSR = 7, 8, 13, 30, 31
"""The types of variables that have a type in PIR (framework.proto): LOD_TENSOR, LOD_TENSOR_ARRAY, and so on."""
BOOL = 0
"""The type of the elements of a tensor of truth values."""


class Variable(Record):
    """A variable: its type, that of its elements, and how many dimensions it has.

    `is_lost` is whether only an output gave it that no PIR op has.
    """

    kind: int
    dtype: int
    rank: int
    is_lost: bool = False


def declared(block: Any) -> dict[str, Variable]:
    """Return the variables that a block declares."""
    return {text(each.name): _variable(each.type) for each in block.vars}


def _variable(kind: Any) -> Variable:
    tensor = kind.lod_tensor.tensor
    return Variable(kind=kind.type, dtype=tensor.data_type, rank=len(tensor.dims))


def external(block: Any) -> Iterator[str]:
    """Yield the variables that ops of a block take and no op has given before: tensors are made of them.

    Those that are kept beside the program have a value.
    """
    given = {text(each.name) for each in block.vars if each.persistable}
    for op in block.ops:
        yield from (name for each in op.inputs for name in map(text, each.arguments) if name not in given)
        given.update(name for each in op.outputs for name in map(text, each.arguments))
