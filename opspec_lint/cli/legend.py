"""The legend of a text report, shown once to each user: at the end of the first report on a terminal."""

from __future__ import annotations

import os

from opspec_lint.sources.cache import folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Options
    from opspec_lint.kit.terminal import Terminal

_MARK = "legend-was-shown"


def terminal(options: Options) -> Terminal:
    """Return the terminal of a command, with a legend if the user has not seen it; an empty file records that.

    There is no legend if that file cannot be created, or with `--no-legend`.
    """
    user_terminal: Terminal = options.terminal
    folder = folder_of(options.environment)
    if user_terminal.width is None or options.no_legend or folder is None:
        return user_terminal
    try:
        os.makedirs(folder, exist_ok=True)
        # Mode "x" fails if the file exists: of two commands at the same time, one shows the legend.
        with open(os.path.join(folder, _MARK), "x", encoding="utf-8"):
            return user_terminal.replace(has_legend=True)
    except OSError:
        return user_terminal
