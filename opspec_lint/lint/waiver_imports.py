"""Lists of accepted changes of other tools, which `waive --import` makes waivers of.

A kind of list is a module of a framework's `imports/`, with an `IMPORT`.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec


class Listed(Record):
    """An entry of a list.

    `text` is what it names, `line` its line, and `expires` the last day on which it holds, None for no end. `matches`
    tells whether it is about a declaration, as text. `is_name` is whether it reads like the name of one op.
    """

    text: str
    line: int
    expires: str | None
    matches: Callable[[str], bool]
    is_name: bool


class WaiverImport(Record):
    """A kind of list.

    `read` returns the entries of the text of a file, given what messages call it, and None for a file of another kind;
    it raises UsageError for an entry that it cannot read. `declarations` yields the ops of a spec with their
    declarations, and `declaration` returns that of a finding in base, None for a finding about none.
    """

    framework: str = ""
    name: str = ""
    summary: str
    read: Callable[[str, str], list[Listed] | None]
    declarations: Callable[[Spec], Iterable[tuple[str, str]]]
    declaration: Callable[[Finding], str | None]


IMPORTS: Catalogue[WaiverImport] = Catalogue("frameworks/*/imports", offers="IMPORT")
"""The kinds of lists, by name."""
