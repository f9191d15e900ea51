"""Which of an op's kernels a node asks for, by the kinds of the variables that it is given.

The rules are those of `OpTranscriber::LookUpOpInfo` in Paddle's op_translator.cc.
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
_FIRST = frozenset({"sparse_sum", "sparse_slice", "sparse_reshape"})
"""The ops of sparse tensors whose kernels are chosen by their first input alone, which is called `x`."""


def chosen(node: Node, kernels: Sequence[Op], plain: Op | None, names: PirNames) -> Op | str | None:
    """Return the PIR op that a node becomes, None where there is none, or what is wrong with its inputs.

    Args:
        node: the node.
        kernels: the kernels of the op, each an op of PIR.
        plain: the op that has no kernel in its name, in place where the node works in place.
        names: the names of the release.
    """
    if node.op.startswith(_SPARSE):
        return _of_sparse(node, kernels)
    return None if plain is None else _of_dense(node, kernels, plain, names)


def _of_sparse(node: Node, kernels: Sequence[Op]) -> Op | str | None:
    if node.variables is None:
        return kernels[0]
    parameters = [name for name in sorted(node.inputs) if node.op not in _FIRST or name == "x"]
    given = [node.kind_of(node.inputs, name) for name in parameters]
    ending = "_" if node.is_inplace else ""
    found = next((each for each in kernels if _fits(each, given) and each.name.endswith(f"_sp{ending}")), None)
    return found or "are of kinds that no kernel takes"


def _of_dense(node: Node, kernels: Sequence[Op], plain: Op, names: PirNames) -> Op | str:
    """Return the plain op: the translation looks for a kernel, and then goes on with the op itself."""
    given: list[int | None] = []
    for own in _tensors(plain.inputs):
        name = names.argument(node.op, plain, own)
        if name not in node.inputs:
            return f"'{name}' is not there, and may be empty, but not absent"
        given.append(node.kind_of(node.inputs, name))
    if node.variables is None:
        return plain
    if any(kind not in (None, TENSOR, SELECTED_ROWS) for kind in given):
        return "are neither tensors nor selected rows"
    return plain if any(_fits(each, given) for each in kernels) else "are of kinds that no kernel takes"


def _fits(kernel: Op, given: Sequence[int | None]) -> bool:
    takes = [kinds.of(each) for each in _tensors(kernel.inputs)]
    return len(takes) == len(given) and all(
        kind is None or expected in (None, kind) for kind, expected in zip(given, takes, strict=True)
    )


def _tensors(inputs: Iterable[Input]) -> list[Input]:
    return [each for each in inputs if each.get("mutable_attr") is not True]
