"""Memory of a piece of work, without the memory that the process took before."""

from __future__ import annotations

import re
import resource
from contextlib import contextmanager, suppress
from pathlib import Path

_STATUS = Path("/proc/self/status")


@contextmanager
def at_most(limit):
    """Fail if the process takes more memory than it has now and a number of bytes.

    Where the kernel cannot reset the peak, the peak since the start of the process counts.
    """
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # from here on, the peak is that of the work
    before = _bytes("VmRSS") or 0
    yield
    peak = _bytes("VmHWM") or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    assert peak - before < limit


def _bytes(name):
    match = re.search(rf"^{name}:\s*(\d+) kB$", _STATUS.read_text(encoding="ascii"), re.M) if _STATUS.exists() else None
    return None if match is None else int(match[1]) * 1024
