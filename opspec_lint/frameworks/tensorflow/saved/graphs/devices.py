"""Check of the device name of a node, such as `/job:worker/device:GPU:0`, as a single process would resolve it."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_PART = pattern(
    r"/(?:job:(?P<job>[A-Za-z][A-Za-z0-9_]*|\*)|(?:replica|task):(?:\d+|\*)"
    r"|device:(?P<device>[A-Za-z_][A-Za-z0-9_]*|\*)(?::(?:\d+|\*))?|(?P<short>cpu|gpu|CPU|GPU):(?:\d+|\*))"
)
# A process without a cluster has the job `localhost` alone.
_HERE = frozenset((None, "*", "localhost"))


def may_be_cpu(device: str) -> bool:
    """Tell whether a device name lets a node run on the CPU: it names no other kind of device."""
    kinds = [part["device"] or part["short"] for part in _PART.finditer(device) if part["device"] or part["short"]]
    return not kinds or kinds[-1].upper() in ("*", "CPU")


def name_problem(device: str) -> str | None:
    """Return "malformed", "elsewhere" for a job of a cluster, or None for a name that any process takes."""
    at, job = 0, None  # several parts may name a job: the last one counts
    while at < len(device):
        part = _PART.match(device, at)
        if part is None:
            return "malformed"
        job = part["job"] or job
        at = part.end()
    return None if job in _HERE else "elsewhere"
