"""From the ops of a release that saved a `.pdmodel` to the PIR ops of a release that translates it.

Each op of base is looked at as base saves it (`translation.forms`). Backward ops are left out: a model that was saved
for inference has none. Where it is known what base was translated to before, a change counts: what head refuses or
reads otherwise of the forms that were translated.
"""

from __future__ import annotations

from opspec_lint.diff.fields import same_op
from opspec_lint.frameworks.paddle.saved.translation import causes, forms, release
from opspec_lint.frameworks.paddle.saved.translation.translators import TRANSLATORS, sources
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
_OF_PATCHES: frozenset[EventId] = frozenset(
    {
        "patch_missing",
        "patch_names_nothing",
        "patch_not_applied",
        "patch_of_other_dialect",
        "patch_unread",
        "patches_untold",
    }
)
"""The events of remarks on patches: patches are applied to PIR programs, and to none that is translated."""


def compare(base: Spec, head: Spec, only: Collection[str] | None, before: Spec | None) -> Iterator[Fact]:
    """Yield what becomes of each op of base; with `before`, what becomes of those that it translates."""
    if before is None:
        yield from _refused(base, head, only)
    else:
        yield from _lost(base, before, head, only)


def _refused(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    loading = release.of(head)
    for op in _chosen(base, only, only or ()):
        check = forms.least(op).check(loading)
        for fault in check.faults():
            yield _fact(fault, op, causes.declared(fault, op, check.target))


def _lost(base: Spec, before: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Fact]:
    """Yield the new remarks on reading head, and what head takes from the ops that were translated."""
    news = remarks.new_remarks(before, head, only)
    yield from (fact for fact in news if fact.event not in _OF_PATCHES)
    related = _related(before, head)
    chosen = [op for op in _chosen(base, None, only or ()) if without_build(op.name) in related]
    if not chosen:
        return
    was, now = release.of(before), release.of(head)
    untold, table = remarks.unresolved_ops(head, before), fields.field_table(head.provenance.framework)
    for op in chosen:
        old, new = (forms.least(op).check(each).target for each in (was, now))
        if old is None or old.name in untold or (only is not None and {op.name, old.name}.isdisjoint(only)):
            continue
        if new is None or not same_op(old, new, table) or _has_several_targets(op.name):
            for fault in forms.losses(op, was, now):
                yield _fact(fault, op, causes.changed(fault, op, old, head.ops.get(old.name)))


def _related(before: Spec, head: Spec) -> set[str]:
    """Return the names of legacy ops that may become a PIR op which changed."""
    found: set[str] = set()
    for name in op_table.names(before.ops) | op_table.names(head.ops):
        declared = [each.ops[name] for each in (before, head) if name in each.ops and not _is_same(before, head, name)]
        for op in declared:
            own = str(op.get("kernel_of") or _own(name))
            others = (each for each, *_ in op.get("other_legacy_names") or ())
            found |= {own, own.rstrip("_"), *(op.get("legacy_names") or ()), *others, *sources(_own(name))}
    return found


def _own(name: str) -> str:
    return name.partition(".")[2]


def _is_same(before: Spec, head: Spec, name: str) -> bool:
    return name in before.ops and name in head.ops and op_table.certainly_equal(before.ops, head.ops, name)


def _has_several_targets(op: str) -> bool:
    """Tell whether the inputs or attrs of a node decide which PIR op it becomes."""
    return op in TRANSLATORS and len(TRANSLATORS[op].targets) > 1


def _chosen(base: Spec, only: Collection[str] | None, named: Collection[str]) -> Iterator[Op]:
    """Yield ops of base in order of name: some or all, without backward ops that nobody named."""
    every = op_table.names(base.ops)
    for name in sorted(every if only is None else every & set(only)):
        if _BACKWARD not in name or name in named:
            yield base.ops[name]


def _fact(fault: Fact, op: Op, cause: Cause) -> Fact:
    return circumstance(
        _EVENTS.get(fault.event, fault.event),
        fault.kind,
        fault.name or "",
        {"old": fault.old, "new": fault.new, "remedy": cause.remedy, **fault.facts},
        op=op.name,
        old=fault.old,
        new=fault.new,
        origins=(cause.base_origin, cause.origin),
    )


CROSSING = Crossing(profile="paddle-translation", compare=compare)
"""Programs (ProgramDesc), and the PIR ops that Paddle 3 translates them to."""
