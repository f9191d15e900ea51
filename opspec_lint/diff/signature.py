"""The signature of inputs or outputs: the list of types that a saved graph binds them to, in order.

An attr that only the new declaration has counts as its default value. So the signatures of two declarations are equal
exactly if head can read an old graph: `float` may become `T` with the default `float`, and a list whose default is
empty may be added. ComputeArgSignature in tensorflow/core/framework/op_def_util.cc has the same rule.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.model import Attr, Input, Output

_INT32_HALF = 1 << 31
"""Half of the range of 32-bit integers, in which TensorFlow counts."""
_MOST_TENSORS = 1000
"""From this number of tensors on, a count is written as a number, so that signatures have a bounded length."""


class SignatureSlot(Record):
    """An input or output, and the types of the tensors that it contributes to the signature."""

    argument: Input | Output
    types: tuple[str, ...]


def signature_slots(
    arguments: Sequence[Input | Output], old: Mapping[str, Attr], new: Mapping[str, Attr]
) -> list[SignatureSlot]:
    """Return the slots of some arguments.

    Args:
        arguments: the inputs or the outputs of an op.
        old: the attrs of its old declaration, by name.
        new: the attrs of its new declaration, by name.
    """
    return [SignatureSlot(argument=argument, types=_tensor_types(argument, old, new)) for argument in arguments]


def show_signature(side: Sequence[SignatureSlot], *, names: bool) -> str:
    """Return a signature as text: `T, N * float`, or with names `x:T, y:N * float`."""
    names_of_slots = (f"{slot.argument.name}:" if names else "" for slot in side)
    return ", ".join(name + kind for name, slot in zip(names_of_slots, side, strict=True) for kind in slot.types)


def _tensor_types(argument: Input | Output, old: Mapping[str, Attr], new: Mapping[str, Attr]) -> tuple[str, ...]:
    """Return the type of each tensor of an argument; attrs that only the new declaration has count as their default."""
    single, listed, number = argument.type_attr, argument.type_list_attr, argument.number_attr
    if listed:
        return (str(listed),) if listed in old else tuple(map(str, _default_of_type(new, listed, "list(type)", ())))
    if argument.type:
        kind = str(argument.type)
    elif single:
        kind = str(single) if single in old else str(_default_of_type(new, single, "type", "INVALID"))
    else:
        kind = "?"
    if not number:
        return (kind,)
    if number in old:
        return (f"{number} * {kind}",)
    # TensorFlow takes the count as an int32: a greater default value wraps around.
    count = (_default_of_type(new, number, "int", 0) + _INT32_HALF) % (2 * _INT32_HALF) - _INT32_HALF
    return (kind,) * count if count <= _MOST_TENSORS else (f"{count} * {kind}",)


def _default_of_type(attrs: Mapping[str, Attr], name: object, kind: str, fallback: Any) -> Any:
    """Return the default value of an attr if it has the type `kind`, and `fallback` otherwise."""
    attr = attrs.get(name)  # type: ignore[call-overload]
    if attr is None or attr.default_value in (None, UNKNOWN):
        return fallback
    actual, value = values.actual_type(attr.default_value, attr.type)
    return value if actual == kind and isinstance(value, type(fallback)) else fallback
