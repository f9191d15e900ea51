"""A report on the interfaces of single models under a policy: the hazards of retracing, without a second model."""

from __future__ import annotations

from opspec_lint.diff.interfaces import retracing
from opspec_lint.kit.errors import UsageError
from opspec_lint.lint import check, judge
from opspec_lint.report.findings import Comparison, Side
from opspec_lint.spec.interface.declarations import INTERFACE, is_interface
from opspec_lint.spec.interface.faults import require_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.lint.profile import Profile
    from opspec_lint.report.findings import Report
    from opspec_lint.spec.model import Spec


def interface_report(specs: Iterable[Spec], policy: Profile) -> Report:
    """Return the report on the interfaces of some models, each as a comparison of the model with itself.

    Raises:
        UsageError: a spec is not the interface of a model.
        InputError: a spec contains a type that cannot be parsed.
    """
    return check.report(*(_compare_with_itself(spec, policy) for spec in specs))


def _compare_with_itself(spec: Spec, policy: Profile) -> Comparison:
    """Return a comparison of an interface with itself that holds the findings on its hazards."""
    if not is_interface(spec.provenance):
        problem = f"{spec.file} is a spec of the ops of {spec.provenance.framework}, and --profile judges models"
        raise UsageError(problem, advice="name a saved model, or its interface as `opspec-lint extract` writes it")
    require_types(spec)
    side = Side(file=spec.file, provenance=spec.provenance, ops=len(spec.ops))
    findings = judge.judge(retracing.hazards(spec), policy, framework=INTERFACE, in_order=True)
    return Comparison(base=side, head=side, profile=policy.name, findings=findings)
