"""The comparison of PIR specs beyond their declarations: existing programs under the patches of head, faulty patches.

A program has no names of inputs and outputs, all its attrs with their types, and no version of its ops. So the
question is whether an op as base saves it, after the patches that head applies, is the op that head declares.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.compare.patch_changes import patch_changes
from opspec_lint.frameworks.paddle_pir.compare.program_changes import (
    match_renamed_ops,
    op_changes,
    refused_by_base,
    renamed_op_changes,
)
from opspec_lint.frameworks.paddle_pir.compare.retypings import retyping_changes
from opspec_lint.frameworks.paddle_pir.compare.versions import Versions
from opspec_lint.spec import op_table
from opspec_lint.spec.slots import BY_SLOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.diff.memory import NoMemory
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def new_disagreements(
    base: Spec,
    head: Spec,
    only: Collection[str] | None,
    memory: NoMemory,  # noqa: ARG001 - what every agreement is given
) -> Iterator[Fact]:
    """Yield the effect of changed ops on programs in both directions, and the faults of new patches."""
    if BY_SLOT in (base.binding, head.binding):
        return
    old_names, new_names = (frozenset(filter(_has_dialect, op_table.names(spec.ops))) for spec in (base, head))
    all_names = old_names | new_names
    names = sorted(all_names if only is None else all_names.intersection(only))
    versions = Versions(base, head)
    removed_ops = [base.ops[name] for name in names if name not in new_names]
    # Only changed ops are built: two releases have most of their ops in common (`spec/op_table.py`).
    changed_ops = [head.ops[name] for name in names if name in new_names and not _is_same(base, head, name)]
    added_ops = [op for op in changed_ops if op.name not in old_names]
    # All changed ops may carry the patch of a rename, and only new ones are candidates by similarity.
    renamed = match_renamed_ops(removed_ops, added_ops, changed_ops)
    for old in removed_ops:
        if old.name in renamed:
            yield from renamed_op_changes(old, renamed[old.name], versions)
    for new in changed_ops:
        same_name = base.ops[new.name] if new.name in old_names else None
        if same_name is not None:
            yield from op_changes(same_name, new, versions)
            yield from refused_by_base(same_name, new)
        yield from patch_changes(same_name, new, head, versions)
    if only is None:  # types concern all ops, so that a comparison of single ops leaves them out
        yield from retyping_changes(base, head)


def _has_dialect(name: str) -> bool:
    """Return whether an op has a dialect in its name, as the ops of programs have."""
    return "." in name


def _is_same(base: Spec, head: Spec, name: str) -> bool:
    """Return whether an op of head certainly equals the one of base."""
    return name in base.ops and op_table.certainly_equal(base.ops, head.ops, name)
