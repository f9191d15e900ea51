"""The macros of Paddle and glog that only check or log: PADDLE_ENFORCE, VLOG and their like."""

from __future__ import annotations

import operator

from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.tokens import split_arguments
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import truth
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables

_CHECKS = (
    "PADDLE_ENFORCE", "PADDLE_THROW", "PADDLE_WARN", "VLOG", "LOG", "DLOG", "CHECK", "DCHECK", "assert",
)  # fmt: skip
"""The macros that check a condition or log a message; they leave the function by an exception only."""
_LOGS = ("PADDLE_WARN", "VLOG", "LOG", "DLOG")
"""The macros among these that check nothing."""
_SIGNS = {
    "EQ": operator.eq, "NE": operator.ne, "GT": operator.gt, "GE": operator.ge, "LT": operator.lt, "LE": operator.le,
}  # fmt: skip
_COMPARED = pattern(rf"\w+_({'|'.join(_SIGNS)})")
_DEBUGGED = pattern(r"DCHECK|assert")


def is_check(name: str) -> bool:
    """Return whether a macro only checks a condition or logs."""
    return name in _CHECKS or name.startswith(("PADDLE_ENFORCE_", "CHECK_", "DCHECK_", "LOG_", "VLOG_"))


def may_leave(name: str, first: str) -> bool:
    """Return whether a macro may leave the function, by its name and the first token of its arguments."""
    if name in _LOGS or name.startswith(("LOG_", "VLOG_")):
        return first == "FATAL"
    return is_check(name) and _DEBUGGED.match(name) is None


def require_check_to_pass(tokens: Tokens, at: int, here: Variables) -> None:
    """Raise UnresolvedError unless the function surely goes on behind the check or message at an index."""
    # The tokens are `NAME ( arguments )`.
    name = tokens[at][1]
    closed = tokens.closing(at + 1)
    arguments = split_arguments(tokens, at + 2, closed)
    written = text_of(tokens, at, closed + 1)
    if name == "PADDLE_THROW" or (name in _LOGS and text_of(tokens, at + 2, closed) == "FATAL"):
        raise UnresolvedError(f"`{written}` throws, or ends the process")
    if name in _LOGS or name.startswith(("LOG_", "VLOG_")):
        return
    compared = _COMPARED.fullmatch(name)
    count = 1 if compared is None else 2
    try:
        values = [evaluate(tokens, *span, here) for span in arguments[:count]]
        is_met = truth(values[0]) if compared is None else _SIGNS[compared[1]](*values)
    except UnresolvedError as error:
        # Released builds compile no such check, which a build for debugging may.
        if _DEBUGGED.match(name):
            return
        raise UnresolvedError(f"`{written}` is not evaluated: {error.reason}") from None
    if not is_met:
        raise UnresolvedError(f"`{written}` throws, or ends the process")
