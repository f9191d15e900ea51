"""Which variables of a program fit which inputs and outputs of a PIR op.

Every op but a gradient and add_n checks the types of what it is given and gives, as op_verify_gen.py writes it.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.translation.variables import (
    ARRAY,
    SELECTED_ROWS,
    SPARSE_COO,
    SPARSE_CSR,
    TENSOR,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Input, Op, Output

_OF_TYPES = {
    "paddle::dialect::DenseTensorType": TENSOR,
    "paddle::dialect::SelectedRowsType": SELECTED_ROWS,
    "paddle::dialect::SparseCooTensorType": SPARSE_COO,
    "paddle::dialect::SparseCsrTensorType": SPARSE_CSR,
    "paddle::dialect::DenseTensorArrayType": ARRAY,
}
_VECTOR = "pir::VectorType<"
_UNVERIFIED = ("pd_op.add_n",)
_GRADIENTS = ("_grad", "_grad_")

_WORDS = {
    TENSOR: "a tensor (LOD_TENSOR)",
    SELECTED_ROWS: "selected rows (SELECTED_ROWS)",
    ARRAY: "an array of tensors (LOD_TENSOR_ARRAY)",
    SPARSE_COO: "a sparse tensor (SPARSE_COO)",
    SPARSE_CSR: "a sparse tensor (SPARSE_CSR)",
}
"""What variables are, by their types; one of another type is never translated."""


def of(own: Input | Output) -> int | None:
    """Return the type of the variables that an input or output of a PIR op has to be, None where that is not known."""
    if own.get("mutable_attr") is True:
        return TENSOR
    return _OF_TYPES.get(str(own.type).removeprefix(_VECTOR).removesuffix(">"))


def fits(kind: int, own: Input | Output, op: Op) -> bool:
    """Tell whether a variable of a type can be an input or output of a PIR op."""
    return kind in _WORDS and (of(own) in (None, kind) or not are_checked(op))


def problem(kind: int, own: Input | Output) -> str:
    """Return in words what is wrong with a variable of a type that cannot be an input or output."""
    expected = of(own)
    wanted = "" if expected is None else f", and has to be {_WORDS[expected]}"
    return f"is {_WORDS.get(kind, 'no tensor')}{wanted}"


def is_gradient(op: Op) -> bool:
    """Tell whether a PIR op is a gradient, which checks neither types nor attrs."""
    return op.name.endswith(_GRADIENTS)


def are_checked(op: Op) -> bool:
    """Tell whether a PIR op checks the types of its inputs and outputs."""
    return not is_gradient(op) and op.name not in _UNVERIFIED
