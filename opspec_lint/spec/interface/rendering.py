"""A declaration in the words of Python: `serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]}`."""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec.interface.declarations import is_function
from opspec_lint.spec.interface.traces import KEYWORD, VARARGS, VARKW, traces_of
from opspec_lint.spec.interface.types import Group, Value, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Input, Op

FUNCTION_SUFFIX = "()"
"""What the name of a function ends with, so that it is no key of a signature."""
_STARS = {VARARGS: "*", VARKW: "**"}


def show_declaration(op: Op, trace: Trace | None = None) -> str:
    """Return a declaration in the words of Python; of a function one of its traces, the first unless one is named."""
    name = op.name.removesuffix(FUNCTION_SUFFIX)
    if not is_function(op):
        takes = ", ".join(f"{each.name}: {type_with_default(each)}" for each in op.inputs)
        return f"{name}({takes}) -> {result_group(op)}"
    every = traces_of(op)
    if trace is None and not every:
        return f"{name}({', '.join(_parameters(op, {}))}): no trace"
    shown = every[0] if trace is None else trace
    more = f", and {plural(len(every) - 1, 'more trace')}" if trace is None and len(every) > 1 else ""
    return f"{name}({', '.join(_parameters(op, shown.arguments))}) -> {shown.result}{more}"


def type_with_default(parameter: Input) -> str:
    """Return the type of an input of a signature, with its default value if it has one."""
    default = parameter.get("default")
    return f"{parameter.type} = {default}" if isinstance(default, str) else str(parameter.type)


def result_group(op: Op) -> Group:
    """Return the results of a signature or graph, as a dict."""
    return Group(kind="dict", items=tuple((each.name, parse(str(each.type))) for each in op.outputs))


def _parameters(op: Op, given: Mapping[str, Type]) -> Iterator[str]:
    """Yield the parameters of a function, with what a trace is given for each."""
    has_star = False
    for each in op.inputs:
        passing = each.get("passing")
        if passing == KEYWORD and not has_star:
            has_star = True
            yield "*"
        has_star = has_star or passing == VARARGS
        yield _STARS.get(passing, "") + _parameter(each, given.get(each.name))
    known = {each.name for each in op.inputs}
    yield from (f"{name}: {each}" for name, each in given.items() if name not in known)


def _parameter(parameter: Input, given: Type | None) -> str:
    default = parameter.get("default")
    behind = f" = {default}" if isinstance(default, str) else ""
    if given is None:
        return f"{parameter.name}{behind}"
    if isinstance(given, Value):
        kind = "None" if given.value is None else type(given.value).__name__
        return f"{parameter.name}: {kind if given.text == default else f'Literal[{given}]'}{behind}"
    return f"{parameter.name}: {given}{behind}"
