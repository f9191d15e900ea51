"""Compares schemas as PyTorch's compatibility check does: arguments by position and, behind `*`, by name."""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.changes.ops import op_added
from opspec_lint.diff.fields import diff_fields
from opspec_lint.frameworks.pytorch.compare.comparison import compare
from opspec_lint.frameworks.pytorch.compare.renames import renames
from opspec_lint.frameworks.pytorch.facts import promised, remark, schema_change, schema_removed
from opspec_lint.frameworks.pytorch.framework import UPGRADERS
from opspec_lint.frameworks.pytorch.saved.upgraders import serving
from opspec_lint.frameworks.pytorch.schemas.text import show
from opspec_lint.spec import op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec

_OTHER_FIELDS = ("op_tags", "deprecation")


def compare_ops(
    base: Spec, head: Spec, only: Collection[str] | None, table: FieldTable
) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield what tells the schemas of two releases apart, and each pair of schemas that may differ."""
    before, after = op_table.names(base.ops), op_table.names(head.ops)
    names = before | after if only is None else (before | after).intersection(only)
    gone, come = names - after, names - before
    renamed = dict(renames(base, head, gone, come)) if gone and come else {}
    upgrades = bool(head.loading.get(UPGRADERS))
    for name in sorted(names):
        if name in renamed:
            yield _renamed(base.ops[name], head.ops[renamed[name]])
        elif name in gone:
            yield _removed(base, name, head if upgrades else None)
        elif name in come:
            if name not in renamed.values():
                yield op_added(head.ops, name)
        elif not op_table.certainly_equal(base.ops, head.ops, name):
            old, new = base.ops[name], head.ops[name]
            yield old, new
            yield from _facts(old, new, head if upgrades else None)
            yield from diff_fields(old, new, name, "op", [table.fields_of("ops")[field] for field in _OTHER_FIELDS])


def _facts(old: Op, new: Op, head: Spec | None) -> Iterator[Fact]:
    """Yield the facts about two schemas; where head upgrades archives with the old one, no old call breaks."""
    facts = compare(old, new)
    served = serving(head, old) if facts and head is not None else None
    for each in facts:
        if served is None:
            yield each
            continue
        refused, broken = (
            tuple(way for way in ways or () if way != "backward") for ways in (each.refused, each.broken)
        )
        yield each.replace(refused=refused, broken=broken, remark=remark(served.words, each.promise))


def _removed(base: Spec, op: str, head: Spec | None) -> Fact:
    """Return the fact that an op is gone; archives with it may be served by an upgrader of head."""
    old = base.ops[op]
    served = None if head is None else serving(head, old)
    return schema_removed(base.ops, op, show(old), "" if served is None else served.words)


def _renamed(old: Op, new: Op) -> Fact:
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
