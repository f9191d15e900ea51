"""A summary as JSON, for programs."""

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
    said: dict[str, Any] = {
        "version": VERSION,
        "models": summary.models,
        "others": summary.others,
        "unreadable": summary.unread,
        "formats": summary.formats,
        "counts": counts(summary.outcomes),
        "verdicts": [
            {
                "format": each.format,
                "against": each.against,
                "loader": each.loader,
                "loads": counts(each.verdicts),
                "models": each.verdicts,
            }
            for each in summary.cells
        ],
        "stopping_ops": [
            {
                "against": each.against,
                "op": each.op,
                "models": each.models,
                "rules": each.reasons,
                "example": each.example,
            }
            for each in summary.stoppers
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
                "loader": each.loader,
                "oldest": each.oldest,
                "newest": each.newest,
                "refused": each.refused,
                "unknown": each.unknown,
            }
            for line in summary.lines
            for each in line.spans
        ],
    }
    return json.dumps(said, indent=1) + "\n"


VIEW = View(render=render)
