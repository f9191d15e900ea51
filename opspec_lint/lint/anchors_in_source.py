"""Adds places to the findings about specs of a source tree, which know where each argument is declared.

If a changed name is assigned elsewhere than in the declaration (op_compat.yaml), that is the place. The place in head
of what head no longer has is the nearest one: the argument before it, its op, or the nearest op of the same file.
"""

from __future__ import annotations

from opspec_lint.spec.model import SECTIONS, Unknown
from opspec_lint.spec.op_table import is_located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Op, Origin, Spec, Update


def located(finding: Finding, base: Spec, head: Spec) -> Finding:
    """Return a finding with its places in base and in head."""
    if finding.op is None or finding.kind == "source":  # a remark on reading a source has its own place
        return finding
    base_origin = finding.base_origin
    head_origin = finding.head_origin
    if base_origin is None and is_located(base.ops):
        base_origin = _declared(base, finding, finding.name)
    if head_origin is None and is_located(head.ops):
        head_origin = _declared(head, finding, finding.new_name or finding.name)
        head_origin = head_origin or _near(finding, base, head, base_origin)
    named = _renamed_at(finding, base, head)
    return finding.replace(
        base_origin=named[0] or _stated(base, finding) or base_origin,
        head_origin=named[1] or _stated(head, finding) or head_origin,
    )


def _stated(spec: Spec, finding: Finding) -> Origin | None:
    """Return where a spec states the field of the argument that a finding is about, None for its declaration."""
    op = spec.ops.get(finding.op or "") if finding.field else None
    return None if op is None else op.places.get(f"{finding.field}.{finding.name}")


def _renamed_at(finding: Finding, base: Spec, head: Spec) -> tuple[Origin | None, Origin | None]:
    """Return where both sides assign the name of a finding's subject, if the name changed."""
    op, name = finding.op or "", finding.name or ""
    if not (base.name_origins or head.name_origins):
        return None, None
    if finding.kind == "op":
        return _op_renamed_at(op, base, head)
    if finding.kind not in SECTIONS or op not in base.ops or op not in head.ops:
        return None, None
    section = SECTIONS[finding.kind]
    before, after = _declared_names(base, op, section), _declared_names(head, op, section)
    new_name = finding.new_name or name
    if name in before and name in after and new_name == name:
        return None, None
    written = before.get(name) or after.get(new_name)
    old = next((each for each in before if before[each] == written), None)
    new = next((each for each in after if after[each] == written), None)
    if old is None or new is None or old == new:
        return None, None
    return _given_at(base, op, old), _given_at(head, op, new)


def _op_renamed_at(op: str, base: Spec, head: Spec) -> tuple[Origin | None, Origin | None]:
    """Return where both sides assign the name of an op that only one of them has under this name."""
    if (op in base.ops) == (op in head.ops):
        return None, None
    written = (base.name_origins.get(op) or head.name_origins.get(op) or {}).get("", (op,))[0]
    found = [
        next((names[""][1] for names in spec.name_origins.values() if names[""][0] == written), None)
        for spec in (base, head)
    ]
    return (found[0], found[1]) if None not in found else (None, None)


def _declared_names(spec: Spec, op: str, section: str) -> dict[str, str]:
    """Return the arguments of an op by name, each with its name in the declaration."""
    given = spec.name_origins.get(op, {})
    names = (each.name for each in getattr(spec.ops[op], section))
    return {name: given[name][0] if name in given else name for name in names}


def _given_at(spec: Spec, op: str, name: str) -> Origin | None:
    """Return where a name is assigned; for a name of the declaration, where the op gets its other names."""
    given = spec.name_origins.get(op, {})
    return (given.get(name) or given.get("") or (None, None))[1]


def _declared(spec: Spec, finding: Finding, name: str | None) -> Origin | None:
    op = spec.ops.get(finding.op or "")
    if finding.kind == "registration":
        return _registered(spec, finding) or (op.origin if op else None)
    if finding.kind in SECTIONS and op is not None:
        section = SECTIONS[finding.kind]
        return next((each.origin for each in getattr(op, section) if each.name == name), None)
    return op.origin if op else None


def _registered(spec: Spec, finding: Finding) -> Origin | None:
    """Return the place of the update that a finding is about in an op's history, else that of the history."""
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
    """Return the place in head that is nearest to a place in base."""
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
    """Return where head declares the argument before the finding's one in base, or else the one after it."""
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
