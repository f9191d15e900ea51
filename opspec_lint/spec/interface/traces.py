"""The traces of a function: what each call has to fit, by position and by name, and what it gives."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import FUNCTION, call_kind
from opspec_lint.spec.interface.types import CONSTANT_TENSOR, Composite, Reader, parse
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Attr, Input, Op

    Arguments: TypeAlias = "tuple[tuple[Type, ...], dict[str, Type]]"

POSITIONAL, KEYWORD, VARARGS, VARKW = None, "keyword", "varargs", "varkw"


class Trace(Record):
    """A trace: the types of its arguments by the names of the parameters, and that of its result.

    `text` is how the declaration writes the arguments. Those of `*args` are called `*0`, `*1` and so on.
    """

    text: str
    arguments: Mapping[str, Type]
    result: Type


def traces_of(op: Op) -> list[Trace]:
    """Return the traces of a function."""
    return [_trace(op, each) for each in op.attrs]


def _trace(op: Op, attr: Attr) -> Trace:
    """Return the trace of an attr; what it leaves out was given its default value."""
    positional, by_name = parse_arguments(attr.name)
    passed = (POSITIONAL,) if call_kind(op) == FUNCTION else (POSITIONAL, KEYWORD)
    names = [each.name for each in op.inputs if each.get("passing") in passed]
    found: dict[str, Type] = dict(zip(names, positional, strict=False))
    found |= {f"*{at}": each for at, each in enumerate(positional[len(names) :])}
    found |= by_name
    defaults = {each.name: default for each in op.inputs if isinstance(default := each.get("default"), str)}
    found |= {name: type_of_default(default) for name, default in defaults.items() if name not in found}
    return Trace(text=attr.name, arguments=found, result=parse(str(attr.type)))


def type_of_default(default: str) -> Type:
    """Return the type of what a call passes that omits a parameter with a default value: a constant is a tensor."""
    found = parse(default)
    return (
        found.parts[0] if isinstance(found, Composite) and found.type_name == CONSTANT_TENSOR and found.parts else found
    )


@lru_cache(maxsize=4096)
def parse_arguments(text: str) -> Arguments:
    """Return the arguments that a text in brackets stands for: those by position, and those by name.

    Raises:
        TypeTextError: the text stands for no arguments.
    """
    reader = Reader(text)
    found = read_arguments(reader)
    reader.end()
    return found


def read_arguments(reader: Reader) -> Arguments:
    """Read arguments in brackets, and return those by position and those by name.

    Raises:
        TypeTextError: there are none.
    """
    reader.expect("(")
    positional: list[Type] = []
    by_name: dict[str, Type] = {}
    for _ in reader.items(")"):
        name = reader.field()
        if name:
            by_name[name] = reader.type()
        else:
            positional.append(reader.type())
    return tuple(positional), by_name


def format_arguments(positional: Iterator[Type] | tuple[Type, ...], by_name: Mapping[str, Type]) -> str:
    """Return the text of the arguments of a trace."""
    parts = [*map(str, positional), *(f"{name}={each}" for name, each in by_name.items())]
    return f"({', '.join(parts)})"


def is_required(parameter: Input) -> bool:
    """Tell whether a call has to give a parameter."""
    return parameter.get("passing") not in (VARARGS, VARKW) and parameter.get("default") in (None, UNKNOWN)


def named_parameters(op: Op) -> list[Input]:
    """Return the parameters of a function but `*args` and `**kwargs`."""
    return [each for each in op.inputs if each.get("passing") not in (VARARGS, VARKW)]
