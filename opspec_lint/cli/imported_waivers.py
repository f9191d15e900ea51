"""Conversion of a list of accepted changes, kept by another tool, to waivers, with a remark on each entry."""

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


class ImportedList:
    """The findings that an imported list accepts, with remarks on its entries.

    `findings` come from a comparison with `base`; `today` is the day in UTC. Raises UsageError if the file is no such
    list for the framework of base, or an entry is wrong.
    """

    def __init__(self, path: str, base: Spec, findings: Sequence[Finding], today: str) -> None:
        how, entries = _read(path, base.provenance.framework)
        errors = [(finding, how.declaration(finding)) for finding in findings if finding.level == "error"]
        # Stale entries are found by the ops of base: the findings cover changed ops only.
        declarations = list(how.declarations(base))
        self.chosen: list[tuple[Finding, str | None]] = []
        """The findings to waive, each with the last day of its entry."""
        self.lines: list[str] = []
        """A remark on each entry: which findings and ops it matches."""
        chosen_fingerprints: set[str] = set()
        for entry in entries:
            is_over = entry.expires is not None and entry.expires < today
            matched = [finding for finding, text in errors if text is not None and not is_over and entry.matches(text)]
            # An entry may be broader than intended: each finding is waived once, by the first entry that matches it.
            new = [finding for finding in matched if finding.fingerprint not in chosen_fingerprints]
            chosen_fingerprints |= {finding.fingerprint for finding in new}
            self.chosen += ((finding, entry.expires) for finding in new)
            ops = [name for name, text in declarations if entry.matches(text)]
            self.lines.append(f"{path}:{entry.line}: {_entry_remark(entry, matched, ops, is_over=is_over)}")


def _read(path: str, framework: str) -> tuple[WaiverImport, list[AcceptedChange]]:
    text = read_named_file(path, "list of accepted changes", "name the file of the list").decode("utf-8", "replace")
    for how in IMPORTS.every():
        entries = how.read(text, path) if how.framework == framework else None
        if entries is not None:
            return how, entries
    known = "; ".join(waiver_import.summary for waiver_import in IMPORTS.every())
    raise UsageError(f"{path} is no list of accepted changes for specs of {framework}", advice=f"known: {known}")


def _entry_remark(entry: AcceptedChange, hidden: Sequence[Finding], ops: Sequence[str], *, is_over: bool) -> str:
    """Return the remark on an entry: the findings it hides, and whether it is stale or too broad."""
    name = f"'{shorten(entry.text, _SHOWN)}'"
    if is_over:
        return f"{name} is stale: it held until {entry.expires}"
    if not ops:
        return f"{name} is stale: it matches no op of base"
    hides = f"hides {plural(len(hidden), 'finding')}, matches {plural(len(ops), 'op')}"
    names = sorted({op.partition(".")[0] for op in ops})
    if not entry.is_name or len(names) == 1:
        return f"{name} {hides}"
    shown = ", ".join(names[:_MOST_NAMES]) + (", ..." if len(names) > _MOST_NAMES else "")
    return f"{name} {hides}; it is too broad: it matches {plural(len(names), 'name')}, {shown}"
