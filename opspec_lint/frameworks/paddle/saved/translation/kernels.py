"""The choice among the kernels of an op by the kinds of a node's input variables.

The rules are from `OpTranscriber::LookUpOpInfo` in Paddle's op_translator.cc.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.translation import kinds
from opspec_lint.frameworks.paddle.saved.translation.variables import SELECTED_ROWS, TENSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.frameworks.paddle.saved.translation.names import PirNames
    from opspec_lint.frameworks.paddle.saved.translation.node import Node
    from opspec_lint.spec.model import Input, Op

_SPARSE = "sparse_"
_CHOSEN_BY_FIRST_INPUT = frozenset({"sparse_sum", "sparse_slice", "sparse_reshape"})
"""The sparse ops whose kernels are chosen by their first input alone, which is called `x`."""


def choose_kernel(node: Node, kernels: Sequence[Op], plain: Op | None, names: PirNames) -> Op | str | None:
    """Return the PIR op that a node becomes, None for none, or the problem of its inputs as a text.

    `plain` is the op without a kernel in its name, in its inplace variant if the node works in place.
    """
    if node.op.startswith(_SPARSE):
        return _choose_sparse(node, kernels)
    return None if plain is None else _choose_dense(node, kernels, plain, names)


def _choose_sparse(node: Node, kernels: Sequence[Op]) -> Op | str | None:
    """Return the kernel of a sparse op that takes the kinds of its inputs, or the problem as text if none does."""
    if node.variables is None:
        # Without variables any kernel will do: all kernels of an op have the same attrs.
        return kernels[0]
    parameters = [name for name in sorted(node.inputs) if node.op not in _CHOSEN_BY_FIRST_INPUT or name == "x"]
    given = [node.kind_of(node.inputs, name) for name in parameters]
    suffix = "_sp_" if node.is_inplace else "_sp"
    fitting = (kernel for kernel in kernels if kernel.name.endswith(suffix) and _fits(kernel, given))
    return next(fitting, None) or "are of kinds that no kernel takes"


def _choose_dense(node: Node, kernels: Sequence[Op], plain: Op, names: PirNames) -> Op | str:
    """Return the plain op: the translation only checks that some kernel fits."""
    given: list[int | None] = []
    for declared_input in _tensors(plain.inputs):
        name = names.argument(node.op, plain, declared_input)
        if name not in node.inputs:
            return f"'{name}' is not there, and may be empty, but not absent"
        given.append(node.kind_of(node.inputs, name))
    if node.variables is None:
        return plain
    if any(kind not in (None, TENSOR, SELECTED_ROWS) for kind in given):
        return "are neither tensors nor selected rows"
    return plain if any(_fits(kernel, given) for kernel in kernels) else "are of kinds that no kernel takes"


def _fits(kernel: Op, given: Sequence[int | None]) -> bool:
    """Return whether a kernel accepts variables of these kinds; None fits all."""
    accepts = [kinds.expected_kind(declared_input) for declared_input in _tensors(kernel.inputs)]
    return len(accepts) == len(given) and all(
        kind is None or expected in (None, kind) for kind, expected in zip(given, accepts, strict=True)
    )


def _tensors(inputs: Iterable[Input]) -> list[Input]:
    """Return the inputs that are no attrs."""
    return [declared_input for declared_input in inputs if declared_input.get("mutable_attr") is not True]
