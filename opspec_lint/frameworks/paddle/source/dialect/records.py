"""How the ops of the dialect lie in the cache: as plain tuples. What is packed here is unpacked here."""

from __future__ import annotations

from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Origin, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from opspec_lint.spec.model import Unknown

    VariableRecord: TypeAlias = tuple[str, "str | None", int, Any, int, int]
    """The name of an input or output, its type, flags and default value, its line and column. No type: not known."""

    AttrRecord: TypeAlias = tuple[str, "str | None", Any, int, int]
    """The name of an attr, its type and default value, its line and column."""

    OpRecord: TypeAlias = tuple[
        str, int, int, tuple[VariableRecord, ...], tuple[VariableRecord, ...], tuple[AttrRecord, ...], bool
    ]
    """The file, line and column of an op, its inputs, outputs and attrs, and whether it takes more than these."""

DUPLICABLE, DISPENSABLE, INTERMEDIATE, MUTABLE, UNTOLD = 1, 2, 4, 8, 16
"""The bits of the flags of inputs and outputs; `UNTOLD` is that of one of which no flag is known."""


def op(name: str, record: OpRecord) -> Op:
    """Return the op of a record."""
    path, line, column, inputs, outputs, attrs, is_variadic = record
    return Op(
        name=name,
        inputs=tuple(_input(each, path) for each in inputs),
        outputs=tuple(_output(each, path) for each in outputs),
        attrs=tuple(_attr(each, path) for each in attrs),
        own={"variadic": is_variadic},
        origin=Origin(file=path, line=line, column=column),
    )


def _input(record: VariableRecord, path: str) -> Input:
    name, kind, flags, default, line, column = record
    is_mutable = bool(flags & MUTABLE)
    return Input(
        name=name,
        type=kind if kind is not None else UNKNOWN,
        duplicable=_flag(flags, DUPLICABLE),
        dispensable=_flag(flags, DISPENSABLE),
        own={"mutable_attr": is_mutable, **({"default": values.freeze(default)} if is_mutable else {})},
        origin=Origin(file=path, line=line, column=column),
    )


def _output(record: VariableRecord, path: str) -> Output:
    name, kind, flags, _, line, column = record
    return Output(
        name=name,
        type=kind if kind is not None else UNKNOWN,
        duplicable=_flag(flags, DUPLICABLE),
        dispensable=_flag(flags, DISPENSABLE),
        own={} if flags & UNTOLD else {"intermediate": bool(flags & INTERMEDIATE)},
        origin=Origin(file=path, line=line, column=column),
    )


def _flag(flags: int, flag: int) -> bool | Unknown:
    return UNKNOWN if flags & UNTOLD else bool(flags & flag)


def _attr(record: AttrRecord, path: str) -> Attr:
    name, kind, default, line, column = record
    return Attr(
        name=name,
        type=kind if kind is not None else UNKNOWN,
        default_value=values.freeze(default),
        origin=Origin(file=path, line=line, column=column),
    )


def numbers(record: OpRecord) -> list[Any]:
    """Return the default values of a record, which are all that may be numbers in it."""
    return [*(each[3] for each in record[3]), *(each[2] for each in record[5])]


def declared(record: OpRecord) -> tuple[Any, ...]:
    """Return what a record declares, wherever it stands."""
    _, _, _, inputs, outputs, attrs, is_variadic = record
    return (
        tuple(each[:-2] for each in inputs),
        tuple(each[:-2] for each in outputs),
        tuple(each[:-2] for each in attrs),
        is_variadic,
    )
