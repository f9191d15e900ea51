"""The summary as JSON, for programs."""

from __future__ import annotations

import json

from opspec_lint.report.answers import counts
from opspec_lint.zoo.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.zoo.summary import ModelReason, RangeCount, Span, Stopper, Summary, VerdictCell

    Document = dict[str, Any]

VERSION = 1


def render(summary: Summary) -> str:
    """Return a summary as JSON text."""
    document: Document = {
        "version": VERSION,
        "models": summary.models,
        "others": summary.others,
        "unreadable": summary.unread,
        "formats": summary.formats,
        "counts": counts(summary.outcomes),
        "verdicts": [_verdict_counts(cell) for cell in summary.cells],
        "waived": summary.waived,
        "stopping_reasons": [_stopping_reason(reason) for reason in summary.model_reasons],
        "stopping_ops": [_stopping_op(stopper) for stopper in summary.stoppers],
        "releases": [_release_range(end) for end in summary.ends],
        "per_model": [_model_range(line.model, span) for line in summary.lines for span in line.spans],
    }
    return json.dumps(document, indent=1) + "\n"


def _verdict_counts(cell: VerdictCell) -> Document:
    """Return the number of models by verdict, of one format under one release and loader."""
    return {
        "format": cell.format,
        "against": cell.against,
        "loader": cell.loader,
        "loads": counts(cell.verdicts),
        "models": cell.verdicts,
    }


def _stopping_op(stopper: Stopper) -> Document:
    """Return an op that stops models under a release, with their number and an example."""
    return {
        "against": stopper.against,
        "op": stopper.op,
        "models": stopper.models,
        "rules": stopper.reasons,
        "example": stopper.example,
    }


def _stopping_reason(reason: ModelReason) -> Document:
    """Return a reason that concerns no op and stops models under a release, with their number and an example."""
    return {
        "against": reason.against,
        "loader": reason.loader,
        "rule": reason.rule,
        "message": reason.message,
        "models": reason.models,
        "example": reason.example,
    }


def _release_range(end: RangeCount) -> Document:
    """Return the oldest and the newest release that load some models, with the number of these models."""
    return {
        "loader": end.loader,
        "oldest": end.oldest,
        "newest": end.newest,
        "is_unknown": end.is_unknown,
        "models": end.models,
    }


def _model_range(model: str, span: Span) -> Document:
    """Return the releases that load one model, and those that refuse it or for which that is unknown."""
    return {
        "model": model,
        "loader": span.loader,
        "oldest": span.oldest,
        "newest": span.newest,
        "refused": span.refused,
        "unknown": span.unknown,
    }


VIEW = View(render=render)
