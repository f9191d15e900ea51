"""Progress of long work: a bar on a terminal, and a line from time to time elsewhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.kit.command_line import Options

_WIDTH = 24
"""Characters of a full bar."""
_LONG = 100
"""Number of steps from which on work is announced."""


def make_progress(
    options: Options, unit: str, *, verb: str = "reading", has_lines: bool = False, announces: bool = False
) -> Callable[[int, int, str], None]:
    """Return a progress callback: `(done, total, current_item)`.

    `unit` is the counted thing, such as "revisions", and `verb` the work on it. Without a terminal, `has_lines` prints
    lines, and `announces` prints one line at the beginning of long work, and then such lines.
    """
    work = f"{verb} {{}} {unit}"
    if options.tell is None:
        return _Bar(options, unit, work)
    return _Lines(options, unit, work, has_lines=has_lines or announces, announces=announces)


class _Progress:
    """The progress of one work, which is counted in `unit`: its speed, and when it was last shown.

    `work` is the announcement of the work, with `{}` for the number of units.
    """

    seconds: float
    """The least time between two messages."""

    def __init__(self, options: Options, unit: str, work: str) -> None:
        self._options, self._unit, self._work = options, unit, work
        self._start = self._last = options.clock()
        self._first: int | None = None

    def _status(self, done: int, total: int, current: str) -> str | None:
        """Return the state of the work as text, None if the last message is too recent."""
        now = self._options.clock()
        # Items that were done by an earlier run are no measure of the speed.
        self._first = done if self._first is None else self._first
        if not done or now - self._last < self.seconds:
            return None
        self._last = now
        rate = (done - self._first) / max(now - self._start, 1e-9)
        left = f"{rate:.0f}/s, {duration((total - done) / rate)} left" if rate else ""
        return ", ".join(part for part in (f"{done} of {total} {self._unit}", current, left) if part)


class _Bar(_Progress):
    """A bar in one line of a terminal, which disappears at the end."""

    seconds = 0.2

    def __call__(self, done: int, total: int, current: str = "") -> None:
        """Draw the bar."""
        status = self._status(done, total, current)
        if not done:
            self._options.progress(self._work.format(total))
        elif done >= total:
            self._options.progress("")
        elif status is not None:
            filled = done * _WIDTH // total
            self._options.progress(f"[{'#' * filled}{'.' * (_WIDTH - filled)}] {status}")


class _Lines(_Progress):
    """Lines for a log, which has no terminal."""

    seconds = 30.0

    def __init__(self, options: Options, unit: str, work: str, *, has_lines: bool, announces: bool) -> None:
        super().__init__(options, unit, work)
        self._has_lines, self._announces = has_lines, announces

    def __call__(self, done: int, total: int, current: str = "") -> None:
        """Print a line if it is time for one."""
        status = self._status(done, total, current)
        if not done and self._announces and total >= _LONG:
            self._options.tell(f"{self._work.format(total)}; the next run continues from here")
        elif status is not None and self._has_lines:
            self._options.tell(status)


def duration(seconds: float) -> str:
    """Return a duration as text in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
