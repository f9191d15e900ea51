"""Proves by `tf.import_graph_def`."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.kit.pattern import pattern
from opspec_lint.proof.prover import Prover

_REST = pattern(r"; NodeDef:|Op<name=| for '\{\{node|\[\[\{\{node|\{\{node|\n")
"""What begins to tell where it happened: all attrs and the whole declaration, for which nobody asked."""


_BEFORE = "Node: 'op'\n"
"""What stands, in the error of a kernel, between where the node was made and what is wrong with it."""


def told(error: str) -> str:
    """Return the sentence that says what is wrong with a node."""
    error = error.partition(_BEFORE)[2] or error
    return _REST.split(error)[0].strip()


PROVER = Prover(
    summary="tf.import_graph_def of a GraphDef, which is run where that tells more",
    package=Package(title="TensorFlow", name="tensorflow", requirement="tensorflow"),
    writer="graph_def",
    told=told,
    is_default=True,
    settled_by_run=frozenset({"attr"}),
    probe=lambda: read_probe(__file__, "_import_graph_def.py"),
)
