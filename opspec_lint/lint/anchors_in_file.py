"""Adds to the findings of a comparison their lines in the two spec files.

This is done only for output formats that show lines, and only for findings that have no origin: specs of a source tree
know where each argument is declared.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.documents.locator import Locator
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.model import Origin


def locate(comparison: Comparison, base: Locator | None, head: Locator | None) -> Comparison:
    """Return a comparison whose findings have their places in base and in head.

    The place in head of what head no longer has is the nearest line: that of its op, or of the next op.

    Args:
        comparison: the comparison.
        base: the lines of base's file, None if it has none.
        head: the lines of head's file, None if it has none.
    """
    return comparison.but(findings=tuple(_located(finding, base, head) for finding in comparison.findings))


def _located(finding: Finding, base: Locator | None, head: Locator | None) -> Finding:
    if finding.op is None:
        return finding
    moved = finding.rule.endswith("_moved")
    new_kind = {"input": "output", "output": "input"}.get(finding.kind, finding.kind) if moved else finding.kind
    return finding.but(
        base_origin=finding.base_origin or (base and _declared(base, finding.op, finding.kind, finding.name)),
        head_origin=finding.head_origin
        or (head and _anchor(head, finding.op, new_kind, finding.new_name or finding.name)),
    )


def _declared(locator: Locator, op: str, kind: str, name: str | None) -> Origin | None:
    if kind == "registration":
        return locator.history(op) or locator.op(op)
    return locator.op(op) if kind == "op" or name is None else locator.argument(op, kind, name)


def _anchor(locator: Locator, op: str, kind: str, name: str | None) -> Origin | None:
    return _declared(locator, op, kind, name) or locator.op(op) or locator.next_op(op)
