"""The worst level of a change of an op, by the way in which TensorFlow's importer binds nodes to declarations.

The profile `tensorflow-saved-model` limits the levels of rules with it. `importer` checks one graph; this module
answers for all graphs that base can have saved.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs.release import target_release

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.report.findings import Level
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def worst_level(fact: Fact, base: Spec, head: Spec) -> Level:
    """Return the highest level that a change can have for graphs that base saved and head imports."""
    if fact.event == "attr_removed":
        return "warning" if target_release(head).unknown_attr_effect == "loads" else "error"
    if fact.event == "deprecation_changed":
        return "error" if _is_refused(fact, base) else "off"
    if fact.event == "output_added_not_dispensable":
        return "note" if _follows_base_outputs(fact, base, head) else "error"
    return "error"


def _is_refused(change: Fact, base: Spec) -> bool:
    """Return whether head refuses a deprecated op in graphs with the producer version of base."""
    since = None if change.after is None else change.after.get("deprecation_version")
    # A base without versions may write any: only a known older producer is safe.
    written = base.graph_versions
    return isinstance(since, int) and bool(since) and (written is None or written.producer >= since)


def _follows_base_outputs(change: Fact, base: Spec, head: Spec) -> bool:
    """Return whether an added output follows all outputs of base, so that inputs such as `node:1` mean the same."""
    op = change.op or ""
    names = [output.name for output in head.ops[op].outputs]
    return names.index(change.name or "") >= len(base.ops[op].outputs)
