"""The summary as JSON, for programs."""

from __future__ import annotations

import json

from opspec_lint.report.answers import counts
from opspec_lint.zoo.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.zoo.summary import Summary

VERSION = 1


def render(summary: Summary) -> str:
    """Return a summary as JSON text."""
    document: dict[str, Any] = {
        "version": VERSION,
        "models": summary.models,
        "others": summary.others,
        "unreadable": summary.unread,
        "formats": summary.formats,
        "counts": counts(summary.outcomes),
        "verdicts": [
            {
                "format": cell.format,
                "against": cell.against,
                "loader": cell.loader,
                "loads": counts(cell.verdicts),
                "models": cell.verdicts,
            }
            for cell in summary.cells
        ],
        "stopping_ops": [
            {
                "against": stopper.against,
                "op": stopper.op,
                "models": stopper.models,
                "rules": stopper.reasons,
                "example": stopper.example,
            }
            for stopper in summary.stoppers
        ],
        "releases": [
            {
                "loader": end.loader,
                "oldest": end.oldest,
                "newest": end.newest,
                "is_unknown": end.is_unknown,
                "models": end.models,
            }
            for end in summary.ends
        ],
        "per_model": [
            {
                "model": line.model,
                "loader": span.loader,
                "oldest": span.oldest,
                "newest": span.newest,
                "refused": span.refused,
                "unknown": span.unknown,
            }
            for line in summary.lines
            for span in line.spans
        ],
    }
    return json.dumps(document, indent=1) + "\n"


VIEW = View(render=render)
