"""Whether a schema takes the call of a saved program, as far as the program says what it gives."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.spec.model import Input, Op


def missing(op: Op, given: Iterable[str]) -> list[Input]:
    """Return the required arguments of an op that a call does not give."""
    names = set(given)
    return [each for each in op.inputs if each.get("default") is None and each.name not in names]


def refusal(op: Op, positional: int, keywords: Sequence[str]) -> str | None:
    """Return why a schema does not take a call, None where it may.

    Args:
        op: the schema.
        positional: how many arguments are given by position.
        keywords: the names of the others.
    """
    if op.get("vararg"):
        return None
    places = [each for each in op.inputs if not each.get("keyword_only")]
    if positional > len(places):
        return f"it takes {len(places)} arguments by position, and the call gives {positional}"
    names = {each.name for each in op.inputs}
    unknown = [each for each in keywords if each not in names]
    if unknown:
        return f"it has no argument '{unknown[0]}'"
    taken = [each.name for each in places[:positional]]
    twice = [each for each in keywords if each in taken]
    if twice:
        return f"'{twice[0]}' is given twice"
    lacks = missing(op, [*taken, *keywords])
    return f"it requires '{lacks[0].name}', which the call does not give" if lacks else None
