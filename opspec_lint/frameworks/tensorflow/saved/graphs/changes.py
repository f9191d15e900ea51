"""What becomes of a saved graph where an op changed: how bad a change is at most to the importer of a release.

It is the counterpart of `importer`, which checks one graph against the declarations of one release.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import release_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def worst_of(fact: Fact, base: Spec, head: Spec) -> Level:
    """Return the worst level of a fact, by what the importer of head makes of it.

    Args:
        fact: what is so of an op of base and of head.
        base: the spec of the release that saved the graph.
        head: the spec of the release that imports it.
    """
    if fact.event == "attr_removed":
        return "warning" if release_of(head).at_unknown_attr == "loads" else "error"
    if fact.event == "deprecation_changed":
        return "error" if _is_refused(fact, base) else "off"
    if fact.event == "output_added_not_dispensable":
        return "note" if _is_last(fact, base, head) else "error"
    return "error"


def _is_refused(change: Fact, base: Spec) -> bool:
    """Tell whether head refuses an op in graphs of the version that base writes."""
    since = None if change.after is None else change.after.get("deprecation_version")
    written = base.graph_versions
    return isinstance(since, int) and bool(since) and (written is None or written.producer >= since)


def _is_last(change: Fact, base: Spec, head: Spec) -> bool:
    """Tell whether no output of base has another number for it."""
    op = change.op or ""
    names = [output.name for output in head.ops[op].outputs]
    return names.index(change.name or "") >= len(base.ops[op].outputs)
