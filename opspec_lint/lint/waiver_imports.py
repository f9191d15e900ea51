"""Lists of accepted changes of other tools, from which `waive --import` writes waivers.

Each kind of list is a module of a framework's `imports/` with an `IMPORT`.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec


class AcceptedChange(Record):
    """An entry of such a list.

    `text` is the pattern or name as written, `expires` the last day on which it holds, None for no end.
    `matches(declaration)` returns whether it accepts changes of a declaration. `is_name`: it looks like the name of a
    single op, not like a pattern.
    """

    text: str
    line: int
    expires: str | None
    matches: Callable[[str], bool]
    is_name: bool


class WaiverImport(Record):
    """A kind of list, such as the allow list of PyTorch's compatibility test.

    - `read(text, file)` returns the entries, None for a file of another kind; it raises UsageError for a faulty entry
    - `declarations(spec)` yields pairs of op and declaration
    - `declaration(finding)` returns the declaration in base that a finding concerns, None for none
    """

    framework: str = ""
    name: str = ""
    summary: str
    read: Callable[[str, str], list[AcceptedChange] | None]
    declarations: Callable[[Spec], Iterable[tuple[str, str]]]
    declaration: Callable[[Finding], str | None]


IMPORTS: Catalogue[WaiverImport] = Catalogue("frameworks/*/imports", offers="IMPORT")
"""The kinds of lists by name."""
