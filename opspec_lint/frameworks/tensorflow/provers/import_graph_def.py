"""The prover `tf.import_graph_def`: imports a GraphDef with the op in question, and runs it where needed."""

from __future__ import annotations

from opspec_lint.interpreters.messages import Package
from opspec_lint.interpreters.runner import read_probe
from opspec_lint.kit.pattern import pattern
from opspec_lint.proof.prover import Prover

_CONTEXT_START = pattern(r"; NodeDef:|Op<name=| for '\{\{node|\[\[\{\{node|\{\{node|\n")
"""Start of the context that TensorFlow appends to an error: all attrs of the node and the whole declaration."""


_KERNEL_ERROR_MARK = "Node: 'op'\n"
"""The text in an error of a kernel before the sentence that states the problem."""


def error_sentence(error: str) -> str:
    """Return the sentence of an error of TensorFlow that states the problem of the node."""
    # For a kernel, the first part of the error is a traceback of the Python code that made the node.
    error = error.partition(_KERNEL_ERROR_MARK)[2] or error
    return _CONTEXT_START.split(error)[0].strip()


PROVER = Prover(
    summary="tf.import_graph_def of a GraphDef, which is run where that tells more",
    package=Package(title="TensorFlow", name="tensorflow", requirement="tensorflow"),
    writer="graph_def",
    error_summary=error_sentence,
    is_default=True,
    settled_by_run=frozenset({"attr"}),
    probe=lambda: read_probe(__file__, "_import_graph_def.py"),
)
