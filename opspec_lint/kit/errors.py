"""The errors that a user can cause: their messages, and the exit codes of the program.

Exit codes are the same in every command and format: 0 clean, 1 findings at error level, 2 the command line or the
configuration is wrong, 3 an input could not be read, or the program itself failed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CLEAN = 0
FINDINGS = 1
USAGE = 2
FAILED = 3

_MOST_MISTAKES = 20
"""The number of mistakes of one file that are named at once."""


class OpspecError(Exception):
    """An expected error: one message, one piece of advice, no traceback.

    Args:
        message: the error, on one line, with the file and the place in it.
        advice: advice for the user, or "".
        others: further errors in the same input.
        file: the file or reference that is wrong, "" if the error concerns none.
        place: the place in the file, "" for the whole file.
    """

    exit_code = FAILED

    def __init__(
        self,
        message: str,
        *,
        advice: str = "",
        others: tuple[OpspecError, ...] = (),
        file: str = "",
        place: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.others = others
        self.file = file
        self.place = place

    def __reduce__(self) -> tuple[object, ...]:
        # By default, pickle calls the class with `args`, the message alone, which not every error takes. Workers of a
        # process pool send their errors so.
        return _restore, (type(self), self.args, self.__dict__)

    @property
    def line(self) -> str:
        """The message, with the advice in brackets."""
        return f"{self.message} ({self.advice})" if self.advice else self.message


class PluginError(OpspecError):
    """An error of an installed plug-in, which the message names."""


def _restore(kind: type[OpspecError], args: tuple[object, ...], state: dict[str, object]) -> OpspecError:
    """Return a copy of an error from the parts that `__reduce__` gave."""
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class Terminated(BaseException):
    """A signal, `number`, that asks this program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class UsageError(OpspecError):
    """An argument, the command line or the configuration is wrong.

    `message` is one line, `advice` what to do, `file` and `place` the wrong file and the place in it, or "".
    """

    exit_code = USAGE


class NothingToCheckError(UsageError):
    """A repository has no spec file, and no configuration that names one."""


def all_of(mistakes: Sequence[UsageError], file: str) -> UsageError:
    """Return one error that names the mistakes of a file: the first twenty, and how many more there are."""
    first, *others = mistakes[:_MOST_MISTAKES]
    if len(mistakes) > _MOST_MISTAKES:
        more = f"{file}: {len(mistakes) - _MOST_MISTAKES} more mistakes"
        others.append(UsageError(more, advice="fix the first ones first"))
    return UsageError(first.message, advice=first.advice, others=tuple(others), file=file, place=first.place)


class InputError(OpspecError):
    """An input could not be read.

    `message` is one line, `advice` what to do, `file` the input, `place` the place in it or "", and `problem` the
    message without the two.

    Args:
        file: the file, or the reference, that was read.
        message: the expectation, and the actual content.
        where: the place inside the file: a path such as `ops.matmul.inputs[0]`, or a line and column; "" for the whole
            file.
        advice: advice for the user, or "".
    """

    def __init__(self, file: str, message: str, *, where: str = "", advice: str = "") -> None:
        whole = f"{file}: {where}: {message}" if where else f"{file}: {message}"
        super().__init__(whole, advice=advice, file=file, place=where)
        self.where = where
        self.problem = message

    @classmethod
    def of(cls, error: OpspecError) -> InputError:
        """Return an error with the same message, file, place and advice."""
        same = cls(error.file, error.message, where=error.place, advice=error.advice)
        same.args = (error.message,)
        same.message, same.others = error.message, error.others
        return same


class RepositoryError(InputError):
    """A repository cannot be read: an object is missing or damaged, or git failed. No file in it is to blame."""


class NothingThereError(InputError):
    """An input was read and does not contain what was requested."""


def internal_error(error: Exception) -> OpspecError:
    """Return the error to show for an unexpected exception, with the place in our code that raised it."""
    frame = error.__traceback__
    while frame and frame.tb_next:
        frame = frame.tb_next
    place = f" at {frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}" if frame else ""
    return OpspecError(
        f"internal error: {type(error).__name__}: {error}{place}",
        advice="this is a bug in opspec-lint; please report it with the traceback that OPSPEC_LINT_TRACEBACK=1 shows",
    )


def unknown_name(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with the nearest known one as advice."""
    return UsageError(f"unknown {what} {name!r}", advice=nearest_advice(name, known))


_LONGEST_NAME = 1000
"""Longest name that is compared: comparing two names takes the product of their lengths."""


def nearest_advice(name: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" for the nearest of the known names, or a list of all names."""
    names = sorted(known)
    advice = similar_name_advice(name, names)
    if advice or not names:
        return advice
    shown = ", ".join(names[:40]) + (", ..." if len(names) > 40 else "")
    return f"expected one of: {shown}"


def similar_name_advice(name: str, known: Iterable[str]) -> str:
    """Return "did you mean ...?" for the nearest of the known names, "" if none is similar."""
    near = _nearest(name, sorted(known)) if len(name) <= _LONGEST_NAME else None
    return "" if near is None else f"did you mean {near!r}?"


def _nearest(name: str, names: Sequence[str]) -> str | None:
    """Return the most similar of some names, or None; swapped letters count as similar."""
    import difflib  # only paid for when something is wrong

    def likeness(known_name: str) -> float:
        # Sorted letters make swapped ones, as in `Cov2D`, cost nothing.
        as_sets = difflib.SequenceMatcher(None, sorted(name), sorted(known_name)).ratio()
        return difflib.SequenceMatcher(None, name, known_name).ratio() + as_sets

    near = difflib.get_close_matches(name, names, n=10, cutoff=0.5)
    return max(near, key=likeness, default=None)
