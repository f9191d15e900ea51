"""The out variants that torchgen generates of an op, as `autogen` names them.

Only such a variant is stated that follows from the schema: one that takes what the op takes, and writes what the op
returns to out arguments. See `native_function_generation.py` of torchgen.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.frameworks.pytorch.schemas.text import SchemaError, parse, show
from opspec_lint.spec.model import UNKNOWN, Input, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeVar

    from opspec_lint.spec.model import Op

    _A = TypeVar("_A", Input, Output)

_OPTIONS = {"dtype", "layout", "device", "pin_memory"}
"""The options of a new tensor, which an out variant is given a tensor instead of."""
_WRITTEN = ("Tensor", "Tensor[]")


def variants(line: Line, names: Sequence[str]) -> Iterator[Line]:
    """Yield the schemas of generated variants of an op that are known exactly.

    Args:
        line: the op, as its entry declares it.
        names: the variants, with their overloads.
    """
    try:
        op = parse(line.text)
    except SchemaError:
        return
    made: dict[bool, Op | None] = {}
    for name in names:
        is_out = name.endswith("out")
        if is_out not in made:
            made[is_out] = _out(op) if is_out else _functional(op)
        found = made[is_out]
        if found is not None:
            yield Line(
                text=show(found.replace(name=name)), file=line.file, line=line.line, more={"own": {"op_tags": UNKNOWN}}
            )


def _functional(op: Op) -> Op:
    """Return the variant of an op that writes to nothing, and returns what the op writes."""
    returned = {each.get("alias") for each in op.outputs}
    written = [each for each in op.inputs if _is_written(each) and each.get("alias") not in returned]
    outputs = [_without_alias(each) for each in op.outputs]
    outputs += (Output(name=f"{each.name}_out", type=each.type, own={"alias": None}) for each in written)
    return op.replace(
        inputs=tuple(_without_alias(each) if _is_written(each) else each for each in op.inputs), outputs=tuple(outputs)
    )


def _out(op: Op) -> Op | None:
    """Return the variant of an op that writes what the op returns to out arguments; None where that is not known."""
    inputs = op.inputs
    if _is_in_place(op):
        inputs = tuple(_without_alias(each) if _is_written(each) else each for each in inputs)
    elif any(each.get("alias") for each in op.outputs) or not op.outputs:
        return None
    if any(each.type not in _WRITTEN for each in op.outputs) or op.get("vararg") or op.get("varret"):
        return None
    if {each.name for each in inputs if each.get("keyword_only")} >= _OPTIONS:
        inputs = tuple(each for each in inputs if each.name not in _OPTIONS)
    first = sum(map(_is_written, inputs))
    sets = [f"({chr(ord('a') + first + place)}!)" for place in range(len(op.outputs))]
    names = ["out"] if len(sets) == 1 else [f"out{place}" for place in range(len(sets))]
    outs = [
        Input(name=name, type=each.type, own={"default": None, "keyword_only": True, "alias": _marked(each, alias)})
        for name, each, alias in zip(names, op.outputs, sets, strict=True)
    ]
    returned = [
        Output(name=str(place), type=each.type, own={"alias": alias})
        for place, (each, alias) in enumerate(zip(op.outputs, sets, strict=True))
        if all(other.type == "Tensor" for other in op.outputs)
    ]
    return op.replace(inputs=(*inputs, *outs), outputs=tuple(returned))


def _marked(output: Output, alias: str) -> str:
    return alias if output.type == "Tensor" else f"{alias}[]"


def _is_in_place(op: Op) -> bool:
    """Tell whether an op returns the one argument that it writes to."""
    written = [each.get("alias") for each in op.inputs if _is_written(each)]
    return len(written) == 1 and [each.get("alias") for each in op.outputs] == written


def _is_written(argument: Input) -> bool:
    return "!" in (argument.get("alias") or "")


def _without_alias(argument: _A) -> _A:
    return argument.replace(own={**argument.own, "alias": None})
