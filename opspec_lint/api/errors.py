"""The public exceptions: `InputError` and `UsageError` of `kit.errors`, and the guard that raises no other error."""

from __future__ import annotations

from functools import wraps

from opspec_lint.kit.errors import InputError, OpspecError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")
    _R = TypeVar("_R")


def public_errors(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function that raises every expected error as one of the two public exceptions."""

    @wraps(function)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        try:
            return function(*args, **kwargs)
        except (InputError, UsageError):
            raise
        except OpspecError as error:
            raise InputError.of(error) from error

    return guarded
