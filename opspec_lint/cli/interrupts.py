"""Signal handling at start: an interrupt (SIGINT) ends the process during imports, and is an exception afterwards.

An interrupt that the parent process ignores stays ignored, as with `nohup` or for a background job. Only modules that
Python has loaded already are imported here, since an interrupt during an import would print a traceback.
"""

import _signal  # type: ignore[import-not-found]  # what the module `signal` is made of
import os

INTERRUPTED = 130


def end_the_process() -> None:
    """Let an interrupt end the process at once, unless it is ignored."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, _end)


def raise_an_exception() -> None:
    """Let an interrupt raise KeyboardInterrupt again, so that a program can clean up."""
    if _signal.getsignal(_signal.SIGINT) is _end:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def keep_exit_codes() -> None:
    """Restore SIGCHLD: if ignored, exit codes of children are lost, and a failed git would count as success."""
    if hasattr(_signal, "SIGCHLD") and _signal.getsignal(_signal.SIGCHLD) == _signal.SIG_IGN:
        _signal.signal(_signal.SIGCHLD, _signal.SIG_DFL)


def _end(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)
