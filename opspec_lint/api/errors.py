"""The public exceptions: `InputError` and `UsageError` of `kit.errors`, and the guard that raises no other error."""

from __future__ import annotations

from functools import wraps

from opspec_lint.api.arguments import check_types
from opspec_lint.kit.errors import InputError, OpspecError, UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from typing_extensions import ParamSpec

    _P = ParamSpec("_P")
    _R = TypeVar("_R")


def public_errors(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return a function that raises every expected error as one of the two public exceptions.

    The text of an error ends with the advice, and has a line for each further error in the same call. An argument of a
    wrong type is a TypeError, raised before anything is read.
    """

    @wraps(function)
    def guarded(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        check_types(function, args, kwargs)
        try:
            return function(*args, **kwargs)
        except (InputError, UsageError) as error:
            _complete_text(error)
            raise
        except OpspecError as error:
            public = InputError.of(error)
            _complete_text(public)
            raise public from error

    return guarded


def _complete_text(error: OpspecError) -> None:
    """Add the advice and the further errors to the text: Python shows only this of an error that nobody handles."""
    every = (error, *error.others)
    error.args = ("\n".join(f"{part.message}; {part.advice}" if part.advice else part.message for part in every),)
