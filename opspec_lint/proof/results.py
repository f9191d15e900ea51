"""Results of a model as text, as a prover's `run` returns them: whether those of two runs are the same."""

from __future__ import annotations

from opspec_lint.kit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 100


def differing(one: Mapping[str, str], two: Mapping[str, str]) -> str | None:
    """Return the name of the first result that is not the same in two runs, None where all in common are."""
    return next((name for name in one if name in two and not _is_near(one[name], two[name])), None)


def brief(result: str) -> str:
    """Return a result for a message."""
    return shorten(result, _LONGEST)


def _is_near(one: str, two: str) -> bool:
    """Tell whether the words of two results are the same, numbers but for rounding."""
    words = one.split(), two.split()
    return len(words[0]) == len(words[1]) and all(map(_is_near_word, *words))


def _is_near_word(one: str, two: str) -> bool:
    if one == two:
        return True
    try:
        return abs(float(one) - float(two)) <= 1e-5 + 1e-3 * abs(float(two))
    except ValueError:
        return False
