"""The comparison of results of two runs of a model; results are text, as `run` of a prover returns them."""

from __future__ import annotations

from opspec_lint.kit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_LONGEST = 100


def first_difference(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    """Return the name of the first result that differs between two runs; None if all common results are equal."""
    return next((name for name in before if name in after and not _is_near(before[name], after[name])), None)


def brief(result: str) -> str:
    """Return a result, shortened for a message."""
    return shorten(result, _LONGEST)


def _is_near(before: str, after: str) -> bool:
    """Return whether two results have the same tokens, numbers up to rounding."""
    old_tokens, new_tokens = before.split(), after.split()
    return len(old_tokens) == len(new_tokens) and all(map(_is_near_token, old_tokens, new_tokens))


def _is_near_token(before: str, after: str) -> bool:
    """Return whether two tokens are equal, numbers up to rounding."""
    # Kernels of two releases may sum in another order: the tolerance is for float32.
    if before == after:
        return True
    try:
        return abs(float(before) - float(after)) <= 1e-5 + 1e-3 * abs(float(after))
    except ValueError:
        return False
