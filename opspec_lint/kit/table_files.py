"""Writers of tables as csv or parquet."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.text import one_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

FORMATS = ("csv", "parquet")


def table_content(form: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], *, is_shown: bool = False) -> bytes:
    """Return the content of the file of a table.

    Args:
        form: one of `FORMATS`.
        columns: the names of its columns.
        rows: its rows.
        is_shown: the content goes to standard output. In csv, control characters are escaped then: file names and
            names in models come from others, and a terminal would execute them.

    Raises:
        UsageError: pyarrow is not installed, and the format needs it.
    """
    if form == "csv":
        return _csv(columns, (map(_printable, row) for row in rows) if is_shown else rows)
    return _parquet(columns, rows)


def _printable(value: object) -> object:
    return one_line(value) if isinstance(value, str) else value


def _csv(columns: Sequence[str], rows: Iterable[Iterable[Any]]) -> bytes:
    """Return rows as CSV, with a header."""
    import csv
    import io

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _parquet(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return rows as a file of Parquet. Raises UsageError if pyarrow is not installed."""
    import io

    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        advice = "pip install 'opspec-lint[parquet]', or export to csv"
        raise UsageError("writing parquet needs pyarrow, which is not installed", advice=advice) from None

    values = list(zip(*rows, strict=True)) or [()] * len(columns)
    data = io.BytesIO()
    parquet.write_table(pa.table(dict(zip(columns, map(list, values), strict=True))), data)
    return data.getvalue()
