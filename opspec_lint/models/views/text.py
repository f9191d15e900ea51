"""What models say of themselves, as text for a person."""

from __future__ import annotations

from opspec_lint.kit.text import one_line
from opspec_lint.models import telling
from opspec_lint.models.view import View

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.models.view import Seen


def render(models: Iterable[Seen]) -> str:
    """Return models as text."""
    return "\n".join(map(one_line, (line for each in models for line in (*telling.lines(each.model), ""))))


VIEW = View(render=render)
