"""The facts about a program's variables that the translation uses."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.messages import text
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

TENSOR, SELECTED_ROWS, ARRAY, SPARSE_COO, SPARSE_CSR = 7, 8, 13, 30, 31
"""The variable types with a type in PIR (framework.proto): LOD_TENSOR, SELECTED_ROWS, LOD_TENSOR_ARRAY, sparse tensors.
"""
BOOL = 0
"""The element type of boolean tensors."""


class Variable(Record):
    """A variable: its type, its element type, and its number of dimensions.

    `is_lost`: only an output that no PIR op has gave it a value.
    """

    kind: int
    dtype: int
    rank: int
    is_lost: bool = False


def declared_variables(block: Any) -> dict[str, Variable]:
    """Return the variables that a block declares."""
    return {text(variable.name): _variable(variable.type) for variable in block.vars}


def _variable(var_type: Any) -> Variable:
    """Return the facts about a variable by its VarType."""
    tensor = var_type.lod_tensor.tensor
    return Variable(kind=var_type.type, dtype=tensor.data_type, rank=len(tensor.dims))


def external_variables(block: Any) -> Iterator[str]:
    """Yield the variables that ops take before any op returns them: inputs, which become tensors.

    Persistable variables have a value from the start.
    """
    defined = {text(variable.name) for variable in block.vars if variable.persistable}
    for op in block.ops:
        yield from (name for parameter in op.inputs for name in map(text, parameter.arguments) if name not in defined)
        defined.update(name for parameter in op.outputs for name in map(text, parameter.arguments))
