"""Compares two specs: a pure function from base and head to the facts, keyed by name, linear in their size."""

from __future__ import annotations

from opspec_lint import optable
from opspec_lint.changes import ArgumentAdded, ArgumentRemoved, OpAdded, OpInvalid, OpRemoved
from opspec_lint.fields import diff_fields, diff_op_fields
from opspec_lint.lineage import predecessor, successor
from opspec_lint.model import FIELDS, SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.changes import AnyArgument, Change
    from opspec_lint.model import Op, Spec


def diff(base: Spec, head: Spec, only: Collection[str] | None = None) -> list[Change]:
    """Return every fact that tells base and head apart, ordered by op.

    Of an op of head that is new or has changed, a fact is also that the framework refuses its declaration.
    Where arguments are bound by name, the facts of an op are ordered inputs before outputs before attrs; where they are
    bound as a signature, attrs come first, as the signature depends on them, and default values last. What one side
    does not know is not compared. Where one side alone knows whether an argument is extra, its word serves for both;
    where neither does, the argument counts as not extra.

    Args:
        base: the spec that saved models were made under.
        head: the spec that is to take its place.
        only: the names of the ops to look at, or None for all.
    """
    from opspec_lint.registrations import registration_changes

    changes: list[Change] = []
    ordered = base.ordered and head.ordered
    names = base.ops.keys() | head.ops.keys()
    for name in sorted(names if only is None else names.intersection(only)):
        if name not in head.ops:
            written = base.graph_versions.producer if base.graph_versions else None
            after = successor(name, head.ops)
            changes.append(
                OpRemoved(op=name, kind="op", name=name, ops=base.ops, successor=after, graph_version=written)
            )
            continue
        if name not in base.ops:
            before = predecessor(name, head.ops)
            changes.append(OpAdded(op=name, kind="op", name=name, ops=head.ops, predecessor=before))
        elif optable.surely_same(base.ops, head.ops, name):
            continue
        elif ordered:
            from opspec_lint import positional

            changes += positional.diff_op(base.ops[name], head.ops[name], base.earlier.get(name, ()))
        else:
            changes += _diff_op(base.ops[name], head.ops[name])
        if ordered and head.ops[name].invalid and base.ops.get(name) != head.ops[name]:
            changes.append(OpInvalid(op=name, kind="op", name=name, reason=str(head.ops[name].invalid)))
    if base.graph_versions and head.graph_versions:
        from opspec_lint.graphs import version_changes

        changes += version_changes(base.graph_versions, head.graph_versions)
    changes += registration_changes(base, head, changes, only)
    return changes


def _diff_op(old: Op, new: Op) -> Iterator[Change]:
    yield from diff_op_fields(old, new)
    removed: list[ArgumentRemoved] = []
    added: list[ArgumentAdded] = []
    for kind, section in SECTIONS.items():
        before: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(old, section)}
        after: dict[str, AnyArgument] = {argument.name: argument for argument in getattr(new, section)}
        for name, argument in before.items():
            if name not in after:
                removed.append(ArgumentRemoved(op=old.name, kind=kind, name=name, old=argument))
            elif argument is not after[name]:
                yield from diff_fields(argument, after[name], old.name, kind, FIELDS[section])
        added += [
            ArgumentAdded(op=old.name, kind=kind, name=name, new=argument)
            for name, argument in after.items()
            if name not in before
        ]
    if removed and added:
        from opspec_lint.pairing import pair

        yield from pair(removed, added)
    else:
        yield from removed
        yield from added
