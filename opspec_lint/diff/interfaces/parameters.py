"""Compares the parameters of two functions of Python: what of an old call they still bind."""

from __future__ import annotations

from opspec_lint.spec.interface import traces
from opspec_lint.spec.interface.traces import KEYWORD, POSITIONAL, VARARGS, VARKW, is_required
from opspec_lint.spec.interface.types import Tensor, Value
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.diff.interfaces.facts import DeclarationPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Input, Op


_WAYS = {KEYWORD: "by keyword", VARARGS: "as any number by position", VARKW: "as any number by keyword"}
"""How a call passes a parameter, in words."""


def find_renames(old: Op, new: Op) -> dict[str, str]:
    """Return the new names of parameters: what came at the place of what is gone, and is passed the same way."""
    before, after = {each.name for each in old.inputs}, {each.name for each in new.inputs}
    found = {}
    for one, other in zip(old.inputs, new.inputs, strict=False):
        is_other = one.name not in after and other.name not in before
        if is_other and one.get("passing") == other.get("passing"):
            found[one.name] = other.name
    return found


def compare(pair: DeclarationPair, names: Mapping[str, str]) -> Iterator[Fact]:
    """Yield every fact that tells the parameters of two functions apart.

    Args:
        pair: the two functions.
        names: the new names of those that were renamed.
    """
    after = {each.name: each for each in pair.new.inputs}
    for each in pair.old.inputs:
        now = after.get(names.get(each.name, each.name))
        if each.name in names and now is not None:
            yield from _renamed(pair, each, now)
        if now is None:
            yield pair.fact("parameter_removed", "input", each.name, _written(each), places=(each, None))
        else:
            yield from _same(pair, each, now)
    known = {names.get(each.name, each.name) for each in pair.old.inputs}
    for each in pair.new.inputs:
        if each.name not in known and is_required(each):
            yield pair.fact("parameter_added", "input", each.name, None, _written(each), places=(None, each))
        elif each.name not in known:
            written = _written(each)
            yield pair.fact(
                "parameter_added_optional", "input", each.name, None, written, callers=(), places=(None, each)
            )
    yield from _order(pair, names)


def _renamed(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    """Yield that a parameter was renamed; who calls `*args` by name is nobody."""
    if old.get("passing") not in (VARARGS, VARKW):
        yield pair.fact(
            "parameter_renamed", "input", old.name, old.name, new.name, new_name=new.name, places=(old, new)
        )


def _same(pair: DeclarationPair, old: Input, new: Input) -> Iterator[Fact]:
    at = (old, new)
    was, now = old.get("default"), new.get("default")
    if isinstance(was, str) and isinstance(now, str) and was != now:
        has_trace = any(_given(attr.name, now) for attr in pair.new.attrs)
        is_tensor = isinstance(traces.type_of_default(now), Tensor)
        then = "the result changes" if is_tensor else "another trace runs" if has_trace else "no trace fits"
        yield pair.fact("parameter_default_changed", "input", old.name, was, now, places=at, then=then)
    elif isinstance(was, str) and is_required(new):
        yield pair.fact("parameter_default_removed", "input", old.name, was, None, places=at)
    elif isinstance(now, str) and is_required(old):
        yield pair.fact("parameter_default_added", "input", old.name, None, now, callers=(), places=at)
    passed = old.get("passing"), new.get("passing")
    if passed == (POSITIONAL, KEYWORD):
        yield pair.fact("parameter_made_keyword", "input", old.name, places=at)
    elif passed == (KEYWORD, POSITIONAL):
        yield pair.fact("parameter_made_positional", "input", old.name, callers=(), places=at)
    elif passed[0] != passed[1] and UNKNOWN not in passed:
        ways = (_WAYS.get(each, "by position") for each in passed)
        yield pair.fact("parameter_passed_otherwise", "input", old.name, *ways, places=at)


def _given(arguments: str, value: str) -> bool:
    """Tell whether a trace is given a value, for any of its parameters."""
    positional, by_name = traces.parse_arguments(arguments)
    every = (*positional, *by_name.values())
    return any(isinstance(each, Tensor) or (isinstance(each, Value) and each.text == value) for each in every)


def _order(pair: DeclarationPair, names: Mapping[str, str]) -> Iterator[Fact]:
    """Yield that what is passed by position stands at another place; the new names are those of head."""
    before = [names.get(each.name, each.name) for each in pair.old.inputs if each.get("passing") is POSITIONAL]
    after = [each.name for each in pair.new.inputs if each.get("passing") is POSITIONAL]
    both = [name for name in before if name in after]
    if [after.index(name) for name in both] != [before.index(name) for name in both] and _moves(before, after):
        yield pair.fact("parameter_order_changed", "op", pair.old.name, ", ".join(before), ", ".join(after))


def _moves(before: list[str], after: list[str]) -> bool:
    """Tell whether parameters moved for another reason than that one before them is gone, which is said of that."""
    left = [name for name in before if name in after]
    return left != after[: len(left)]


def _written(parameter: Input) -> str:
    default = parameter.get("default")
    return f"{parameter.name}={default}" if isinstance(default, str) else parameter.name
