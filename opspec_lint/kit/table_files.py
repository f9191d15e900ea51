"""Files of tables in csv or parquet."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

FORMATS = ("csv", "parquet")


def table_content(form: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """Return the content of the file of a table.

    Args:
        form: one of `FORMATS`.
        columns: the names of its columns.
        rows: its rows.

    Raises:
        UsageError: pyarrow is not installed, and the format needs it.
    """
    return (_csv if form == "csv" else _parquet)(columns, rows)


def _csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    import csv
    import io

    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8", "surrogateescape")


def _parquet(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
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
