"""Shows how far a walk through revisions is, and the time that is left."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.kit.command_line import Options

_SECONDS = 0.2
"""Seconds between two words of progress."""
_WIDTH = 24


def shown(options: Options) -> Callable[[int, int, str], None]:
    """Return a function that is told how many revisions are done, of how many, and the date of the last."""
    start = options.clock()
    last = [start]

    def show(done: int, total: int, date: str) -> None:
        now = options.clock()
        if done == total:
            options.progress("")
        elif now - last[0] >= _SECONDS:
            last[0] = now
            left = (now - start) / done * (total - done)
            filled = done * _WIDTH // total
            bar = "#" * filled + "." * (_WIDTH - filled)
            options.progress(f"[{bar}] {done} of {total} revisions, {date}, {duration(left)} left")

    return show


def duration(seconds: float) -> str:
    """Return a time in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
