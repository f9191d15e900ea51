"""The binding by signature: a graph binds inputs and outputs of an op by position and type, and attrs by name.

The order of facts is the order in which TensorFlow's OpDefCompatible looks for differences: attrs, inputs, outputs;
then what OpDefAttrDefaultsUnchanged looks for (tensorflow/core/framework/op_def_util.cc).

Against a history, head is compared with every declaration in it. There are two exceptions: default values are compared
with the last declaration only, and, for attrs that came after the first declaration, also with the first one.
"""

from __future__ import annotations

from opspec_lint.diff.arguments import diff_arguments
from opspec_lint.diff.binding import Binding
from opspec_lint.diff.changes.arguments import argument_added, argument_removed, is_rename
from opspec_lint.diff.changes.field import field_changed
from opspec_lint.diff.fields import diff_fields, diff_op_fields, same_op
from opspec_lint.kit.text import plural
from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Op

_COUNT_AGAINST_EARLIER: frozenset[EventId] = frozenset(
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
"""The events that are also facts if only a declaration older than base's differs from head's."""


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> list[Fact]:
    """Return every difference between two declarations of an op, and between head's and earlier ones."""
    # A history keeps a copy of the declaration for each release, so an unchanged op needs no comparison with all of
    # them.
    if earlier and same_op(_sort_attrs(old), _sort_attrs(new), table):
        return []
    old_attrs, new_attrs = _attrs_by_name(old), _attrs_by_name(new)
    changes = _compare_without_defaults(old, new, table)
    seen = {_fact_identity(change) for change in changes}
    for distance, version in enumerate(reversed(earlier), 1):
        for change in _compare_without_defaults(version, new, table):
            if change.event in _COUNT_AGAINST_EARLIER and _fact_identity(change) not in seen:
                seen.add(_fact_identity(change))
                remark = f", counted from the declaration {plural(distance, 'version')} before base's"
                changes.append(change.replace(remark=remark))
    for name, attr in old_attrs.items():
        if name in new_attrs:
            changes += _diff_default(old.name, attr, new_attrs[name])
    if earlier:
        changes += _defaults_added_late(old, new_attrs, _attrs_by_name(earlier[0]))
    changes += diff_op_fields(old, new, table)
    return changes


def _sort_attrs(op: Op) -> Op:
    """Return a declaration with its attrs sorted by name, as their order binds nothing."""
    return op.replace(attrs=tuple(sorted(op.attrs, key=lambda attr: attr.name)))


def _compare_without_defaults(old: Op, new: Op, table: FieldTable) -> list[Fact]:
    """Return the differences between two declarations, except for default values of attrs."""
    attrs = _attrs_by_name(old), _attrs_by_name(new)
    changes = list(_diff_attrs(old.name, new.attrs, attrs, table))
    changes += diff_arguments(old, new, "input", attrs, table)
    changes += diff_arguments(old, new, "output", attrs, table)
    return changes


def _diff_attrs(
    op: str, declared: Sequence[Attr], attrs: tuple[Mapping[str, Attr], Mapping[str, Attr]], table: FieldTable
) -> Iterator[Fact]:
    """Yield the differences between attrs: in the order of base, then the added ones in the order of head."""
    before, after = attrs
    constraints = [field for field in table.fields_of("attrs").values() if field.name != "default_value"]
    removed = [argument_removed(op, "attr", attr) for attr in before.values() if attr.name not in after]
    added = [argument_added(op, "attr", attr) for attr in declared if attr.name not in before]
    renamed: dict[str | None, Fact] = {}
    if removed and added:
        from opspec_lint.diff.renames import pair_renames

        renamed = {change.name: change for change in pair_renames(removed, added, table) if is_rename(change)}
    gone = {change.name: renamed.get(change.name, change) for change in removed}
    for name, attr in before.items():
        if name in gone:
            yield gone[name]
        elif attr is not after[name]:
            yield from diff_fields(attr, after[name], op, "attr", constraints)
    names = {change.new_name for change in renamed.values()}
    yield from (change for change in added if change.name not in names)


def _diff_default(op: str, old: Attr, new: Attr) -> Iterator[Fact]:
    """Yield that the default value of an attr differs, by value and actual type."""
    was, now = old.default_value, new.default_value
    if UNKNOWN not in (was, now) and not values.same_typed(was, old.type, now, new.type):
        yield _default_changed(op, old, new)


def _default_changed(op: str, old: Attr, new: Attr, *events: EventId) -> Fact:
    values_of = old.default_value, new.default_value
    return field_changed(op, "attr", "default_value", (old, new), values_of, events=events)


def _defaults_added_late(old: Op, new: Mapping[str, Attr], first: Mapping[str, Attr]) -> Iterator[Fact]:
    """Yield the attrs added after the first declaration that had no default value in base, and have one now."""
    for attr in old.attrs:
        if attr.name not in first and attr.name in new and attr.default_value is None:
            now = new[attr.name]
            if now.default_value is not None and now.default_value is not UNKNOWN:
                yield _default_changed(old.name, attr, now, "attr_default_added_late")


def _attrs_by_name(op: Op) -> dict[str, Attr]:
    return {attr.name: attr for attr in op.attrs}


def _fact_identity(change: Fact) -> tuple[EventId, str, str | None]:
    return change.event, change.kind, change.name


BINDING = Binding(compare=compare, is_in_order=True)
