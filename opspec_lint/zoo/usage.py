"""Adds to findings how many known models use what changes, and puts those first that most models use.

A finding that no known model is about is as bad as before: the models of others are not known.
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
    """Yield comparisons whose findings say how many models use the op, the attr and its value, most used ops first.

    A comparison of a framework of which no model is known is left as it is.

    Raises:
        InputError: the results are damaged.
    """
    for each in comparisons:
        frameworks = _model_frameworks(each.base.provenance.framework)
        counted = _Counted(results, frameworks)
        if not counted.models:
            yield each
            continue
        found = Steps(used=counted.finding).of(each)
        yield found.replace(findings=tuple(sorted(found.findings, key=_place)))


def _place(finding: Finding) -> int:
    return 0 if finding.usage is None else -finding.usage.models


def _model_frameworks(framework: str) -> list[str]:
    """Return the frameworks of the models that loaders check against specs of a framework."""
    formats = (each for each in MODEL_FORMATS.every() if framework in loader.spec_frameworks(each.name))
    return sorted({framework, *(each.framework for each in formats)})


class _Counted:
    """How many models of some frameworks use what; it is counted once."""

    def __init__(self, results: Results, frameworks: list[str]) -> None:
        self.models = results.count_models(frameworks)
        self._uses: Mapping[tuple[str, str, str], int] = results.count_uses(frameworks) if self.models else {}

    def finding(self, finding: Finding) -> Finding:
        """Return a finding with its usage; as it is where it is about no op."""
        if finding.op is None:
            return finding
        op = next((name for name in _names(finding.op) if (name, "", "") in self._uses), finding.op)
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


def _names(op: str) -> Iterator[str]:
    """Yield what a model may call an op: without its build, and without the version and domain of its schema."""
    yield op
    yield without_build(op)
    name = without_build(op).rpartition("@")[0]
    yield name
    yield name.replace("::", ".")
