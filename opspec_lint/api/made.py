"""Results as they were computed, behind the public views: what renders them in any format."""

from __future__ import annotations

import json
from functools import partial

from opspec_lint.api.comparing import compare
from opspec_lint.api.spec import without_functions
from opspec_lint.kit.record import Record
from opspec_lint.spec.model import Op

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.api.auditing import Audited
    from opspec_lint.api.comparing import Comparing, End
    from opspec_lint.report.findings import Report


class MadeReport:
    """The reports of one comparison: one form for each combination of lines and fixes that a format wants.

    Args:
        make: makes the report, with `wants_lines` and `wants_fixes`.
    """

    def __init__(self, make: Callable[..., Report]) -> None:
        self._make = make
        self._made: dict[tuple[bool, bool], Report] = {}

    def report(self, *, wants_lines: bool, wants_fixes: bool) -> Report:
        """Return the report for a format."""
        key = wants_lines, wants_fixes
        if key not in self._made:
            self._made[key] = self._make(wants_lines=wants_lines, wants_fixes=wants_fixes)
        return self._made[key]

    def rendered(self, format_name: str) -> str:
        """Return the report in an output format."""
        from opspec_lint.report.reporter import REPORTERS

        reporter = REPORTERS.load(format_name)
        report = self.report(wants_lines=reporter.wants_lines, wants_fixes=reporter.wants_fixes)
        return "".join(reporter.render_parts(report))

    def document(self) -> dict[str, Any]:
        """Return the document of the JSON format."""
        return dict(json.loads(self.rendered("json")))

    def portable(self) -> PortableReport:
        """Return the report for another process, which has no access to the open specs."""
        kept = {
            (lines, fixes): self.report(wants_lines=lines, wants_fixes=fixes)
            for lines in (False, True)
            for fixes in (False, True)
        }
        return PortableReport(kept)


class PortableReport(MadeReport):
    """A report whose forms for all formats were made."""

    def __init__(self, kept: dict[tuple[bool, bool], Report]) -> None:
        super().__init__(_not_made)
        self._made = kept

    def portable(self) -> PortableReport:
        """Return itself."""
        return self


def _not_made(**_: bool) -> Report:
    raise AssertionError("a portable report has all its forms")


def comparison_of(base: End, head: End, options: Comparing) -> MadeReport:
    """Return the comparison of two specs that were read, made for the JSON format first: its errors are raised now."""
    made = MadeReport(partial(compare, base, head, options))
    made.report(wants_lines=False, wants_fixes=True)
    return made


class MadeAudit(Record):
    """Audits, and the exit code of the command line for them."""

    audited: Audited
    code: int

    def rendered(self, format_name: str) -> str:
        """Return the audits in an output format."""
        return self.audited.rendered(format_name)

    def document(self) -> dict[str, Any]:
        """Return the document of the JSON format."""
        return dict(json.loads(self.rendered("json")))

    def portable(self) -> MadeAudit:
        """Return the audits for another process, with the names of the ops of each release alone."""
        audits = tuple(
            audit.replace(
                spec=without_functions(audit.spec.replace(ops={name: Op(name=name) for name in audit.spec.ops}))
            )
            for audit in self.audited.audits
        )
        return self.replace(audited=self.audited.replace(audits=audits))
