"""The comparison of two specs of schemas, as PyTorch's compatibility check does it: by position, behind `*` by name."""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.changes.ops import op_added
from opspec_lint.diff.fields import diff_fields
from opspec_lint.frameworks.pytorch.compare.comparison import compare
from opspec_lint.frameworks.pytorch.compare.renames import renames
from opspec_lint.frameworks.pytorch.facts import promised, remark, schema_change, schema_removed
from opspec_lint.frameworks.pytorch.framework import UPGRADERS
from opspec_lint.frameworks.pytorch.saved.upgraders import find_upgrader
from opspec_lint.frameworks.pytorch.schemas.text import show
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec

_PLAIN_FIELDS = ("op_tags", "deprecation")


def compare_ops(
    base: Spec, head: Spec, only: Collection[str] | None, table: FieldTable
) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield the facts about the changes of schemas between two releases, and each pair of schemas that may differ."""
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    names = before | after if only is None else (before | after).intersection(only)
    removed, added = names - after, names - before
    renamed = dict(renames(base, head, removed, added)) if removed and added else {}
    # Most sources know no tags: without this, all ops of such a spec and one with tags would be compared.
    lost, gained = op_table.fields_known_once(base.ops, head.ops)
    is_known_alike = lost | gained <= {*_PLAIN_FIELDS}
    upgrades = bool(head.loading.get(UPGRADERS))
    for name in sorted(names):
        if name in renamed:
            yield _rename_fact(base.ops[name], head.ops[renamed[name]])
        elif name in removed:
            yield _removal_fact(base, name, head if upgrades else None)
        elif name in added:
            if name not in renamed.values():
                yield op_added(head.ops, name)
        elif not (
            op_table.certainly_equal(base.ops, head.ops, name)
            or (is_known_alike and op_table.equal_in_shared_knowledge(base.ops, head.ops, name))
        ):
            old, new = base.ops[name], head.ops[name]
            yield old, new
            yield from _schema_facts(old, new, head if upgrades else None)
            yield from diff_fields(old, new, name, "op", [table.fields_of("ops")[field] for field in _PLAIN_FIELDS])


def _schema_facts(old: Op, new: Op, head: Spec | None) -> Iterator[Fact]:
    """Yield the facts about two schemas of an op; none is backward if head has an upgrader for the old one."""
    facts = compare(old, new)
    upgrader = find_upgrader(head, old) if facts and head is not None else None
    for fact in facts:
        if upgrader is None:
            yield fact
            continue
        refused, broken = (
            tuple(way for way in ways or () if way != "backward") for ways in (fact.refused, fact.broken)
        )
        yield fact.replace(refused=refused, broken=broken, remark=remark(upgrader.description, fact.promise))


def _removal_fact(base: Spec, op: str, head: Spec | None) -> Fact:
    """Return the fact that head lacks an op, and the upgrader with which head still loads archives with it."""
    old = base.ops[op]
    upgrader = None if head is None else find_upgrader(head, old)
    return schema_removed(base.ops, op, show(old), "" if upgrader is None else upgrader.description)


def _rename_fact(old: Op, new: Op) -> Fact:
    """Return the fact that an op has another name in head: programs find ops by name, so it breaks both ways."""
    promise = promised(old)
    return schema_change("schema_renamed", old, "op", (old, new), (old.name, new.name)).replace(
        declared=(show(old), show(new)),
        refused=("backward", "forward"),
        broken=("backward", "forward"),
        promise=promise,
        remark=remark("", promise),
    )


def _compare_op(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> list[Fact]:  # noqa: ARG001
    """Return the differences between two declarations of an op."""
    return [*compare(old, new)]


BINDING = Binding(compare=_compare_op, compare_all=compare_ops, is_in_order=True)
