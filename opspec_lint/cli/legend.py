"""The legend of a text report: shown at the end of the first report that a user reads on a terminal."""

from __future__ import annotations

import os

from opspec_lint.sources.cache import folder_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.kit.command_line import Options
    from opspec_lint.kit.terminal import Terminal

_MARK = "legend-was-shown"


def terminal(options: Options) -> Terminal:
    """Return the terminal of a command, with a legend if its user has not seen one; an empty file says so then.

    Without a folder for that file, or with `--no-legend`, there is none.
    """
    found: Terminal = options.terminal
    folder = folder_of(options.environment)
    if found.width is None or options.no_legend or folder is None:
        return found
    try:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, _MARK), "x", encoding="utf-8"):
            return found.replace(has_legend=True)
    except OSError:
        return found
