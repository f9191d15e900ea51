"""The history of a declaration, for its hover text."""

from __future__ import annotations

from opspec_lint.editor.marks import plain
from opspec_lint.history import blame, store
from opspec_lint.kit.errors import OpspecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.editor.messages import DeclaredPlace


def declaration_history(declaration: DeclaredPlace, file: str) -> str:
    """Return the commits that changed a declaration, one line each; "" if its history is not known.

    Args:
        declaration: the declaration.
        file: the file of the history.
    """
    try:
        with store.open_history(file) as history:
            blamed = blame.blame(history, declaration.op, history.commit("HEAD"))
    except OpspecError:
        return ""
    own = [row for row in blamed if (row.section, row.argument) == (declaration.section, declaration.name)]
    return "\n".join(f"- {plain(line.strip())}" for line in blame.blame_lines(own, declaration.op))
