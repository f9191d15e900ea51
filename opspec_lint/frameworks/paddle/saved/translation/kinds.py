"""The kinds of variables that the inputs and outputs of a PIR op accept.

Every op except gradients and add_n checks the types of its inputs and outputs, by code that op_verify_gen.py generates.
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

_KINDS = {
    "paddle::dialect::DenseTensorType": TENSOR,
    "paddle::dialect::SelectedRowsType": SELECTED_ROWS,
    "paddle::dialect::SparseCooTensorType": SPARSE_COO,
    "paddle::dialect::SparseCsrTensorType": SPARSE_CSR,
    "paddle::dialect::DenseTensorArrayType": ARRAY,
}
_VECTOR = "pir::VectorType<"
_UNVERIFIED = ("pd_op.add_n",)
_GRADIENTS = ("_grad", "_grad_")

_DESCRIPTIONS = {
    TENSOR: "a tensor (LOD_TENSOR)",
    SELECTED_ROWS: "selected rows (SELECTED_ROWS)",
    ARRAY: "an array of tensors (LOD_TENSOR_ARRAY)",
    SPARSE_COO: "a sparse tensor (SPARSE_COO)",
    SPARSE_CSR: "a sparse tensor (SPARSE_CSR)",
}
"""Descriptions of variables by their type; variables of other types are never translated."""


def expected_kind(argument: Input | Output) -> int | None:
    """Return the variable type that an input or output requires; None if unknown."""
    if argument.get("mutable_attr") is True:
        return TENSOR
    return _KINDS.get(str(argument.type).removeprefix(_VECTOR).removesuffix(">"))


def fits(kind: int, argument: Input | Output, op: Op) -> bool:
    """Return whether a variable of a type can be an input or output of a PIR op."""
    return kind in _DESCRIPTIONS and (expected_kind(argument) in (None, kind) or not are_checked(op))


def problem(kind: int, argument: Input | Output) -> str:
    """Return the problem of a variable of a wrong type, for a message."""
    expected = expected_kind(argument)
    requirement = "" if expected is None else f", and has to be {_DESCRIPTIONS[expected]}"
    return f"is {_DESCRIPTIONS.get(kind, 'no tensor')}{requirement}"


def is_gradient(op: Op) -> bool:
    """Return whether a PIR op is a gradient, which checks neither types nor attrs."""
    return op.name.endswith(_GRADIENTS)


def are_checked(op: Op) -> bool:
    """Return whether a PIR op checks the types of its inputs and outputs."""
    return not is_gradient(op) and op.name not in _UNVERIFIED
