"""The lines of findings in the two spec files.

They are looked up only for reporters that print lines, and only for findings without an origin: in a spec of a source
tree, each argument has its place already.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.documents.locator import Locator
    from opspec_lint.lint.steps import Step
    from opspec_lint.report.findings import Finding
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Origin


def locate_step(
    base: Loaded, head: Loaded, spec: str | None = None, *, wants_lines: bool = True, wants_error_lines: bool = False
) -> Step:
    """Return the step that adds the path of the spec file and the lines in base and head.

    An op or argument that head lacks is placed at the nearest line of head: at its op, or at the next op by name.
    `wants_error_lines`: errors and warnings get lines even if `wants_lines` is false.
    """

    @cache  # a file is searched for its lines only if a finding wants one
    def locators() -> tuple[Locator | None, Locator | None]:
        return _locator(base), _locator(head)

    def locate(finding: Finding) -> Finding:
        wants = wants_lines or (wants_error_lines and finding.level != "note")
        return _locate(finding, *(locators() if wants else (None, None)), spec)

    return locate


def _locator(loaded: Loaded) -> Locator | None:
    """Return the index of lines of a spec file, None for a spec that no file contains."""
    if loaded.text is None:
        return None
    from opspec_lint.documents.locator import Locator

    return Locator(loaded.path, loaded.text)


def _locate(finding: Finding, base: Locator | None, head: Locator | None, spec: str | None) -> Finding:
    """Return a finding with the path of the spec file and its places."""
    if finding.op is None:
        return finding.replace(spec=spec)
    # What has moved between inputs and outputs is declared in the other section of head.
    moved = finding.rule.endswith("_moved")
    new_kind = {"input": "output", "output": "input"}.get(finding.kind, finding.kind) if moved else finding.kind
    return finding.replace(
        spec=spec,
        base_origin=finding.base_origin or (base and _declaration_origin(base, finding.op, finding.kind, finding.name)),
        head_origin=finding.head_origin
        or (head and _nearest_origin(head, finding.op, new_kind, finding.new_name or finding.name)),
    )


def _declaration_origin(locator: Locator, op: str, kind: str, name: str | None) -> Origin | None:
    """Return the line that declares an argument, an op, or the history of versions of an op."""
    if kind == "registration":
        return locator.history(op) or locator.op(op)
    return locator.op(op) if kind == "op" or name is None else locator.argument(op, kind, name)


def _nearest_origin(locator: Locator, op: str, kind: str, name: str | None) -> Origin | None:
    """Return the line of an argument, or else of its op, or else of the next op."""
    return _declaration_origin(locator, op, kind, name) or locator.op(op) or locator.next_op(op)
