"""PyTorch's two compatibility predicates on an old and a new schema of an op, with the reasons of a refusal.

`isBackwardCompatibleWith` and `isForwardCompatibleWith` (aten/src/ATen/core/function_schema.cpp) return false at the
first reason; the functions here yield every reason, in the same order. Arguments are compared by position, and *out*
arguments, which are keyword-only and written to, by their distance from the first out argument.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.schemas.text import type_of
from opspec_lint.frameworks.pytorch.schemas.types import compared, is_subtype, size_of
from opspec_lint.kit.record import Record
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from opspec_lint.frameworks.pytorch.schemas.types import Type
    from opspec_lint.spec.model import Argument, Declared, Input, Op

    Aspect: TypeAlias = Literal[
        "varargs", "returns", "fewer", "outs", "name", "type", "alias", "default", "keyword", "required", "container"
    ]


class Refusal(Record):
    """A reason for which a predicate refuses a schema.

    `aspect` names the property that differs. `old` and `new` are the compared arguments or returns, None for a reason
    that concerns the whole schema or an argument that the side lacks.
    """

    aspect: Aspect
    old: Argument | None = None
    new: Argument | None = None


def backward(old: Op, new: Op) -> Iterator[Refusal]:
    """Yield the reasons for which a new schema does not accept every call of the old one."""
    yield from _arity_refusals(old, new)
    if len(new.inputs) < len(old.inputs):
        yield Refusal(aspect="fewer")
    for was, now in zip(old.outputs, new.outputs, strict=False):
        # Old and new change places: callers expect the old type, and get the new one.
        yield from _common_refusals(was, now, narrow=now, wide=was)
    first, start = first_out(old), first_out(new)
    # Against all new arguments: function_schema.cpp compares by position, also with what is an out argument now.
    for before, after in zip(old.inputs[:first], new.inputs, strict=False):
        yield from _backward_refusals(before, after)
    for after in new.inputs[first:start]:
        if after.get("default") is None:
            yield Refusal(aspect="required", new=after)
    # More out arguments than before are accepted: function_schema.cpp does not look at those behind the old ones.
    if len(old.inputs) - first > len(new.inputs) - start:
        yield Refusal(aspect="outs")
    for before, after in zip(old.inputs[first:], new.inputs[start:], strict=False):
        yield from _backward_refusals(before, after)


def forward(old: Op, new: Op) -> Iterator[Refusal]:
    """Yield the reasons for which a call written for the new schema may not run on the old one."""
    yield from _arity_refusals(old, new)
    first, now = first_out(old), first_out(new)
    if len(old.inputs) - first != len(new.inputs) - now:
        yield Refusal(aspect="outs")
    for before, after in zip(old.inputs[:first], new.inputs[:now], strict=False):
        yield from _forward_refusals(before, after)
    for after in new.inputs[first:now]:
        # The forward predicate refuses a new argument whose default value is a container.
        default = after.get("default")
        if default is None or str(default)[:1] == "[":
            yield Refusal(aspect="required" if default is None else "container", new=after)
    for before, after in zip(old.inputs[first:], new.inputs[now:], strict=False):
        yield from _forward_refusals(before, after)


def first_out(op: Op) -> int:
    """Return the position of the first out argument, the number of arguments if there is none."""
    places = (place for place, argument in enumerate(op.inputs) if is_out(argument))
    return next(places, len(op.inputs))


def is_out(argument: Input) -> bool:
    """Return whether an out variant of an op writes its result to the argument."""
    return argument.get("keyword_only") is True and is_written(argument)


def is_written(argument: Argument) -> bool:
    """Return whether the op writes to the argument."""
    alias = argument.get("alias")
    if not isinstance(alias, str):
        return False
    # Of a list, `(a!)[](b!)`, the annotation behind the brackets decides, if there is one.
    _, bracket, container = alias.rpartition("[]")
    return "!" in (alias if not bracket or not container else container)


def is_changed(old: Declared, new: Declared, field: str) -> bool:
    """Return whether a field differs; one that a side does not know does not."""
    was, now = old.get(field), new.get(field)
    return was != now and UNKNOWN not in (was, now)


def is_assignable(old: Argument, new: Argument) -> bool:
    """Return whether the new argument accepts every value of the type of the old one."""
    return is_subtype(_compared_type(old), _compared_type(new))


def _arity_refusals(old: Op, new: Op) -> Iterator[Refusal]:
    """Yield the reasons that concern the whole schema: another number of returns, or of `...`."""
    if is_changed(old, new, "vararg") or is_changed(old, new, "varret"):
        yield Refusal(aspect="varargs")
    if len(old.outputs) != len(new.outputs):
        yield Refusal(aspect="returns")


def _backward_refusals(old: Input, new: Input) -> Iterator[Refusal]:
    """Yield the reasons for which an argument does not accept the values of old calls."""
    yield from _common_refusals(old, new, narrow=old, wide=new)
    if is_changed(old, new, "keyword_only") and new.get("keyword_only"):
        yield Refusal(aspect="keyword", old=old, new=new)
    # A default that is added breaks no old call, since each of them gives the argument.
    if is_changed(old, new, "default") and old.get("default") is not None:
        yield Refusal(aspect="default", old=old, new=new)


def _forward_refusals(old: Input, new: Input) -> Iterator[Refusal]:
    """Yield the reasons for which an argument of the old schema does not accept the values of new calls."""
    yield from _common_refusals(old, new, narrow=new, wide=old)
    if is_changed(old, new, "keyword_only") and new.get("keyword_only"):
        yield Refusal(aspect="keyword", old=old, new=new)
    if is_changed(old, new, "default"):
        yield Refusal(aspect="default", old=old, new=new)


def _common_refusals(old: Argument, new: Argument, *, narrow: Argument, wide: Argument) -> Iterator[Refusal]:
    """Yield differences that both predicates refuse: of name, of alias, and a type `narrow` that is none of `wide`."""
    if _schema_name(old) != _schema_name(new):
        yield Refusal(aspect="name", old=old, new=new)
    if is_changed(old, new, "alias"):
        yield Refusal(aspect="alias", old=old, new=new)
    # The 2 of `int[2]` belongs to the argument and not to its type, and has to be equal in itself.
    if is_changed(old, new, "type") and (_list_size(old) != _list_size(new) or not is_assignable(narrow, wide)):
        yield Refusal(aspect="type", old=old, new=new)


def _schema_name(argument: Argument) -> str:
    """Return the name of an argument as the schema writes it: of `x#1`, the second `x`, it is `x`."""
    return argument.name.partition("#")[0]


def _list_size(argument: Argument) -> int | None:
    """Return the size of a sized list such as `int[2]`, None for any other type."""
    return size_of(type_of(str(argument.type)))


def _compared_type(argument: Argument) -> Type:
    """Return the type of an argument as it is compared: an enum counts as `int`."""
    return compared(type_of(str(argument.type)))
