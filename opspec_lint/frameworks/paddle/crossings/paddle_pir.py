"""From the ops of a release that saved a `.pdmodel` to the PIR ops of a release that translates it.

Each op of base is looked at as base saves it (`translation.forms`). Backward ops are left out: a model that was saved
for inference has none. Where it is known what base was translated to before, a change counts: what head refuses or
reads otherwise of the forms that were translated.
"""

from __future__ import annotations

from opspec_lint.diff.fields import same_op
from opspec_lint.frameworks.paddle.translation import causes, forms, release
from opspec_lint.frameworks.paddle.translation.translators import TRANSLATORS
from opspec_lint.lint import remarks
from opspec_lint.lint.circumstances import Circumstance
from opspec_lint.lint.crossing import Crossing
from opspec_lint.spec import fields, op_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.frameworks.paddle.translation.causes import Cause
    from opspec_lint.models.fault import Fault
    from opspec_lint.spec.model import Op, Spec

_EVENTS = {
    "model_op_unknown": "translation_op_missing",
    "model_attr_missing": "translation_attr_absent",
    "model_attr_filled": "translation_attr_filled",
    "model_attr_type": "translation_attr_type",
    "model_input_missing": "translation_input_absent",
    "model_output_missing": "translation_output_absent",
    "model_not_judged": "translation_not_told",
}
_BACKWARD = "_grad"
_OF_PATCHES = "patch"
"""How the rules of remarks on patches begin: patches are applied to PIR programs, and to none that is translated."""


def compare(base: Spec, head: Spec, only: Collection[str] | None, before: Spec | None) -> Iterator[Circumstance]:
    """Yield what becomes of each op of base; with `before`, what becomes of those that it translates."""
    if before is None:
        yield from _refused(base, head, only)
    else:
        yield from _lost(base, before, head, only)


def _refused(base: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Circumstance]:
    loading = release.of(head)
    for op in _chosen(base, only):
        check = forms.least(op).check(loading)
        for fault in check.faults():
            yield _fact(fault, op, causes.declared(fault, op, check.target))


def _lost(base: Spec, before: Spec, head: Spec, only: Collection[str] | None) -> Iterator[Circumstance]:
    """Yield the new remarks on reading head, and what head takes from the ops that were translated."""
    news = remarks.news(before, head, only)
    yield from (fact for fact in news if not fact.event.startswith(_OF_PATCHES))
    was, now = release.of(before), release.of(head)
    untold, table = remarks.unresolved(head, before), fields.table(head.provenance.framework)
    for op in _chosen(base, None):
        old, new = (forms.least(op).check(each).target for each in (was, now))
        if old is None or old.name in untold:
            continue
        if new is not None and same_op(old, new, table) and not _has_several_targets(op.name):
            continue
        if only is None or not {op.name, old.name}.isdisjoint(only):
            for fault in forms.losses(op, was, now):
                yield _fact(fault, op, causes.changed(fault, op, old, head.ops.get(old.name)))


def _has_several_targets(op: str) -> bool:
    """Tell whether the inputs or attrs of a node decide which PIR op it becomes."""
    return op in TRANSLATORS and len(TRANSLATORS[op].targets) > 1


def _chosen(base: Spec, only: Collection[str] | None) -> Iterator[Op]:
    every = op_table.names(base.ops)
    for name in sorted(every if only is None else every & set(only)):
        if only is not None or _BACKWARD not in name:
            yield base.ops[name]


def _fact(fault: Fault, op: Op, cause: Cause) -> Circumstance:
    return Circumstance(
        event=_EVENTS.get(fault.event, fault.event),
        kind=fault.kind,
        op=op.name,
        name=fault.name,
        facts={"old": fault.old, "new": fault.new, "remedy": cause.remedy, **fault.facts},
        old=fault.old,
        new=fault.new,
        base_origin=cause.base_origin,
        origin=cause.origin,
    )


CROSSING = Crossing(profile="paddle-translation", compare=compare)
"""Programs (ProgramDesc), and the PIR ops that Paddle 3 translates them to."""
