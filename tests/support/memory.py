"""How much memory a piece of work takes, whatever the process has taken before."""

from __future__ import annotations

import re
import resource
from contextlib import contextmanager, suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")


@contextmanager
def at_most(limit):
    """Make sure that the process never takes more memory than it has now and a number of bytes.

    Where the kernel does not forget the peak, it is that of the process since it began.
    """
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # from here on, the peak is that of the work
    before = _bytes("VmRSS") or 0
    yield
    peak = _bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert peak - before < limit


def _bytes(name):
    found = re.search(rf"^{name}:\s*(\d+) kB$", _STATUS.read_text(encoding="ascii"), re.M) if _STATUS.exists() else None
    return None if found is None else int(found[1]) * 1024
