"""Since when an argument is what it is, as a history knows it."""

from __future__ import annotations

from opspec_lint.editor.marks import plain
from opspec_lint.history import blame, store
from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.editor.messages import Subject


def since(subject: Subject, file: str) -> str:
    """Return since when a declaration is what it is, a line for each change of it; "" if that is not known.

    Args:
        subject: the declaration.
        file: the file of the history.
    """
    try:
        with store.opened(file) as history:
            blamed = blame.blame(history, subject.op, history.commit("HEAD"))
    except OpspecError:
        return ""
    own = [each for each in blamed if (each.section, each.argument) == (subject.section, subject.name)]
    return "\n".join(f"- {plain(line.strip())}" for line in blame.lines(own, subject.op))
