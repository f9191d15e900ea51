"""Declarations as Python writes them: `serving_default(x: float32[None, 4]) -> {"y": float32[None, 1]}`."""

from __future__ import annotations

from opspec_lint.kit.text import plural
from opspec_lint.spec.interface.declarations import is_function
from opspec_lint.spec.interface.traces import KEYWORD, VARARGS, VARKW, traces_of
from opspec_lint.spec.interface.types import GroupType, ValueType, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.interface.traces import Trace
    from opspec_lint.spec.interface.types import Type
    from opspec_lint.spec.model import Input, Op

FUNCTION_SUFFIX = "()"
"""The suffix of the names of functions, which distinguishes them from the keys of signatures."""
_STARS = {VARARGS: "*", VARKW: "**"}


def show_declaration(op: Op, trace: Trace | None = None) -> str:
    """Return a declaration as text; for a function, with `trace`, or the first trace and the number of others."""
    name = op.name.removesuffix(FUNCTION_SUFFIX)
    if not is_function(op):
        takes = ", ".join(f"{parameter.name}: {type_with_default(parameter)}" for parameter in op.inputs)
        return f"{name}({takes}) -> {result_group(op)}"
    all_traces = traces_of(op)
    if trace is None and not all_traces:
        return f"{name}({', '.join(_parameters(op, {}))}): no trace"
    rendered_trace = all_traces[0] if trace is None else trace
    more = f", and {plural(len(all_traces) - 1, 'more trace')}" if trace is None and len(all_traces) > 1 else ""
    return f"{name}({', '.join(_parameters(op, rendered_trace.arguments))}) -> {rendered_trace.result}{more}"


def type_with_default(parameter: Input) -> str:
    """Return the type of an input of a signature, with its default value if it has one."""
    default = parameter.get("default")
    return f"{parameter.type} = {default}" if isinstance(default, str) else str(parameter.type)


def result_group(op: Op) -> GroupType:
    """Return the results of a signature or graph as a dict type."""
    return GroupType(kind="dict", items=tuple((output.name, parse(str(output.type))) for output in op.outputs))


def _parameters(op: Op, argument_types: Mapping[str, Type]) -> Iterator[str]:
    """Yield the parameters of a function with the types of a trace's arguments."""
    has_star = False
    for parameter in op.inputs:
        passing = parameter.get("passing")
        # The first keyword-only parameter needs a `*` before it, unless `*args` is there.
        if passing == KEYWORD and not has_star:
            has_star = True
            yield "*"
        has_star = has_star or passing == VARARGS
        yield _STARS.get(passing, "") + _parameter(parameter, argument_types.get(parameter.name))
    known = {parameter.name for parameter in op.inputs}
    # The arguments of `*args` and `**kwargs` belong to no single parameter.
    yield from (f"{name}: {type_}" for name, type_ in argument_types.items() if name not in known)


def _parameter(parameter: Input, argument_type: Type | None) -> str:
    """Return a parameter as text: `x: float32[None]`, `training: bool = False`."""
    default = parameter.get("default")
    default_text = f" = {default}" if isinstance(default, str) else ""
    if argument_type is None:
        return f"{parameter.name}{default_text}"
    if isinstance(argument_type, ValueType):
        if argument_type.text != default:
            kind = f"Literal[{argument_type}]"
        else:
            kind = "None" if argument_type.value is None else type(argument_type.value).__name__
        return f"{parameter.name}: {kind}{default_text}"
    return f"{parameter.name}: {argument_type}{default_text}"
