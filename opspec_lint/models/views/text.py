"""Descriptions of models as text for people."""

from __future__ import annotations

from opspec_lint.kit.text import one_line
from opspec_lint.models import model_text
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.models.view import ShownModel


def render(models: Iterable[ShownModel]) -> str:
    """Return descriptions of models as text."""
    return "\n".join(
        map(one_line, (line for shown_model in models for line in (*model_text.model_lines(shown_model.model), "")))
    )


VIEW = View(render=render)
