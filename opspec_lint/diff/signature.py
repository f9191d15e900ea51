"""What a saved graph binds the inputs and outputs of an op by, where their order counts: a list of types.

An attr that only the new declaration has counts as its default value, so that an old and a new declaration have equal
signatures exactly if an old graph can be read as a new one: `float` may become `T` with the default `float`, and a list
with an empty default may come in. This is how TensorFlow's ComputeArgSignature puts it.
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

_HALF = 1 << 31
"""TensorFlow counts in 32 bits, so that larger numbers wrap."""
_MANY = 1000
"""From so many tensors on a default count is written as a number: a signature is bounded."""


class SignatureSlot(Record):
    """What one input or output contributes to a signature: so many tensors, each with its type."""

    argument: Input | Output
    types: tuple[str, ...]


def signature_slots(
    arguments: Sequence[Input | Output], old: Mapping[str, Attr], new: Mapping[str, Attr]
) -> list[SignatureSlot]:
    """Return the slots of some arguments.

    Args:
        arguments: the inputs or the outputs of an op.
        old: the attrs of its old declaration, by name.
        new: those of its new one.
    """
    return [SignatureSlot(argument=argument, types=_types(argument, old, new)) for argument in arguments]


def show_signature(side: Sequence[SignatureSlot], *, names: bool) -> str:
    """Return a signature as a text: `T, N * float`, or `x:T, y:N * float` where names count."""
    prefix = (f"{slot.argument.name}:" if names else "" for slot in side)
    return ", ".join(before + each for before, slot in zip(prefix, side, strict=True) for each in slot.types)


def _types(argument: Input | Output, old: Mapping[str, Attr], new: Mapping[str, Attr]) -> tuple[str, ...]:
    single, listed, number = argument.type_attr, argument.type_list_attr, argument.number_attr
    if listed:
        return (str(listed),) if listed in old else tuple(map(str, _default(new, listed, "list(type)", ())))
    if argument.type:
        kind = str(argument.type)
    elif single:
        kind = str(single) if single in old else str(_default(new, single, "type", "INVALID"))
    else:
        kind = "?"
    if not number:
        return (kind,)
    if number in old:
        return (f"{number} * {kind}",)
    # TensorFlow takes the count as an int32: a greater default value wraps around.
    count = (_default(new, number, "int", 0) + _HALF) % (2 * _HALF) - _HALF
    return (kind,) * count if count <= _MANY else (f"{count} * {kind}",)


def _default(attrs: Mapping[str, Attr], name: object, kind: str, otherwise: Any) -> Any:
    """Return the default value of an attr if that is of a type, and something else if it is not."""
    attr = attrs.get(name)  # type: ignore[call-overload]
    if attr is None or attr.default_value in (None, UNKNOWN):
        return otherwise
    actual, value = values.actual_type(attr.default_value, attr.type)
    return value if actual == kind and isinstance(value, type(otherwise)) else otherwise
