"""The report of a verification, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter

from opspec_lint.kit.text import columns, one_line, plural, shorten, wrap
from opspec_lint.proof.verify import AGREEMENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.proof.verify import Agreement, VerifiedRow

VERSION = 1
_COUNTED: Mapping[Agreement, str] = {"agrees": "agree", "differs": "differ", "unknown": "unknown"}
_WIDTH = 110
_LONGEST = 400
"""Characters of an error that are printed."""


def as_text(rows: Sequence[VerifiedRow]) -> str:
    """Return a line per row, the reasons of rows that do not agree, and the counts."""
    cells = [
        (row.agreement, one_line(row.model), one_line(row.release), row.loader, row.verdict, row.outcome)
        for row in rows
    ]
    lines = columns([("", "model", "release", "loader", "audit", "loader did"), *cells]) if rows else []
    text = [*lines[:1]]
    for row, line in zip(rows, lines[1:], strict=True):
        text += [line, *_reasons(row)]
    counts = Counter(row.agreement for row in rows)
    total = ", ".join(f"{counts[key]} {_COUNTED[key]}" for key in AGREEMENTS if counts[key])
    return "\n".join([*text, f"{plural(len(rows), 'row')}: {total}" if rows else "nothing to verify", ""])


def _reasons(row: VerifiedRow) -> Iterator[str]:
    """Yield the lines with the reasons of the audit and of the loader, if they do not agree."""
    if row.agreement == "agrees":
        return
    for label, reason in (("audit:", row.reason), ("loader:", row.error)):
        if reason:
            yield from wrap(f"{label:<7} {one_line(shorten(reason, _LONGEST))}", width=_WIDTH, indent="    ")


def as_json(rows: Sequence[VerifiedRow]) -> str:
    """Return the rows and their counts as JSON text."""
    counts = Counter(row.agreement for row in rows)
    document = {
        "version": VERSION,
        "counts": {key: counts[key] for key in AGREEMENTS},
        "rows": [
            {
                "model": row.model,
                "release": row.release,
                "loader": row.loader,
                "verdict": row.verdict,
                "outcome": row.outcome,
                "agreement": row.agreement,
                "reason": row.reason or None,
                "error": row.error or None,
            }
            for row in rows
        ],
    }
    return json.dumps(document, indent=1) + "\n"
