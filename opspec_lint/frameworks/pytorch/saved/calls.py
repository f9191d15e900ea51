"""The match of a call in a saved program against a schema, by the number and names of the arguments."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.spec.model import Input, Op


def missing_arguments(op: Op, given: Iterable[str]) -> list[Input]:
    """Return the required arguments of an op that a call with the named arguments omits."""
    names = set(given)
    return [argument for argument in op.inputs if argument.get("default") is None and argument.name not in names]


def why_refused(op: Op, positional: int, keywords: Sequence[str]) -> str | None:
    """Return the reason for which a schema does not take a call, None if it may take it.

    `positional` is the number of arguments given by position, `keywords` are the names of the others.
    """
    if op.get("vararg"):
        return None
    places = [argument for argument in op.inputs if not argument.get("keyword_only")]
    if positional > len(places):
        return f"it takes {len(places)} arguments by position, and the call gives {positional}"
    names = {argument.name for argument in op.inputs}
    unknown = [name for name in keywords if name not in names]
    if unknown:
        return f"it has no argument '{unknown[0]}'"
    taken = [argument.name for argument in places[:positional]]
    twice = [name for name in keywords if name in taken]
    if twice:
        return f"'{twice[0]}' is given twice"
    lacks = missing_arguments(op, [*taken, *keywords])
    return f"it requires '{lacks[0].name}', which the call does not give" if lacks else None
