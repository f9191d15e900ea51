"""Says how far a long piece of work is: a bar on a terminal, and a line every so often elsewhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.kit.command_line import Options

_BAR_SECONDS = 0.2
_LINE_SECONDS = 30.0
_WIDTH = 24
_LONG = 100
"""Steps from which on work is announced."""


def shown(
    options: Options, unit: str, *, has_lines: bool = False, announces: bool = False
) -> Callable[[int, int, str], None]:
    """Return a function that is told how many are done, of how many, and a word about the last one.

    Args:
        options: those of the command.
        unit: what is counted, such as "revisions".
        has_lines: whether lines are written where there is no terminal.
        announces: whether long work is announced there, followed by such lines.
    """
    start = last = options.clock()
    first: int | None = None

    def show(done: int, total: int, word: str = "") -> None:
        nonlocal first, last
        now = options.clock()
        first = done if first is None else first
        if not done:
            if options.tell is None:
                options.progress(f"reading {total} {unit}")
            elif announces and total >= _LONG:
                options.tell(f"reading {total} {unit}; the next run continues from here")
        elif options.tell is None and done >= total:
            options.progress("")
        elif now - last >= (_BAR_SECONDS if options.tell is None else _LINE_SECONDS):
            last = now
            rate = (done - first) / max(now - start, 1e-9)
            left = f"{rate:.0f}/s, {duration((total - done) / rate)} left" if rate else ""
            said = ", ".join(each for each in (f"{done} of {total} {unit}", word, left) if each)
            if options.tell is None:
                options.progress(f"[{_bar(done, total)}] {said}")
            elif has_lines or announces:
                options.tell(said)

    return show


def _bar(done: int, total: int) -> str:
    filled = done * _WIDTH // total
    return "#" * filled + "." * (_WIDTH - filled)


def duration(seconds: float) -> str:
    """Return a time in minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
