"""The pictures of the models that a view shows, with what audits found marked in them."""

from __future__ import annotations

from opspec_lint.models.picture.build import picture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.models.picture.build import Picture
    from opspec_lint.models.view import Seen


def pictures(models: Iterable[Seen]) -> Iterator[Picture]:
    """Yield the picture of each model; findings are numbered through all of its audits."""
    for each in models:
        yield picture(each.model, marks(each))


def marks(seen: Seen) -> Iterator[tuple[int, str, str]]:
    """Yield the number of each finding that counts, and graph and name of each node that it is about."""
    found = (finding for audit in seen.audits for finding in audit.findings)
    nodes = {key: places for audit in seen.audits for key, places in audit.nodes.items()}
    for number, finding in enumerate(found):
        if finding.level == "error" and finding.counts:
            for graph, node in nodes.get(finding.fingerprint, ()):
                yield number, graph, node
