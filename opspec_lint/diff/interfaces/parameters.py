"""Comparison of the parameters of two Python functions: whether old calls can still be bound."""

from __future__ import annotations

from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, is_required
from opspec_lint.spec.interface.types import TensorType, ValueType
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op


_PASSING_TEXTS = {KEYWORD: "by keyword", VARARGS: "as any number by position", VARKW: "as any number by keyword"}
"""The ways in which a call passes a parameter, as phrases."""


def find_renames(old: Op, new: Op) -> dict[str, str]:
    """Return the new names of renamed parameters: same position, same passing, and each name on one side only."""
    before, after = {parameter.name for parameter in old.inputs}, {parameter.name for parameter in new.inputs}
    renames = {}
    for old_parameter, new_parameter in zip(old.inputs, new.inputs, strict=False):
        is_replaced = old_parameter.name not in after and new_parameter.name not in before
        if is_replaced and old_parameter.get("passing") == new_parameter.get("passing"):
            renames[old_parameter.name] = new_parameter.name
    return renames


def compare(pair: DeclarationPair, names: Mapping[str, str]) -> Iterator[Fact]:
    """Yield every difference between the parameters of two functions.

    Args:
        pair: the two functions.
        names: the new names of renamed parameters.
    """
    after = {parameter.name: parameter for parameter in pair.new.inputs}
    for parameter in pair.old.inputs:
        partner = after.get(names.get(parameter.name, parameter.name))
        if parameter.name in names and partner is not None:
            yield from _renamed_fact(pair, parameter, partner)
        if partner is None:
            yield pair.fact(
                "parameter_removed", "input", parameter.name, _parameter_text(parameter), places=(parameter, None)
            )
        else:
            yield from _compare_parameter(pair, parameter, partner)
    known = {names.get(parameter.name, parameter.name) for parameter in pair.old.inputs}
    for parameter in pair.new.inputs:
        if parameter.name not in known and is_required(parameter):
            yield pair.fact(
                "parameter_added", "input", parameter.name, None, _parameter_text(parameter), places=(None, parameter)
            )
        elif parameter.name not in known:
            written = _parameter_text(parameter)
            yield pair.fact(
                "parameter_added_optional", "input", parameter.name, None, written, callers=(), places=(None, parameter)
            )
    yield from _compare_order(pair, names)


def _renamed_fact(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    """Yield that a parameter was renamed; no call names `*args` or `**kwargs`."""
    if old.get("passing") not in (VARARGS, VARKW):
        yield pair.fact(
            "parameter_renamed", "input", old.name, old.name, new.name, new_name=new.name, places=(old, new)
        )


def _compare_parameter(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    """Yield the differences between two declarations of a parameter: its default value, and how it is passed."""
    both = (old, new)
    old_default, new_default = old.get("default"), new.get("default")
    if isinstance(old_default, str) and isinstance(new_default, str) and old_default != new_default:
        then = "no trace fits"
        # A default value that is a tensor fits the same trace; any other selects a trace by its value.
        if isinstance(traces.type_of_default(new_default), TensorType):
            then = "the result changes"
        elif any(_is_passed(attr.name, new_default) for attr in pair.new.attrs):
            then = "another trace runs"
        yield pair.fact(
            "parameter_default_changed", "input", old.name, old_default, new_default, places=both, then=then
        )
    elif isinstance(old_default, str) and is_required(new):
        yield pair.fact("parameter_default_removed", "input", old.name, old_default, None, places=both)
    elif isinstance(new_default, str) and is_required(old):
        yield pair.fact("parameter_default_added", "input", old.name, None, new_default, callers=(), places=both)
    old_passing, new_passing = old.get("passing"), new.get("passing")
    if (old_passing, new_passing) == (POSITIONAL, KEYWORD):
        yield pair.fact("parameter_made_keyword", "input", old.name, places=both)
    elif (old_passing, new_passing) == (KEYWORD, POSITIONAL):
        yield pair.fact("parameter_made_positional", "input", old.name, callers=(), places=both)
    elif old_passing != new_passing and UNKNOWN not in (old_passing, new_passing):
        texts = (_PASSING_TEXTS.get(passing, "by position") for passing in (old_passing, new_passing))
        yield pair.fact("parameter_passed_otherwise", "input", old.name, *texts, places=both)


def _is_passed(arguments: str, value: str) -> bool:
    """Return whether a trace has a value, or any tensor, as one of its arguments."""
    positional, by_name = traces.parse_arguments(arguments)
    passed = (*positional, *by_name.values())
    return any(
        isinstance(type_, TensorType) or (isinstance(type_, ValueType) and type_.text == value) for type_ in passed
    )


def _compare_order(pair: DeclarationPair, names: Mapping[str, str]) -> Iterator[Fact]:
    """Yield that parameters passed by position moved; renamed parameters are compared under head's names."""
    before = [
        names.get(parameter.name, parameter.name)
        for parameter in pair.old.inputs
        if parameter.get("passing") is POSITIONAL
    ]
    after = [parameter.name for parameter in pair.new.inputs if parameter.get("passing") is POSITIONAL]
    common = [name for name in before if name in after]
    if [after.index(name) for name in common] != [before.index(name) for name in common] and _is_reordered(
        before, after
    ):
        yield pair.fact("parameter_order_changed", "op", pair.old.name, ", ".join(before), ", ".join(after))


def _is_reordered(before: list[str], after: list[str]) -> bool:
    """Return whether parameters moved for another reason than a removed one before them, which is a fact elsewhere."""
    kept = [name for name in before if name in after]
    return kept != after[: len(kept)]


def _parameter_text(parameter: Input) -> str:
    """Return a parameter as Python writes it: `x`, or `scale=3.0`."""
    default = parameter.get("default")
    return f"{parameter.name}={default}" if isinstance(default, str) else parameter.name
