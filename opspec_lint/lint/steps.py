"""The steps that complete findings between their judgement and the report, in a fixed order."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from opspec_lint.report.findings import Comparison, Finding

    Step: TypeAlias = Callable[[Finding], Finding | None]
    """Returns the finding after the step: changed, the same object if nothing changes, or None to drop it."""


ORDER = ("in_source", "in_file", "fixed", "known", "merged", "approved", "dated", "used", "waived", "proven")
"""The steps in the order of their application.

- Places first: a fixer starts at the place of its finding.
- `known` before `merged`: a change that a release has already is a note, and merging keeps the worst level.
- `approved` after `merged`: the base that a finding is reported under decides whether it needs an approval.
- `waived` after every step that changes a level; `proven` last, since the result of a loader changes neither the level
  nor who accepts a finding.
"""


class Steps(Record):
    """The steps to apply, in the order of `ORDER`; None for a step that does not apply.

    - `in_source`: adds the place in a source tree (`lint/anchors_in_source.py`)
    - `in_file`: adds the path of the spec file and the line in it (`lint/anchors_in_file.py`)
    - `fixed`: adds fixes (`lint/fixer.py`)
    - `known`: makes a change that a release has already a note (`lint/bases.py`)
    - `merged`: reports a change against several bases once (`lint/bases.py`)
    - `approved`: adds the approval of a team (`lint/approvals.py`)
    - `dated`: adds the commit that introduced the change (`history/since.py`)
    - `used`: adds the number of known models that use the op (`zoo/usage.py`)
    - `waived`: adds the waiver (`lint/waivers.py`)
    - `proven`: adds the result of real loads (`proof/attach.py`)
    """

    in_source: Step | None = None
    in_file: Step | None = None
    fixed: Step | None = None
    known: Step | None = None
    merged: Step | None = None
    approved: Step | None = None
    dated: Step | None = None
    used: Step | None = None
    waived: Step | None = None
    proven: Step | None = None

    def apply(self, comparison: Comparison) -> Comparison:
        """Return a comparison whose findings have passed the steps."""
        return comparison.replace(findings=self.apply_to(comparison.findings))

    def apply_to(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return the findings that the steps leave, each as the last step returned it."""
        for name in ORDER:
            step: Step | None = getattr(self, name)
            if step is not None:
                findings = [result for finding in findings if (result := step(finding)) is not None]
        return tuple(findings)
