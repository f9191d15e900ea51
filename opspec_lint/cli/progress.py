"""Progress of long work: a bar on a terminal, and a line from time to time elsewhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.kit.command_line import Options

_BAR_SECONDS = 0.2
_LINE_SECONDS = 30.0
_WIDTH = 24
_LONG = 100
"""Number of steps from which on work is announced."""


def make_progress(
    options: Options, unit: str, *, verb: str = "reading", has_lines: bool = False, announces: bool = False
) -> Callable[[int, int, str], None]:
    """Return a progress callback: `(done, total, current_item)`.

    `unit` is the counted thing, such as "revisions", and `verb` the work on it. Without a terminal, `has_lines` prints
    lines, and `announces` prints one line at the beginning of long work, and then such lines.
    """
    start = last = options.clock()
    first: int | None = None

    def show(done: int, total: int, current: str = "") -> None:
        nonlocal first, last
        now = options.clock()
        first = done if first is None else first
        if not done:
            if options.tell is None:
                options.progress(f"{verb} {total} {unit}")
            elif announces and total >= _LONG:
                options.tell(f"{verb} {total} {unit}; the next run continues from here")
        elif options.tell is None and done >= total:
            options.progress("")
        elif now - last >= (_BAR_SECONDS if options.tell is None else _LINE_SECONDS):
            last = now
            # Items that were done by an earlier run are no measure of the speed.
            rate = (done - first) / max(now - start, 1e-9)
            left = f"{rate:.0f}/s, {duration((total - done) / rate)} left" if rate else ""
            status = ", ".join(part for part in (f"{done} of {total} {unit}", current, left) if part)
            if options.tell is None:
                options.progress(f"[{_bar(done, total)}] {status}")
            elif has_lines or announces:
                options.tell(status)

    return show


def _bar(done: int, total: int) -> str:
    filled = done * _WIDTH // total
    return "#" * filled + "." * (_WIDTH - filled)


def duration(seconds: float) -> str:
    """Return a duration as text in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
