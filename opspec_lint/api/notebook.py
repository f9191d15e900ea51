"""Results as tables of HTML, for notebooks. Everything that comes from a spec or a model is escaped."""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST = 100
"""Rows of a table: a notebook keeps what it shows."""


def table(caption: str, heads: Iterable[str], rows: Sequence[Iterable[str | None]]) -> str:
    """Return rows as a table of HTML: the first hundred."""
    more = f", the first {_MOST} of {len(rows)}" if len(rows) > _MOST else ""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[:_MOST])
    return (
        f"<table><caption>{escape(caption + more)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: Iterable[str | None]) -> str:
    from opspec_lint.kit.text import one_line

    return "".join(f"<td>{escape(one_line(text or ''))}</td>" for text in row)
