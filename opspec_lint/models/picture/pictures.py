"""The pictures of several models, with the marks of audit findings."""

from __future__ import annotations

from opspec_lint.models.picture.build import build_picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.models.picture.build import ModelPicture
    from opspec_lint.models.view import ShownModel


def build_pictures(models: Iterable[ShownModel]) -> Iterator[ModelPicture]:
    """Yield the picture of each model."""
    for shown_model in models:
        yield build_picture(shown_model.model, finding_marks(shown_model))


def finding_marks(shown_model: ShownModel) -> Iterator[tuple[int, str, str]]:
    """Yield (number, graph, node) for each node with an unwaived error; numbers run through all audits of the model."""
    findings = ((audit, finding) for audit in shown_model.audits for finding in audit.findings)
    for number, (audit, finding) in enumerate(findings):
        if finding.level == "error" and finding.counts:
            for graph, node in audit.nodes.get(finding.fingerprint, ()):
                yield number, graph, node
