"""The check of the versions of a graph (`VersionDef`) against the release that reads it."""

from __future__ import annotations

from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.fact import Fact


def faults(graph: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield the reasons why a release refuses a graph by its producer, min_consumer or bad_consumers."""
    versions, consumer = graph.versions, release.version
    if not graph.HasField("versions"):
        return
    # A producer of the future is no fault: a newer graph says in min_consumer which releases can read it.
    if versions.producer < release.min_producer:
        problem = (
            f"was written in version {versions.producer}, and the oldest supported version is {release.min_producer}"
        )
        yield _fault("producer_version", problem, versions.producer, release.min_producer)
    if consumer is None:
        return
    if versions.min_consumer > consumer:
        problem = f"requires at least version {versions.min_consumer}, and the release has {consumer}"
        yield _fault("min_consumer", problem, versions.min_consumer, consumer)
    if consumer in versions.bad_consumers:
        yield _fault("bad_consumer", f"lists the version of the release, {consumer}, as a bad consumer", consumer, None)


def _fault(reason: str, problem: str, old: int, new: int | None) -> Fact:
    remedy = "load it with a release that reads graphs of that version"
    fault = model_fault("model_graph_version", reason, "refused", reason, problem=problem, remedy=remedy)
    return fault.replace(old=old, new=new)
