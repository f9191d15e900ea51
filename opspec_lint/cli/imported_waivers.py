"""Makes waivers of a list of accepted changes that another tool keeps, and says what each of its entries hides."""

from __future__ import annotations

from opspec_lint.kit.errors import UsageError
from opspec_lint.kit.named_file import read_named_file
from opspec_lint.kit.text import plural, shorten
from opspec_lint.lint.waiver_imports import IMPORTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.lint.waiver_imports import AcceptedChange, WaiverImport
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Spec

_SHOWN = 60
_MOST_NAMES = 3


class Imported:
    """What a list accepts of some findings.

    Args:
        path: the list.
        base: the spec of base.
        findings: the findings of a comparison with it.
        today: the day in UTC.

    Raises:
        UsageError: the list is not one of base's framework, or an entry of it is wrong.
    """

    def __init__(self, path: str, base: Spec, findings: Sequence[Finding], today: str) -> None:
        how, entries = _read(path, base.provenance.framework)
        errors = [(each, how.declaration(each)) for each in findings if each.level == "error"]
        declared = list(how.declarations(base))
        self.chosen: list[tuple[Finding, str | None]] = []
        self.lines: list[str] = []
        taken: set[str] = set()
        for entry in entries:
            is_over = entry.expires is not None and entry.expires < today
            hidden = [each for each, text in errors if text is not None and not is_over and entry.matches(text)]
            new = [each for each in hidden if each.fingerprint not in taken]
            taken |= {each.fingerprint for each in new}
            self.chosen += ((each, entry.expires) for each in new)
            ops = [name for name, text in declared if entry.matches(text)]
            self.lines.append(f"{path}:{entry.line}: {_said(entry, hidden, ops, is_over=is_over)}")


def _read(path: str, framework: str) -> tuple[WaiverImport, list[AcceptedChange]]:
    text = read_named_file(path, "list of accepted changes", "name the file of the list").decode("utf-8", "replace")
    for how in IMPORTS.every():
        entries = how.read(text, path) if how.framework == framework else None
        if entries is not None:
            return how, entries
    known = "; ".join(each.summary for each in IMPORTS.every())
    raise UsageError(f"{path} is no list of accepted changes for specs of {framework}", advice=f"known: {known}")


def _said(entry: AcceptedChange, hidden: Sequence[Finding], ops: Sequence[str], *, is_over: bool) -> str:
    """Return the remarks on an entry: what it hides, and whether it is stale or too broad."""
    name = f"'{shorten(entry.text, _SHOWN)}'"
    if is_over:
        return f"{name} is stale: it held until {entry.expires}"
    if not ops:
        return f"{name} is stale: it matches no op of base"
    hides = f"hides {plural(len(hidden), 'finding')}, matches {plural(len(ops), 'op')}"
    names = sorted({each.partition(".")[0] for each in ops})
    if not entry.is_name or len(names) == 1:
        return f"{name} {hides}"
    shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
    return f"{name} {hides}; it is too broad: it matches {plural(len(names), 'name')}, {shown}"
