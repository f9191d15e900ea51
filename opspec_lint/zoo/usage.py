"""Adds to findings the number of known models that use the changed op, and sorts findings by it.

The level of a finding stays the same if no known model uses the op: other people's models are not known.
"""

from __future__ import annotations

from opspec_lint.lint.steps import Steps
from opspec_lint.models import loader
from opspec_lint.models.format import MODEL_FORMATS
from opspec_lint.report.findings import Usage
from opspec_lint.spec.identity import without_build
from opspec_lint.zoo import uses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.report.findings import Comparison, Finding
    from opspec_lint.zoo.results import Results


def with_usage(comparisons: Iterable[Comparison], results: Results) -> Iterator[Comparison]:
    """Yield the comparisons with usage counts for op, attr and value in their findings, most used ops first.

    A comparison of a framework without known models is left unchanged. Raises InputError if the results are damaged.
    """
    for comparison in comparisons:
        frameworks = _model_frameworks(comparison.base.provenance.framework)
        usage_counts = _UsageCounts(results, frameworks)
        if not usage_counts.models:
            yield comparison
            continue
        annotated = Steps(used=usage_counts.finding).apply(comparison)
        yield annotated.replace(findings=tuple(sorted(annotated.findings, key=_by_usage)))


def _by_usage(finding: Finding) -> int:
    return 0 if finding.usage is None else -finding.usage.models


def _model_frameworks(framework: str) -> list[str]:
    """Return the frameworks of the models that loaders check against specs of a framework, such as onnxruntime."""
    formats = (
        model_format for model_format in MODEL_FORMATS.every() if framework in loader.spec_frameworks(model_format.name)
    )
    return sorted({framework, *(model_format.framework for model_format in formats)})


class _UsageCounts:
    """The numbers of models of some frameworks that use an op, attr or value, queried once."""

    def __init__(self, results: Results, frameworks: list[str]) -> None:
        self.models = results.count_models(frameworks)
        self._uses: Mapping[tuple[str, str, str], int] = results.count_uses(frameworks) if self.models else {}

    def finding(self, finding: Finding) -> Finding:
        """Return the finding with its usage counts; unchanged if it concerns no op."""
        if finding.op is None:
            return finding
        # The first name under which any model uses the op: specs and models of one framework spell ops differently.
        op = next((name for name in _names_in_models(finding.op) if (name, "", "") in self._uses), finding.op)
        attr = finding.name if finding.kind == "attr" else None
        value = uses.text_of(finding.old) if attr and finding.field == "default_value" else None
        return finding.replace(
            usage=Usage(
                models=self._uses.get((op, "", ""), 0),
                of=self.models,
                with_attr=None if attr is None else self._uses.get((op, attr, ""), 0),
                with_value=None if attr is None or value is None else self._uses.get((op, attr, value), 0),
            )
        )


def _names_in_models(op: str) -> Iterator[str]:
    """Yield the names that models may use for an op of a spec.

    A spec may add a build, or a version (`Relu@14` of ONNX); TorchScript of a library has `.` in place of `::`.
    """
    yield op
    yield without_build(op)
    name = without_build(op).rpartition("@")[0]
    yield name
    yield name.replace("::", ".")
