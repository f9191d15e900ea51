"""What PyTorch's two predicates say of an old and a new schema of an op, and why.

`isBackwardCompatibleWith` and `isForwardCompatibleWith` of FunctionSchema stop at the first reason; here every reason
is told, in their order. Arguments are compared by position; *out* arguments, which are keyword-only and written to, by
their distance from the first of them.
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
    """A reason why a predicate refuses a schema.

    `aspect` is what it is about. `old` and `new` are the arguments or returns that were compared, each None where the
    reason is about none of that side.
    """

    aspect: Aspect
    old: Argument | None = None
    new: Argument | None = None


def backward(old: Op, new: Op) -> Iterator[Refusal]:
    """Yield why a new schema does not accept every call of an old one."""
    yield from _structure(old, new)
    if len(new.inputs) < len(old.inputs):
        yield Refusal(aspect="fewer")
    for was, now in zip(old.outputs, new.outputs, strict=False):
        yield from _differences(was, now, narrow=now, wide=was)
    first, start = first_out(old), first_out(new)
    for before, after in zip(old.inputs[:first], new.inputs, strict=False):
        yield from _taken_back(before, after)
    for after in new.inputs[first:start]:
        if after.get("default") is None:
            yield Refusal(aspect="required", new=after)
    if len(old.inputs) - first > len(new.inputs) - start:
        yield Refusal(aspect="outs")
    for before, after in zip(old.inputs[first:], new.inputs[start:], strict=False):
        yield from _taken_back(before, after)


def forward(old: Op, new: Op) -> Iterator[Refusal]:
    """Yield why a call that was written for a new schema may not run on an old one."""
    yield from _structure(old, new)
    first, now = first_out(old), first_out(new)
    if len(old.inputs) - first != len(new.inputs) - now:
        yield Refusal(aspect="outs")
    for before, after in zip(old.inputs[:first], new.inputs[:now], strict=False):
        yield from _given_back(before, after)
    for after in new.inputs[first:now]:
        default = after.get("default")
        if default is None or str(default)[:1] == "[":
            yield Refusal(aspect="required" if default is None else "container", new=after)
    for before, after in zip(old.inputs[first:], new.inputs[now:], strict=False):
        yield from _given_back(before, after)


def first_out(op: Op) -> int:
    """Return the position of the first out argument, that behind the last argument where there is none."""
    places = (place for place, each in enumerate(op.inputs) if is_out(each))
    return next(places, len(op.inputs))


def is_out(argument: Input) -> bool:
    """Tell whether an argument is where an out variant writes its result."""
    return argument.get("keyword_only") is True and is_written(argument)


def is_written(argument: Argument) -> bool:
    """Tell whether an argument is written to."""
    alias = argument.get("alias")
    if not isinstance(alias, str):
        return False
    _, bracket, container = alias.rpartition("[]")
    return "!" in (alias if not bracket or not container else container)


def differ(old: Declared, new: Declared, field: str) -> bool:
    """Tell whether a field that both sides know differs."""
    was, now = old.get(field), new.get(field)
    return was != now and UNKNOWN not in (was, now)


def is_assignable(old: Argument, new: Argument) -> bool:
    """Tell whether every value of the type of one argument is one of the type of another."""
    return is_subtype(_compared(old), _compared(new))


def _structure(old: Op, new: Op) -> Iterator[Refusal]:
    if differ(old, new, "vararg") or differ(old, new, "varret"):
        yield Refusal(aspect="varargs")
    if len(old.outputs) != len(new.outputs):
        yield Refusal(aspect="returns")


def _taken_back(old: Input, new: Input) -> Iterator[Refusal]:
    """Yield why what an old call gives an argument is not taken by a new one."""
    yield from _differences(old, new, narrow=old, wide=new)
    if differ(old, new, "keyword_only") and new.get("keyword_only"):
        yield Refusal(aspect="keyword", old=old, new=new)
    if differ(old, new, "default") and old.get("default") is not None:
        yield Refusal(aspect="default", old=old, new=new)


def _given_back(old: Input, new: Input) -> Iterator[Refusal]:
    """Yield why what a new call gives an argument is not taken by an old one."""
    yield from _differences(old, new, narrow=new, wide=old)
    if differ(old, new, "keyword_only") and new.get("keyword_only"):
        yield Refusal(aspect="keyword", old=old, new=new)
    if differ(old, new, "default"):
        yield Refusal(aspect="default", old=old, new=new)


def _differences(old: Argument, new: Argument, *, narrow: Argument, wide: Argument) -> Iterator[Refusal]:
    """Yield in what two arguments or returns differ that have to be equal, and that one is no subtype of the other."""
    if _name(old) != _name(new):
        yield Refusal(aspect="name", old=old, new=new)
    if differ(old, new, "alias"):
        yield Refusal(aspect="alias", old=old, new=new)
    if differ(old, new, "type") and (_size(old) != _size(new) or not is_assignable(narrow, wide)):
        yield Refusal(aspect="type", old=old, new=new)


def _name(argument: Argument) -> str:
    """Return the name of an argument in its schema, which may have two of one name."""
    return argument.name.partition("#")[0]


def _size(argument: Argument) -> int | None:
    return size_of(type_of(str(argument.type)))


def _compared(argument: Argument) -> Type:
    return compared(type_of(str(argument.type)))
