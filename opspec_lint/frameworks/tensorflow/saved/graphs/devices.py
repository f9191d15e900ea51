"""The device that a node asks for: whether TensorFlow can parse its name, and whether a plain process has it."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

_PART = pattern(
    r"/(?:job:(?P<job>[A-Za-z][A-Za-z0-9_]*|\*)|(?:replica|task):(?:\d+|\*)"
    r"|device:(?P<device>[A-Za-z_][A-Za-z0-9_]*|\*)(?::(?:\d+|\*))?|(?:cpu|gpu|CPU|GPU):(?:\d+|\*))"
)
_HERE = frozenset((None, "*", "localhost"))


def problem(device: str) -> str | None:
    """Return the fault of the name of a device: "malformed", "elsewhere", or None for none."""
    at, job = 0, None
    while at < len(device):
        part = _PART.match(device, at)
        if part is None:
            return "malformed"
        job = part["job"] or job
        at = part.end()
    return None if job in _HERE else "elsewhere"
