"""The schemas of the variants that torchgen generates for an op: out variants and functional variants.

The key `autogen` of an entry names them. Their schemas follow from the schema of the op, as in torchgen's
`native_function_generation.py`: an out variant writes the results to out arguments, a functional variant returns what
the op writes.
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
"""The options of a new tensor, which an out variant lacks: it writes to an existing one."""
_WRITTEN = ("Tensor", "Tensor[]")


def generated_variants(line: Line, names: Sequence[str]) -> Iterator[Line]:
    """Yield the schemas of the named variants of an op, except those that do not follow from its schema."""
    try:
        op = parse(line.text)
    except SchemaError:
        return
    schemas: dict[bool, Op | None] = {}
    for name in names:
        is_out = name.endswith("out")
        if is_out not in schemas:
            schemas[is_out] = _out_schema(op) if is_out else _functional_schema(op)
        variant = schemas[is_out]
        if variant is not None:
            yield Line(
                text=show(variant.replace(name=name)),
                file=line.file,
                line=line.line,
                # A generated variant has tags of its own; the entry states only those of its op.
                more={"own": {"op_tags": UNKNOWN}},
            )


def _functional_schema(op: Op) -> Op:
    """Return the variant of an op that writes to no argument, and returns new values in place of written ones."""
    returned = {output.get("alias") for output in op.outputs}
    written = [argument for argument in op.inputs if _is_written(argument) and argument.get("alias") not in returned]
    outputs = [_without_alias(output) for output in op.outputs]
    outputs += (Output(name=f"{argument.name}_out", type=argument.type, own={"alias": None}) for argument in written)
    return op.replace(
        inputs=tuple(_without_alias(argument) if _is_written(argument) else argument for argument in op.inputs),
        outputs=tuple(outputs),
    )


def _out_schema(op: Op) -> Op | None:
    """Return the variant of an op that writes what the op returns to out arguments; None where that is not known.

    It also returns the out arguments if all are single tensors: `f(Tensor x) -> Tensor` becomes
    `f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)`.
    """
    inputs = op.inputs
    if _is_in_place(op):
        inputs = tuple(_without_alias(argument) if _is_written(argument) else argument for argument in inputs)
    elif any(output.get("alias") for output in op.outputs) or not op.outputs:
        return None
    if any(output.type not in _WRITTEN for output in op.outputs) or op.get("vararg") or op.get("varret"):
        return None
    if {argument.name for argument in inputs if argument.get("keyword_only")} >= _OPTIONS:
        inputs = tuple(argument for argument in inputs if argument.name not in _OPTIONS)
    aliases = _out_aliases(inputs, len(op.outputs))
    names = ["out"] if len(aliases) == 1 else [f"out{place}" for place in range(len(aliases))]
    outs = [
        Input(
            name=name, type=output.type, own={"default": None, "keyword_only": True, "alias": _alias_of(output, alias)}
        )
        for name, output, alias in zip(names, op.outputs, aliases, strict=True)
    ]
    returned: list[Output] = []
    if all(output.type == "Tensor" for output in op.outputs):
        returned = [Output(name=str(place), type="Tensor", own={"alias": alias}) for place, alias in enumerate(aliases)]
    return op.replace(inputs=(*inputs, *outs), outputs=tuple(returned))


def _out_aliases(inputs: Sequence[Input], count: int) -> list[str]:
    """Return the annotations of `count` out arguments: `(a!)`, `(b!)` and so on after the written inputs."""
    first = ord("a") + sum(map(_is_written, inputs))
    return [f"({chr(first + place)}!)" for place in range(count)]


def _alias_of(output: Output, alias: str) -> str:
    """Return the alias annotation of an out argument: a list has it behind its brackets."""
    return alias if output.type == "Tensor" else f"{alias}[]"


def _is_in_place(op: Op) -> bool:
    """Return whether an op returns the one argument that it writes to, as `add_` does."""
    written = [argument.get("alias") for argument in op.inputs if _is_written(argument)]
    return len(written) == 1 and [output.get("alias") for output in op.outputs] == written


def _is_written(argument: Input) -> bool:
    """Return whether the op writes to an argument."""
    return "!" in (argument.get("alias") or "")


def _without_alias(argument: _A) -> _A:
    """Return an argument or return without its alias annotation."""
    return argument.replace(own={**argument.own, "alias": None})
