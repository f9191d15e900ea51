"""The steps from a comparison to its report, in their order. `check` takes the first one; `project` the others."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from opspec_lint.report.findings import Comparison, Finding

    Step: TypeAlias = Callable[[Finding], Finding | None]
    """Returns a finding as it is after the step, the same one if nothing changes; None to leave it out."""


ORDER = ("in_source", "in_file", "fixed", "known", "merged", "approved", "dated", "used", "waived", "proven")
"""The steps in the order in which they are taken.

A fixer looks for the place of its finding in a file, so places come first. What a release already has is a note, so
that it is known before the findings of several bases become one: the worst of them stays. Who has to approve depends on
the base that a finding stands with then. Waivers come after all that is said of a finding itself, and what loaders say
of a finding changes neither its level nor who accepts it.
"""


class Steps(Record):
    """The steps of a comparison, which are taken as `ORDER` says; None for one that is not taken here.

    `in_source` and `in_file` add the places of findings in source trees and in spec files, and the path of the spec
    file (`lint/anchors_in_source.py`, `lint/anchors_in_file.py`), `fixed` their fixes (`lint/fixer.py`). `known` makes
    a note of what a release already has, `merged` reports what is found against several bases once (`lint/bases.py`).
    `approved` and `waived` add what people have said (`lint/approvals.py`, `lint/waivers.py`), `dated` what a history
    has (`history/since.py`), `used` what known models use (`zoo/usage.py`), and `proven` what loaders have
    (`proof/attach.py`).
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

    def of(self, comparison: Comparison) -> Comparison:
        """Return a comparison after these steps."""
        return comparison.replace(findings=self.through(comparison.findings))

    def through(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Return findings after these steps."""
        for name in ORDER:
            step: Step | None = getattr(self, name)
            if step is not None:
                findings = [found for each in findings if (found := step(each)) is not None]
        return tuple(findings)
