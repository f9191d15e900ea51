"""Compares two specs: a pure function from base and head to the facts, keyed by op, linear in their size."""

from __future__ import annotations

from functools import partial

from opspec_lint.diff.agreement import new_disagreements, settle
from opspec_lint.diff.binding import BINDINGS
from opspec_lint.diff.changes.knowledge import knowledge_changed
from opspec_lint.diff.changes.ops import op_added, op_invalid, op_removed
from opspec_lint.diff.changes.whole_specs import binding_changed
from opspec_lint.diff.fields import diff_fields, same_op
from opspec_lint.diff.knowledge import drop_untrusted_exemptions, knowledge_changes
from opspec_lint.diff.successors import predecessor, successor
from opspec_lint.spec import fields, op_table
from opspec_lint.spec.model import BY_NAME, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.diff.binding import Binding
    from opspec_lint.diff.changes.knowledge import Event
    from opspec_lint.diff.memory import Memory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec


_KNOWLEDGE: tuple[Event, Event] = ("knowledge_lost", "knowledge_gained")


def diff(base: Spec, head: Spec, only: Collection[str] | None = None, memory: Memory | None = None) -> list[Fact]:
    """Return every fact that tells base and head apart, ordered by op.

    Of an op of head that is new or has changed, a fact is also that the framework refuses its declaration. What one
    side does not know cannot be compared; that the other does is a fact (`diff.knowledge`). Whether an argument of base
    is extra, base says; where it does not, the argument counts as not extra.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        only: the names of the ops to look at, or None for all.
        memory: of comparisons of other specs that share ops with these.

    Raises:
        InputError: a spec does not say what its binding works with.
    """
    from opspec_lint.diff.op_versions import registration_changes

    bound, table = binding_for(base, head), fields.field_table(head.provenance.framework)
    compare = bound.compare_all or partial(_compare_ops, memory)
    for spec in (base, head):
        if bound.require is not None:
            bound.require(spec)
    changes: list[Fact] = []
    compared: list[tuple[Op, Op]] = []
    for each in () if op_table.is_same_table(base.ops, head.ops) else compare(base, head, only, table):
        if isinstance(each, tuple):
            compared.append(each)
        else:
            changes.append(each)
    differing = sorted({old.name for old, _ in compared} | {change.op for change in changes if change.op})
    if differing:
        from opspec_lint.diff.builds import build_changes
        from opspec_lint.diff.conditions import condition_changes

        changes += build_changes(base, head, differing)
        changes += condition_changes(compared)
    changes = drop_untrusted_exemptions(changes, base)
    if base.graph_versions and head.graph_versions:
        from opspec_lint.diff.graph_versions import version_changes

        changes += version_changes(base.graph_versions, head.graph_versions)
    if base.loading and head.loading:
        from opspec_lint.diff.graph_versions import loading_changes

        changes += loading_changes(base.loading, head.loading)
    if base.binding != head.binding:
        changes.append(binding_changed(base.binding, head.binding))
    changes += knowledge_changes(base, head, compared, table, only, memory)
    changes += registration_changes(base, head, changes, only)
    changes += new_disagreements(base, head, only)
    return settle(changes, base, head)


def _compare_ops(
    memory: Memory | None, base: Spec, head: Spec, only: Collection[str] | None, table: FieldTable
) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield what tells the ops of two specs apart, op by op of one name, and each pair that may differ."""
    bound, before, after = binding_for(base, head), op_table.names(base.ops), op_table.names(head.ops)
    names = before | after
    renamed = bound.aliases(head) if bound.aliases and not before <= after else {}
    unlisted: tuple[list[tuple[str, str]], ...] = ([], [])
    for name in sorted(names if only is None else names.intersection(only)):
        if name in renamed and name not in after:
            continue  # whoever knows of the other name says what becomes of the op
        if (
            bound.may_omit_op
            and (name in before) is not (name in after)
            and bound.may_omit_op(base if name in after else head, name)
        ):
            unlisted[name in after].append((name, ""))
            continue
        if name not in after:
            written = base.graph_versions.producer if base.graph_versions else None
            instead = successor(name, after)
            gone = op_removed(base.ops, name, instead, written)
            yield gone if memory is None else memory.intern(gone, base.ops[name], instead, written)
        elif name not in before:
            earlier = predecessor(name, after)
            come = op_added(head.ops, name, earlier)
            yield come if memory is None else memory.intern(come, head.ops[name], earlier)
            if op_table.field_value(head.ops, name, "invalid"):
                yield op_invalid(head.ops[name])
        elif not op_table.certainly_equal(base.ops, head.ops, name):
            old, new = base.ops[name], head.ops[name]
            yield old, new
            declared = base.earlier.get(name, ())
            find = partial(_changes, bound, old, new, declared, table)
            yield from find() if memory is None or declared else memory.memoize_facts(old, new, bound.compare, find)
    for event, ops in zip(_KNOWLEDGE, unlisted, strict=True):
        if ops:
            yield knowledge_changed(event, "listed", ops, "op")


def _changes(bound: Binding, old: Op, new: Op, earlier: tuple[Op, ...], table: FieldTable) -> Iterator[Fact]:
    """Yield what tells two declarations of an op apart."""
    yield from bound.compare(old, new, earlier, table)
    yield from _validity_changes(old, new, table)


def binding_for(base: Spec, head: Spec) -> Binding:
    """Return the binding by which two specs are compared: their own, or by name where they differ."""
    return BINDINGS.load(base.binding if base.binding == head.binding else BY_NAME)


def _validity_changes(old: Op, new: Op, table: FieldTable) -> Iterator[Fact]:
    """Yield that the framework refuses what head declares in another way than base, or takes what it refused."""
    if new.invalid:
        if not same_op(old, new, table):
            yield op_invalid(new)
    elif old.invalid and new.invalid is not UNKNOWN:
        invalid = (each for each in table.fields_of("ops").values() if each.name == "invalid")
        yield from diff_fields(old, new, old.name, "op", invalid)
