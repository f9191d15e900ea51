"""What an interrupt (SIGINT) does: until a program is imported it ends the process, and then it is an exception.

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


def _end(_number: int, _frame: object) -> None:
    os._exit(INTERRUPTED)
