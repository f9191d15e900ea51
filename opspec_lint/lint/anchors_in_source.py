"""The places of findings about specs that know where each thing is declared: those read from source.

What head no longer has is anchored to the place in head nearest to where it stood: the argument before it, its op, the
op that stands next to it in the same file.
"""

from __future__ import annotations

from opspec_lint.spec.model import SECTIONS, Unknown
from opspec_lint.spec.op_table import is_located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.spec.model import Op, Origin, Spec, Update


def locate(comparison: Comparison, base: Spec, head: Spec) -> Comparison:
    """Return a comparison whose findings say where base and head declare what they are about."""
    return comparison.but(findings=tuple(_located(finding, base, head) for finding in comparison.findings))


def _located(finding: Finding, base: Spec, head: Spec) -> Finding:
    if finding.op is None or finding.kind == "source":  # what the reading of a source remarks on says where itself
        return finding
    base_origin = finding.base_origin
    head_origin = finding.head_origin
    if base_origin is None and is_located(base.ops):
        base_origin = _declared(base, finding, finding.name)
    if head_origin is None and is_located(head.ops):
        head_origin = _declared(head, finding, finding.new_name or finding.name)
        head_origin = head_origin or _near(finding, base, head, base_origin)
    return finding.but(base_origin=base_origin, head_origin=head_origin)


def _declared(spec: Spec, finding: Finding, name: str | None) -> Origin | None:
    op = spec.ops.get(finding.op or "")
    if finding.kind == "registration":
        return _registered(spec, finding) or (op.origin if op else None)
    if finding.kind in SECTIONS and op is not None:
        section = SECTIONS[finding.kind]
        return next((each.origin for each in getattr(op, section) if each.name == name), None)
    return op.origin if op else None


def _registered(spec: Spec, finding: Finding) -> Origin | None:
    """Return where an op's history has the update that a finding is about; where it begins, if there is none such."""
    places = spec.history_origins.get(finding.op or "")
    histories = spec.op_versions
    if not places or isinstance(histories, Unknown):
        return None
    for checkpoint, origins in zip(histories.get(finding.op or "", ()), places, strict=False):
        for update, origin in zip(checkpoint.updates, origins[1:], strict=False):
            if update.name == finding.name and _is_about(update, finding):
                return origin
    return places[0][0]


def _is_about(update: Update, finding: Finding) -> bool:
    return finding.field is None or update.kind is None or update.kind in finding.field.lower()


def _near(finding: Finding, base: Spec, head: Spec, base_origin: Origin | None) -> Origin | None:
    """Return the place in head nearest to where something of base stood: an op, or the history of what is none."""
    name = finding.op or ""
    if name in head.ops:
        op = head.ops[name]
        neighbour = _neighbour(finding, base.ops[name], op) if name in base.ops else None
        return neighbour or op.origin
    stood = base.ops[name].origin if name in base.ops else base_origin
    if stood is None or not is_located(head.ops):
        return None
    places = (head.ops[each].origin for each in head.ops)
    beside = [origin for origin in places if origin is not None and origin.file == stood.file]
    if beside:
        return min(beside, key=lambda origin: abs((origin.line or 0) - (stood.line or 0)))
    later = [each for each in sorted(head.ops) if each > name] or sorted(head.ops)[-1:]
    return head.ops[later[0]].origin if later else None


def _neighbour(finding: Finding, before: Op, after: Op) -> Origin | None:
    """Return where head declares the argument that stood next to one in base, the one before it if there is one."""
    if finding.kind not in SECTIONS:
        return None
    section = SECTIONS[finding.kind]
    names = [each.name for each in getattr(before, section)]
    if finding.name not in names:
        return None
    now: dict[str, Origin | None] = {each.name: each.origin for each in getattr(after, section)}
    at = names.index(finding.name)
    for each in (*reversed(names[:at]), *names[at + 1 :]):
        origin = now.get(each)
        if origin is not None and after.origin is not None and origin.file == after.origin.file:
            return origin
    return None
