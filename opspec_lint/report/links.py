"""Links in reports: to the page of a rule, and to a line of head on a code host."""

from __future__ import annotations

from opspec_lint.report.markup import code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.entries import Anchor

DOCS = "https://github.com/opspec-lint/opspec-lint/blob/main/docs"
"""The address of the documentation."""
_LONGEST = 80
"""Greatest length of a path in a link; the end of a longer one is shown."""


def rule_page(rule: str) -> str:
    """Return the address of the page of a rule."""
    return f"{DOCS}/reference/rules/{rule}.md"


def rule_link(rule: str) -> str:
    """Return a link to the page of a rule, in Markdown."""
    return f"[{code(rule)}]({rule_page(rule)})"


def line_link(address: str | None, place: Anchor) -> str:
    """Return `path:line` in Markdown, as a link if the address of head's files is known."""
    from urllib.parse import quote

    shown = place.path if len(place.path) <= _LONGEST else f"…{place.path[-_LONGEST:]}"
    text = code(f"{shown}:{place.line}")
    if address is None:
        return text
    return f"[{text}]({address}/{quote(place.path, errors='replace')}#L{place.line})"
