"""Comparison of two specs: a pure function from base and head to facts, in time linear in their size.

The facts of an op are the differences of its fields and arguments, which its binding pairs. Facts about builds, values
of the loader, what a spec knows, op versions and disagreements follow, in this order: the later ones depend on which
ops differ.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.diff.agreement import new_disagreements, settle
from opspec_lint.diff.binding import BINDINGS
from opspec_lint.diff.changes.knowledge import knowledge_changed
from opspec_lint.diff.changes.ops import op_added, op_invalid, op_removed
from opspec_lint.diff.changes.whole_specs import binding_changed
from opspec_lint.diff.fields import diff_fields, same_op
from opspec_lint.diff.knowledge import drop_untrusted_exemptions, knowledge_changes
from opspec_lint.diff.memory import NO_MEMORY
from opspec_lint.diff.successors import predecessor, successor
from opspec_lint.spec import fields, op_table
from opspec_lint.spec.model import BY_NAME, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.diff.binding import Binding
    from opspec_lint.diff.changes.knowledge import Event
    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec


def diff(base: Spec, head: Spec, only: Collection[str] | None = None, memory: NoMemory = NO_MEMORY) -> list[Fact]:
    """Return every difference between base and head as a fact, ordered by op.

    For new and changed ops, this includes that the framework refuses head's declaration. A field that one side does not
    know cannot be compared; that only the other side knows it is a fact (`diff.knowledge`). Base decides whether an
    argument is extra; if it does not know, the argument counts as not extra.

    Args:
        base: the spec that existing models were saved with.
        head: the spec that replaces it.
        only: the names of the ops to look at, or None for all.
        memory: results of comparisons of other specs that share ops with these.

    Raises:
        InputError: a spec lacks something that its binding needs.
    """
    from opspec_lint.diff.op_versions import registration_changes

    binding, table = binding_for(base, head), fields.field_table(head.provenance.framework)
    compare = binding.compare_all or partial(_compare_ops, memory)
    for spec in (base, head):
        if binding.require is not None:
            binding.require(spec)
    changes: list[Fact] = []
    compared: list[tuple[Op, Op]] = []
    items = () if op_table.is_same_table(base.ops, head.ops) else compare(base, head, only, table)
    for item in items:
        if isinstance(item, tuple):
            compared.append(item)
        else:
            changes.append(item)
    differing = sorted({old.name for old, _ in compared} | {change.op for change in changes if change.op})
    if differing:
        # Imported here, since the most frequent comparison finds no differing op, and starts faster without them.
        from opspec_lint.diff.builds import build_changes
        from opspec_lint.diff.conditions import condition_changes

        changes += build_changes(base, head, differing)
        changes += condition_changes(compared)
    # Before the registrations, which only changes that are not exempt need.
    changes = drop_untrusted_exemptions(changes, base)
    changes += _loading_changes(base, head)
    changes += knowledge_changes(base, head, compared, table, only, memory)
    # After all facts about ops: each of them may need a registration.
    changes += registration_changes(base, head, changes, only, memory)
    changes += new_disagreements(base, head, only, memory)
    return settle(changes, base, head)


def _loading_changes(base: Spec, head: Spec) -> list[Fact]:
    """Return the facts about graph versions, the values of the loader, and the binding, which concern no single op."""
    changes: list[Fact] = []
    if base.graph_versions and head.graph_versions:
        from opspec_lint.diff.graph_versions import version_changes

        changes += version_changes(base.graph_versions, head.graph_versions)
    if base.loading and head.loading:
        from opspec_lint.diff.graph_versions import loading_changes

        changes += loading_changes(base.loading, head.loading)
    if base.binding != head.binding:
        changes.append(binding_changed(base.binding, head.binding))
    return changes


def _compare_ops(
    memory: NoMemory, base: Spec, head: Spec, only: Collection[str] | None, table: FieldTable
) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield the differences between the ops of two specs, paired by name, and each pair that may differ."""
    binding, before, after = binding_for(base, head), op_table.names(base.ops), op_table.names(head.ops)
    names = before | after
    # An op that head accepts under another name was not removed; the framework compares the two (`agreement.py`).
    renamed = binding.aliases(head).keys() - after if binding.aliases and not before <= after else set()
    lost: list[str] = []
    gained: list[str] = []
    for name in sorted(names if only is None else names.intersection(only)):
        if name not in after:
            if name not in renamed:
                if binding.may_omit_op is not None and binding.may_omit_op(head, name):
                    lost.append(name)
                else:
                    yield _removal(memory, base, name, after)
        elif name not in before:
            if binding.may_omit_op is not None and binding.may_omit_op(base, name):
                gained.append(name)
            else:
                yield from _addition(memory, head, name, after)
        elif not op_table.certainly_equal(base.ops, head.ops, name):
            old, new = base.ops[name], head.ops[name]
            yield old, new
            earlier = base.earlier.get(name, ())
            compare = partial(_compare_declarations, binding, old, new, earlier, table)
            # Earlier declarations are of the spec, not of the op: what depends on them is not kept.
            yield from compare() if earlier else memory.memoize_facts(old, new, binding.compare, compare)
    yield from _listing_changes("knowledge_lost", lost)
    yield from _listing_changes("knowledge_gained", gained)


def _removal(memory: NoMemory, base: Spec, name: str, after: Collection[str]) -> Fact:
    """Return the fact that only base has an op."""
    graph_version = base.graph_versions.producer if base.graph_versions else None
    next_op = successor(name, after)
    compute = partial(op_removed, base.ops, name, next_op, graph_version)
    return memory.intern(base.ops, name, ("removed", next_op, graph_version), compute)


def _addition(memory: NoMemory, head: Spec, name: str, after: Collection[str]) -> Iterator[Fact]:
    """Yield the fact that only head has an op, and that the framework refuses its declaration."""
    previous_op = predecessor(name, after)
    compute = partial(op_added, head.ops, name, previous_op)
    yield memory.intern(head.ops, name, ("added", previous_op), compute)
    if op_table.field_value(head.ops, name, "invalid"):
        yield op_invalid(head.ops[name])


def _listing_changes(event: Event, names: list[str]) -> Iterator[Fact]:
    """Yield that only one spec lists some ops, where the other may omit ops that the framework has."""
    if names:
        yield knowledge_changed(event, "listed", [(name, "") for name in names], "op")


def _compare_declarations(
    binding: Binding, old: Op, new: Op, earlier: tuple[Op, ...], table: FieldTable
) -> Iterator[Fact]:
    """Yield every difference between two declarations of an op."""
    # Behind a string that a framework rejects in a source, which has a place, the fields of the op are incomplete.
    if "invalid" not in old.places and "invalid" not in new.places:
        yield from binding.compare(old, new, earlier, table)
    yield from _compare_validity(old, new, table)


def binding_for(base: Spec, head: Spec) -> Binding:
    """Return the binding for a comparison: the binding of both specs, or by name if theirs differ."""
    return BINDINGS.load(base.binding if base.binding == head.binding else BY_NAME)


def _compare_validity(old: Op, new: Op, table: FieldTable) -> Iterator[Fact]:
    """Yield that the framework refuses head's changed declaration, or accepts one that it refused in base."""
    if new.invalid:
        if not same_op(old, new, table):
            yield op_invalid(new, old)
    elif old.invalid and new.invalid is not UNKNOWN:
        invalid = (field for field in table.fields_of("ops").values() if field.name == "invalid")
        yield from diff_fields(old, new, old.name, "op", invalid)
