"""Export of the tables of a history to files, such as CSV or Parquet."""

from __future__ import annotations

from opspec_lint.history.store import TABLES
from opspec_lint.kit import table_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.history.store import History

FORMATS = table_files.FORMATS


def export_tables(history: History, table_format: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of a file for each table, in one of `FORMATS`.

    Raises UsageError if the format needs pyarrow and it is not installed, InputError if the history is damaged.
    """
    for name in TABLES:
        columns, rows = history.table(name)
        yield f"{name}.{table_format}", table_files.table_content(table_format, columns, rows)
