"""Writes the tables of a history in a format that others read."""

from __future__ import annotations

from opspec_lint.history.store import TABLES
from opspec_lint.kit.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from opspec_lint.history.store import History

FORMATS = ("csv", "parquet")


def exported(history: History, form: str) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of a file for each table.

    Args:
        history: the history.
        form: one of `FORMATS`.

    Raises:
        UsageError: pyarrow is not installed, and the format needs it.
        InputError: the history is damaged.
    """
    write = _csv if form == "csv" else _parquet
    for name in TABLES:
        columns, rows = history.table(name)
        yield f"{name}.{form}", write(columns, rows)


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
