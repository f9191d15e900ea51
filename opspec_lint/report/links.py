"""Addresses that a report links to: the page of a rule, and a line of head on a code host."""

from __future__ import annotations

from opspec_lint.report.markup import code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.entries import Anchor

DOCS = "https://github.com/opspec-lint/opspec-lint/blob/main/docs"
"""Where the documentation is read."""
_LONGEST = 80
"""Characters of a path in a link."""


def rule_page(rule: str) -> str:
    """Return the address of the page of a rule."""
    return f"{DOCS}/reference/rules/{rule}.md"


def rule_link(rule: str) -> str:
    """Return a link to the page of a rule, in Markdown."""
    return f"[{code(rule)}]({rule_page(rule)})"


def line_link(address: str | None, place: Anchor) -> str:
    """Return a line of a file, in Markdown: a link, where the address of head's files is known."""
    from urllib.parse import quote

    shown = place.path if len(place.path) <= _LONGEST else f"…{place.path[-_LONGEST:]}"
    text = code(f"{shown}:{place.line}")
    if address is None:
        return text
    return f"[{text}]({address}/{quote(place.path, errors='replace')}#L{place.line})"
