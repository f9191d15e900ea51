"""Compares two declarations of an op whose inputs and outputs a graph binds as a signature, by position and type.

The facts come in the order in which TensorFlow's OpDefCompatible looks for them: attrs, inputs, outputs; then what
OpDefAttrDefaultsUnchanged looks at. Against a history, every declaration in it is compared, but default values with the
last one alone, and, of attrs that came after the first one, with the first and the last.
"""

from __future__ import annotations

from opspec_lint import values
from opspec_lint.arguments import diff_arguments
from opspec_lint.changes import ArgumentAdded, ArgumentRemoved, ArgumentRenamed, DefaultAddedLate, FieldChanged
from opspec_lint.fields import diff_fields, diff_op_fields
from opspec_lint.model import FIELDS, SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.changes import Change
    from opspec_lint.model import Attr, Op

_CONSTRAINTS = tuple(field for field in FIELDS["attrs"] if field != "default_value")
_STANDING = frozenset(
    {
        "allowed_values_narrowed",
        "argument_order_changed",
        "argument_type_changed",
        "attr_added_without_default",
        "attr_removed",
        "attr_renamed",
        "attr_type_changed",
        "input_added_not_dispensable",
        "input_ref_set",
        "input_removed",
        "maximum_lowered",
        "minimum_raised",
        "output_added_not_dispensable",
        "output_ref_cleared",
        "output_removed",
        "output_renamed",
    }
)
"""The events that count between head and an older declaration than base's."""


def diff_op(old: Op, new: Op, earlier: Sequence[Op] = ()) -> list[Change]:
    """Return every fact that tells two declarations of an op apart, and head's from the earlier ones of its history.

    Args:
        old: the op in base.
        new: the op in head.
        earlier: the declarations that it had in base's history before `old`, oldest first.
    """
    if earlier and _undocumented(old) == _undocumented(new):
        return []
    old_attrs, new_attrs = _by_name(old), _by_name(new)
    changes = _contract(old, new)
    seen = {_identity(change) for change in changes}
    for back, version in enumerate(reversed(earlier), 1):
        for change in _contract(version, new):
            if change.event in _STANDING and _identity(change) not in seen:
                seen.add(_identity(change))
                changes.append(change.but(against=back))
    for name, attr in old_attrs.items():
        if name in new_attrs:
            changes += _diff_default(old.name, attr, new_attrs[name])
    if earlier:
        changes += _added_late(old, new_attrs, _by_name(earlier[0]))
    changes += diff_op_fields(old, new)
    return changes


def _undocumented(op: Op) -> Op:
    sections = {
        section: tuple(each.but(description="") for each in getattr(op, section)) for section in SECTIONS.values()
    }
    return op.but(summary="", description="", **sections)


def _contract(old: Op, new: Op) -> list[Change]:
    """Return the facts about everything but default values."""
    attrs = _by_name(old), _by_name(new)
    changes = list(_diff_attrs(old.name, new.attrs, *attrs))
    changes += diff_arguments(old, new, "input", attrs)
    changes += diff_arguments(old, new, "output", attrs)
    return changes


def _diff_attrs(
    op: str, declared: Sequence[Attr], before: Mapping[str, Attr], after: Mapping[str, Attr]
) -> Iterator[Change]:
    removed = [_removed(op, attr) for attr in before.values() if attr.name not in after]
    added = [_added(op, attr) for attr in declared if attr.name not in before]
    renamed: dict[str, ArgumentRenamed] = {}
    if removed and added:
        from opspec_lint.pairing import pair

        renamed = {change.name: change for change in pair(removed, added) if isinstance(change, ArgumentRenamed)}
    gone = {change.name: renamed.get(change.name, change) for change in removed}
    for name, attr in before.items():
        if name in gone:
            yield gone[name]
        elif attr is not after[name]:
            yield from diff_fields(attr, after[name], op, "attr", _CONSTRAINTS)
    names = {change.new_name for change in renamed.values()}
    yield from (change for change in added if change.name not in names)


def _diff_default(op: str, old: Attr, new: Attr) -> Iterator[FieldChanged]:
    was, now = old.default_value, new.default_value
    if UNKNOWN not in (was, now) and not values.same_typed(was, old.type, now, new.type):
        yield _default_changed(FieldChanged, op, old, new)


def _default_changed(make: type[FieldChanged], op: str, old: Attr, new: Attr) -> FieldChanged:
    return make(
        op=op,
        kind="attr",
        name=old.name,
        field="default_value",
        old=old.default_value,
        new=new.default_value,
        before=old,
        after=new,
    )


def _added_late(old: Op, new: Mapping[str, Attr], first: Mapping[str, Attr]) -> Iterator[FieldChanged]:
    """Yield the attrs that came after the first declaration, without the default value that they now have."""
    for attr in old.attrs:
        if attr.name not in first and attr.name in new and attr.default_value is None:
            now = new[attr.name]
            if now.default_value is not None:
                yield _default_changed(DefaultAddedLate, old.name, attr, now)


def _by_name(op: Op) -> dict[str, Attr]:
    return {attr.name: attr for attr in op.attrs}


def _added(op: str, attr: Attr) -> ArgumentAdded:
    return ArgumentAdded(op=op, kind="attr", name=attr.name, new=attr)


def _removed(op: str, attr: Attr) -> ArgumentRemoved:
    return ArgumentRemoved(op=op, kind="attr", name=attr.name, old=attr)


def _identity(change: Change) -> tuple[str, str, str]:
    return change.event, change.kind, change.name
