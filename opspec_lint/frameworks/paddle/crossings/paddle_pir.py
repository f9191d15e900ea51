"""The comparison of legacy ops with the PIR ops that Paddle 3 translates them to, for saved `.pdmodel` files.

Each op of base is checked in the forms in which base saves it (`translation/forms.py`). Gradients are left out, since
models for inference have none. If base's own translation (`before`) is known, only changes count: forms that were
translated, and that head refuses or reads otherwise.
"""

from __future__ import annotations

from opspec_lint.diff.fields import same_op
from opspec_lint.frameworks.paddle.saved.translation import causes, forms, release
from opspec_lint.frameworks.paddle.saved.translation.translators import TRANSLATORS, legacy_ops_of
from opspec_lint.lint import remarks
from opspec_lint.lint.circumstances import circumstance
from opspec_lint.lint.crossing import Crossing
from opspec_lint.spec import fields, op_table
from opspec_lint.spec.identity import without_build

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from opspec_lint.frameworks.paddle.saved.translation.causes import Cause
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_EVENTS: Mapping[EventId, EventId] = {
    "model_op_unknown": "translation_op_missing",
    "model_attr_missing": "translation_attr_absent",
    "model_attr_filled": "translation_attr_filled",
    "model_attr_type": "translation_attr_type",
    "model_input_missing": "translation_input_absent",
    "model_output_missing": "translation_output_absent",
    "model_not_judged": "translation_not_told",
}
_BACKWARD = "_grad"
_PATCH_EVENTS: frozenset[EventId] = frozenset(
    {
        "patch_missing",
        "patch_names_nothing",
        "patch_not_applied",
        "patch_of_other_dialect",
        "patch_unread",
        "patches_untold",
    }
)
"""The events about patches, which are applied to PIR programs only, not to translated ones."""


def compare(base: Spec, head: Spec, only: Collection[str] | None, before: Spec | None) -> Iterator[Fact]:
    """Yield the faults of each op of base under head; with `before`, only the faults that are new."""
    if before is None:
        yield from _faults_under_head(base, head, only)
    else:
        yield from _new_faults(base, before, head, only)


def _faults_under_head(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the faults of the least form of each op."""
    loading = release.release_of(head)
    for op in _choose_ops(base, only, only or ()):
        check = forms.least_form(op).check(loading)
        for fault in check.faults():
            yield _fact(fault, op, causes.declaration_cause(fault, op, check.target))


def _new_faults(base: Spec, before: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield new remarks about head, and new faults of ops that `before` translates."""
    new_remarks = remarks.new_remarks(before, head, only)
    yield from (fact for fact in new_remarks if fact.event not in _PATCH_EVENTS)
    related_ops = _ops_of_changed_targets(before, head)
    chosen_ops = [op for op in _choose_ops(base, None, only or ()) if without_build(op.name) in related_ops]
    if not chosen_ops:
        return
    base_release, head_release = release.release_of(before), release.release_of(head)
    unresolved_ops, table = remarks.unresolved_ops(head, before), fields.field_table(head.provenance.framework)
    for op in chosen_ops:
        old, new = (forms.least_form(op).check(translating).target for translating in (base_release, head_release))
        # An op that cannot be read in head may be unchanged; its remark says so.
        if old is None or old.name in unresolved_ops or (only is not None and {op.name, old.name}.isdisjoint(only)):
            continue
        # An unchanged PIR op accepts the same forms, unless a node chooses among several ops.
        if new is None or not same_op(old, new, table) or _has_several_targets(op.name):
            for fault in forms.losses(op, base_release, head_release):
                yield _fact(fault, op, causes.change_cause(fault, op, old, head.ops.get(old.name)))


def _ops_of_changed_targets(before: Spec, head: Spec) -> set[str]:
    """Return the legacy ops that may become a PIR op which changed."""
    legacy_ops: set[str] = set()
    for name in op_table.names(before.ops) | op_table.names(head.ops):
        declared = [spec.ops[name] for spec in (before, head) if name in spec.ops and not _is_same(before, head, name)]
        for op in declared:
            legacy_op = str(op.get("kernel_of") or _without_dialect(name))
            further_ops = (further_op for further_op, *_ in op.get("other_legacy_names") or ())
            legacy_ops |= {
                legacy_op,
                legacy_op.rstrip("_"),
                *(op.get("legacy_names") or ()),
                *further_ops,
                *legacy_ops_of(_without_dialect(name)),
            }
    return legacy_ops


def _without_dialect(name: str) -> str:
    """Return the name of an op without its dialect."""
    return name.partition(".")[2]


def _is_same(before: Spec, head: Spec, name: str) -> bool:
    """Return whether an op certainly did not change."""
    return name in before.ops and name in head.ops and op_table.certainly_equal(before.ops, head.ops, name)


def _has_several_targets(op: str) -> bool:
    """Return whether the inputs or attrs of a node decide which PIR op it becomes."""
    return op in TRANSLATORS and len(TRANSLATORS[op].targets) > 1


def _choose_ops(base: Spec, only: Collection[str] | None, requested: Collection[str]) -> Iterator[Op]:
    """Yield the ops of base in order of name: those in `only`, or all if it is None.

    A backward op is left out unless it is in `requested`, the ops that the user named, as no program that was saved for
    inference has one.
    """
    names = op_table.names(base.ops)
    for name in sorted(names if only is None else names & set(only)):
        if _BACKWARD not in name or name in requested:
            yield base.ops[name]


def _fact(fault: Fact, op: Op, cause: Cause) -> Fact:
    """Return the fact about a fault, with the places of its cause."""
    facts = {"old": fault.old, "new": fault.new, **fault.facts}
    # The cause has the remedy for a change of a declaration; a fault that is not judged has its own.
    if fault.event != "model_not_judged":
        facts["remedy"] = cause.remedy
    return circumstance(
        _EVENTS.get(fault.event, fault.event),
        fault.kind,
        fault.name or "",
        facts,
        op=op.name,
        old=fault.old,
        new=fault.new,
        origins=(cause.base_origin, cause.origin),
    )


CROSSING = Crossing(profile="paddle-translation", compare=compare)
"""Programs (ProgramDesc), and the PIR ops that Paddle 3 translates them to."""
