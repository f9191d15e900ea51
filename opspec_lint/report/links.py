"""Links in reports: to the page of a rule, and to a line of head on a code host."""

from __future__ import annotations

from opspec_lint.report.markup import code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.entries import Anchor

_LONGEST = 80
"""Greatest length of a path in a link; the end of a longer one is shown."""


def rule_page(documentation: str | None, rule: str) -> str | None:
    """Return the address of the page of a rule, None if the address of the documentation is unknown."""
    return None if documentation is None else f"{documentation.rstrip('/')}/reference/rules/{rule}.md"


def rule_link(documentation: str | None, rule: str) -> str:
    """Return a rule in Markdown: a link to its page, or its name and the command that prints the page."""
    page = rule_page(documentation, rule)
    return f"{code(rule)}: {code(f'opspec-lint explain {rule}')}" if page is None else f"[{code(rule)}]({page})"


def line_link(address: str | None, place: Anchor) -> str:
    """Return `path:line` in Markdown, as a link if the address of head's files is known."""
    from urllib.parse import quote

    shown = place.path if len(place.path) <= _LONGEST else f"…{place.path[-_LONGEST:]}"
    text = code(f"{shown}:{place.line}")
    if address is None:
        return text
    return f"[{text}]({address}/{quote(place.path, errors='replace')}#L{place.line})"
