"""Adds to the findings of a comparison their lines in the two spec files.

This is done only for output formats that show lines, and only for findings that have no origin: specs of a source tree
know where each argument is declared.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.documents.locator import Locator
    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Finding
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Origin


def locating(base: Loaded, head: Loaded, spec: str | None = None, *, wants_lines: bool = True) -> Step:
    """Return the step that adds to findings the path of their spec file, and their places in those of base and head.

    The place in head of what head no longer has is the nearest line: that of its op, or of the next op.
    """
    old, new = (_lines(each) if wants_lines else None for each in (base, head))
    return lambda finding: _located(finding, old, new, spec)


def _lines(loaded: Loaded) -> Locator | None:
    if loaded.text is None:
        return None
    from opspec_lint.documents.locator import Locator

    return Locator(loaded.path, loaded.text)


def _located(finding: Finding, base: Locator | None, head: Locator | None, spec: str | None) -> Finding:
    if finding.op is None:
        return finding.replace(spec=spec)
    moved = finding.rule.endswith("_moved")
    new_kind = {"input": "output", "output": "input"}.get(finding.kind, finding.kind) if moved else finding.kind
    return finding.replace(
        spec=spec,
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
