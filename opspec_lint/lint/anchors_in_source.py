"""The places of findings in source trees, from the origin that each op and argument of such a spec has.

1. The place is the place of the changed field, if it has one, or else of the declaration.
2. A changed name that another file than the declaration assigns (Paddle's op_compat.yaml) is placed there.
3. What head lacks is placed at the nearest line of head: the argument before it, its op, or the nearest op of the file.
"""

from __future__ import annotations

from opspec_lint.spec.model import SECTIONS, Unknown
from opspec_lint.spec.op_table import is_located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Finding
    from opspec_lint.spec.model import Op, Origin, Spec, Update


def locate(finding: Finding, base: Spec, head: Spec) -> Finding:
    """Return a finding with its places in the source trees of base and head."""
    # A remark on reading a source has its place already: the text that could not be evaluated.
    if finding.op is None or finding.kind == "source":
        return finding
    base_origin = finding.base_origin
    head_origin = finding.head_origin
    if base_origin is None and is_located(base.ops):
        base_origin = _declaration_origin(base, finding, finding.name)
    if head_origin is None and is_located(head.ops):
        head_origin = _declaration_origin(head, finding, finding.new_name or finding.name)
        head_origin = head_origin or _nearest_origin(finding, base, head, base_origin)
    # The most specific place counts: the assignment of the name, the field, the declaration.
    base_name_origin, head_name_origin = _rename_origins(finding, base, head)
    return finding.replace(
        base_origin=base_name_origin or _field_origin(base, finding) or base_origin,
        head_origin=head_name_origin or _field_origin(head, finding) or head_origin,
    )


def _field_origin(spec: Spec, finding: Finding) -> Origin | None:
    """Return the place of the changed field, such as a default in another file; None if it has none."""
    op = spec.ops.get(finding.op or "") if finding.field else None
    return None if op is None else op.places.get(f"{finding.field}.{finding.name}")


def _rename_origins(finding: Finding, base: Spec, head: Spec) -> tuple[Origin | None, Origin | None]:
    """Return the places in base and head that assign the name, if a finding is a change of name; else (None, None).

    Both names belong to one declared name: a removal of "Y" and an addition of "y" are the same change of assignment.
    """
    op, name = finding.op or "", finding.name or ""
    if not (base.name_origins or head.name_origins):
        return None, None
    if finding.kind == "op":
        return _op_rename_origins(op, base, head)
    if finding.kind not in SECTIONS or op not in base.ops or op not in head.ops:
        return None, None
    section = SECTIONS[finding.kind]
    declared_in_base, declared_in_head = _declared_names(base, op, section), _declared_names(head, op, section)
    new_name = finding.new_name or name
    if name in declared_in_base and name in declared_in_head and new_name == name:
        return None, None
    declared_name = declared_in_base.get(name) or declared_in_head.get(new_name)
    old = next((candidate for candidate, declared in declared_in_base.items() if declared == declared_name), None)
    new = next((candidate for candidate, declared in declared_in_head.items() if declared == declared_name), None)
    if old is None or new is None or old == new:
        return None, None
    return _name_origin(base, op, old), _name_origin(head, op, new)


def _op_rename_origins(op: str, base: Spec, head: Spec) -> tuple[Origin | None, Origin | None]:
    """Return the places that assign the name of an op, if only one side has the op under this name; else (None, None).

    Both sides declare the op under one name, to which each assigns another name.
    """
    if (op in base.ops) == (op in head.ops):
        return None, None
    names = base.name_origins.get(op) or head.name_origins.get(op) or {}
    declared_name = op
    if "" in names:  # the op itself
        declared_name, _ = names[""]
    base_origin, head_origin = _op_name_origin(base, declared_name), _op_name_origin(head, declared_name)
    return (None, None) if base_origin is None or head_origin is None else (base_origin, head_origin)


def _op_name_origin(spec: Spec, declared_name: str) -> Origin | None:
    """Return the place that assigns a name to the op that is declared under another name, None if nothing does."""
    own_names = (names[""] for names in spec.name_origins.values())
    return next((origin for declared, origin in own_names if declared == declared_name), None)


def _declared_names(spec: Spec, op: str, section: str) -> dict[str, str]:
    """Return the declared name of each argument of an op, by its name in models."""
    assigned = {name: declared for name, (declared, _) in spec.name_origins.get(op, {}).items()}
    names = (argument.name for argument in getattr(spec.ops[op], section))
    return {name: assigned.get(name, name) for name in names}


def _name_origin(spec: Spec, op: str, name: str) -> Origin | None:
    """Return the place that assigns a name; for a declared name, the place that assigns the other names of the op."""
    assigned = spec.name_origins.get(op, {})
    _, origin = assigned.get(name) or assigned.get("") or (None, None)
    return origin


def _declaration_origin(spec: Spec, finding: Finding, name: str | None) -> Origin | None:
    """Return the place of the declaration of an argument or an op, or of the registration of a version."""
    op = spec.ops.get(finding.op or "")
    if finding.kind == "registration":
        return _registration_origin(spec, finding) or (op.origin if op else None)
    if finding.kind in SECTIONS and op is not None:
        section = SECTIONS[finding.kind]
        return next((argument.origin for argument in getattr(op, section) if argument.name == name), None)
    return op.origin if op else None


def _registration_origin(spec: Spec, finding: Finding) -> Origin | None:
    """Return the place of an update in the version history of an op, or else of the history."""
    places = spec.history_origins.get(finding.op or "")
    histories = spec.op_versions
    if not places or isinstance(histories, Unknown):
        return None
    for checkpoint, origins in zip(histories.get(finding.op or "", ()), places, strict=False):
        # The first place of a checkpoint is its own; the others are of its updates.
        for update, origin in zip(checkpoint.updates, origins[1:], strict=False):
            if update.name == finding.name and _concerns(update, finding):
                return origin
    return places[0][0]


def _concerns(update: Update, finding: Finding) -> bool:
    """Return whether an update of a version history is of the kind, such as "attr", that a finding states."""
    return finding.field is None or update.kind is None or update.kind in finding.field.lower()


def _nearest_origin(finding: Finding, base: Spec, head: Spec, base_origin: Origin | None) -> Origin | None:
    """Return the place in head for a finding whose op or argument head lacks."""
    name = finding.op or ""
    if name in head.ops:
        op = head.ops[name]
        neighbour = _neighbour_origin(finding, base.ops[name], op) if name in base.ops else None
        return neighbour or op.origin
    old_place = base.ops[name].origin if name in base.ops else base_origin
    if old_place is None or not is_located(head.ops):
        return None
    places = (head.ops[op_name].origin for op_name in head.ops)
    same_file = [origin for origin in places if origin is not None and origin.file == old_place.file]
    if same_file:
        return min(same_file, key=lambda origin: abs((origin.line or 0) - (old_place.line or 0)))
    # Its file is gone as well: the next op by name, as in a spec file (`anchors_in_file.py`).
    later = [op_name for op_name in sorted(head.ops) if op_name > name] or sorted(head.ops)[-1:]
    return head.ops[later[0]].origin if later else None


def _neighbour_origin(finding: Finding, before: Op, after: Op) -> Origin | None:
    """Return the place in head of the nearest argument before the removed one, or else after it."""
    if finding.kind not in SECTIONS:
        return None
    section = SECTIONS[finding.kind]
    names = [argument.name for argument in getattr(before, section)]
    if finding.name not in names:
        return None
    head_origins: dict[str, Origin | None] = {argument.name: argument.origin for argument in getattr(after, section)}
    index = names.index(finding.name)
    for neighbour in (*reversed(names[:index]), *names[index + 1 :]):
        origin = head_origins.get(neighbour)
        # An argument may be declared in another file than its op (op_compat.yaml): that is not near the removed one.
        if origin is not None and after.origin is not None and origin.file == after.origin.file:
            return origin
    return None
