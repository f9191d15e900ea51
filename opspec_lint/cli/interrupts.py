"""Signals of a program: an interrupt (SIGINT) ends the process until it is imported, and then is an exception.

An interrupt that whoever started the program ignores stays so, as with `nohup` or a job in the background.
Only what Python has in memory is imported here, since an interrupt during an import would be a traceback.
"""

import _signal  # type: ignore[import-not-found]  # what the module `signal` is made of
import os

INTERRUPTED = 130


def end_the_process() -> None:
    """Have an interrupt end the process, unless it is ignored."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _end)


def raise_an_exception() -> None:
    """Have an interrupt raise KeyboardInterrupt again, which lets a program clean up."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def keep_exit_codes() -> None:
    """Have the exit codes of children: where SIGCHLD is ignored, a git that fails would count as one that succeeded."""
    if hasattr(_signal, "SIGCHLD") and _signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)


def _end(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)
