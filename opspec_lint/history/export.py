"""Writes the tables of a history in a format that others read."""

from __future__ import annotations

from opspec_lint.history.store import TABLES
from opspec_lint.kit import table_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.history.store import History

FORMATS = table_files.FORMATS


def exported(history: History, form: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of a file for each table.

    Args:
        history: the history.
        form: one of `FORMATS`.

    Raises:
        UsageError: pyarrow is not installed, and the format needs it.
        InputError: the history is damaged.
    """
    for name in TABLES:
        columns, rows = history.table(name)
        yield f"{name}.{form}", table_files.table_content(form, columns, rows)
