"""The traces of a Python function in a saved model: the types of arguments of a call, and of its result."""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import FUNCTION, call_kind
from opspec_lint.spec.interface.types import CONSTANT_TENSOR, CompositeType, TypeParser, parse
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
    """A trace: the types of its arguments by the names of the parameters, and the type of its result.

    `text` is the declaration's text of the arguments. The arguments of `*args` are named `*0`, `*1` and so on.
    """

    text: str
    arguments: Mapping[str, Type]
    result: Type


def traces_of(op: Op) -> list[Trace]:
    """Return the traces of a function."""
    return [_trace(op, attr) for attr in op.attrs]


def _trace(op: Op, attr: Attr) -> Trace:
    """Return the trace that an attr declares; omitted arguments have their default values."""
    positional, by_name = parse_arguments(attr.name)
    # A concrete function takes keyword parameters by position as well.
    passed = (POSITIONAL,) if call_kind(op) == FUNCTION else (POSITIONAL, KEYWORD)
    names = [parameter.name for parameter in op.inputs if parameter.get("passing") in passed]
    arguments: dict[str, Type] = dict(zip(names, positional, strict=False))
    arguments |= {f"*{at}": type_ for at, type_ in enumerate(positional[len(names) :])}
    arguments |= by_name
    defaults = {
        parameter.name: default for parameter in op.inputs if isinstance(default := parameter.get("default"), str)
    }
    arguments |= {name: type_of_default(default) for name, default in defaults.items() if name not in arguments}
    return Trace(text=attr.name, arguments=arguments, result=parse(str(attr.type)))


def type_of_default(default: str) -> Type:
    """Return the type of the argument in a call that omits a parameter: a constant is passed as a tensor."""
    type_ = parse(default)
    if isinstance(type_, CompositeType) and type_.type_name == CONSTANT_TENSOR and type_.parts:
        return type_.parts[0]  # the tensor; its value follows
    return type_


# The functions of a model have the same few signatures over and over.
@lru_cache(maxsize=4096)
def parse_arguments(text: str) -> Arguments:
    """Return the arguments in a text such as `(float32[None], training=True)`: by position, and by name.

    Raises:
        TypeTextError: the text contains no arguments.
    """
    reader = TypeParser(text)
    arguments = read_arguments(reader)
    reader.end()
    return arguments


def read_arguments(reader: TypeParser) -> Arguments:
    """Read arguments in brackets, and return them: by position, and by name.

    Raises:
        TypeTextError: there are none.
    """
    reader.expect("(")
    positional: list[Type] = []
    by_name: dict[str, Type] = {}
    for _ in reader.items_until(")"):
        name = reader.field()
        if name:
            by_name[name] = reader.type()
        else:
            positional.append(reader.type())
    return tuple(positional), by_name


def format_arguments(positional: Iterator[Type] | tuple[Type, ...], by_name: Mapping[str, Type]) -> str:
    """Return the arguments of a trace as text: `(float32[None], training=True)`."""
    parts = [*map(str, positional), *(f"{name}={type_}" for name, type_ in by_name.items())]
    return f"({', '.join(parts)})"


def is_required(parameter: Input) -> bool:
    """Return whether a call must pass a parameter."""
    return parameter.get("passing") not in (VARARGS, VARKW) and parameter.get("default") in (None, UNKNOWN)
