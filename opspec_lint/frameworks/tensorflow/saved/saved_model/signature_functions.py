"""The check of the functions that `tf.saved_model.load` makes of the signatures of a graph without objects.

It prunes the imported graph to each signature (python/saved_model/load_v1_in_v2.py). A function takes and returns
tensors, and no references to variables of TensorFlow 1 (`ValidateNonRefOutput` of graph_to_functiondef.cc).
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graphs import describe
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, ImportOptions
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF
from opspec_lint.frameworks.tensorflow.saved.saved_model.assets_and_signatures import signature_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.fact import Fact

_REMEDY = "load it with tf.compat.v1.saved_model.loader.load, or export it with tf.identity of the tensor as the output"


def reference_faults(meta: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield the signatures with an output that is a reference, which no function can return."""
    # Reversed, so that of several signatures with a tensor the first one by key is named.
    tensors = {
        name: key
        for key in sorted(meta.signature_def, reverse=True)
        for info in meta.signature_def[key].outputs.values()
        if (name := describe.describe_tensor(info).name)
    }
    importer = Importer(meta.graph_def, release, ImportOptions())
    nodes = {name.partition(":")[0] for name in tensors}
    types = {
        node.name: _outputs(importer, node) for node in meta.graph_def.node.mentioning(nodes) if node.name in nodes
    }
    for name, key in tensors.items():
        node, _, number = name.partition(":")
        outputs = types.get(node, ())
        place = int(number) if number.isdecimal() else 0
        if place < len(outputs) and outputs[place].endswith(REF):
            problem = f"returns '{name}', a reference to a variable, which no function can return"
            yield signature_fault(key, problem, "signature_reference", _REMEDY).replace(node=node)


def _outputs(importer: Importer, node: Any) -> tuple[str, ...]:
    checked = importer.check(node)
    return () if checked is None or checked.outputs is None else checked.outputs
