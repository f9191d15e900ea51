"""The checks of the functions that `tf.saved_model.load` makes of the signatures of a graph without objects.

It prunes the imported graph to each signature (python/saved_model/load_v1_in_v2.py). A function takes and returns
tensors, and no references to variables of TensorFlow 1 (`ValidateNonRefOutput` of graph_to_functiondef.cc).

Pruning creates the nodes of a signature again (python/eager/lift_to_graph.py), in a graph with the version of the
release: an op that is removed for graphs of this version is refused then, even if the graph is older and was imported.
All nodes behind the outputs are created, those behind the inputs too, but not the inputs.
"""

from __future__ import annotations

import sys

from opspec_lint.frameworks.tensorflow.saved.graphs import describe, ranks
from opspec_lint.frameworks.tensorflow.saved.graphs.importer import Importer, ImportOptions
from opspec_lint.frameworks.tensorflow.saved.graphs.nodes import REF
from opspec_lint.frameworks.tensorflow.saved.graphs.wires import input_node
from opspec_lint.frameworks.tensorflow.saved.saved_model.assets_and_signatures import signature_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.graphs.release import TargetRelease
    from opspec_lint.spec.fact import Fact

_SESSION = "load it with tf.compat.v1.saved_model.loader.load"
_REMEDY = f"{_SESSION}, or export it with tf.identity of the tensor as the output"
_RECREATED = f"{_SESSION}, or export it with a newer release"


def reference_faults(meta: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield the signatures with an output that is a reference, which no function can return."""
    # Reversed, so that of several signatures with a tensor the first one by key is named.
    tensors: dict[str, str] = {}
    for key in sorted(meta.signature_def, reverse=True):
        for info in meta.signature_def[key].outputs.values():
            name = describe.describe_tensor(info).name
            if name:
                tensors[name] = key
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


def recreation_faults(meta: Any, release: TargetRelease) -> Iterator[Fact]:
    """Yield the nodes of signatures that no graph with the version of the release can have."""
    importer = Importer(meta.graph_def, release, ImportOptions())
    # A spec without its version lists no op as removed that the release still has.
    version = sys.maxsize if release.version is None else release.version
    removed = _removed_ops(importer, version)
    if not removed and importer.producer > ranks.NO_SCALARS:
        return
    nodes = {node.name: node for node in meta.graph_def.node}
    reported: set[str] = set()
    for key in sorted(meta.signature_def):
        signature = meta.signature_def[key]
        fed = {_node_of(info) for info in signature.inputs.values()}
        created = _nodes_behind({_node_of(info) for info in signature.outputs.values()}, nodes) - fed
        for name, problem in _problems_of({name: nodes[name] for name in sorted(created)}, importer, version, removed):
            if name not in reported:
                reported.add(name)
                need = f"needs the node '{name}', which is created again in a graph of the release: {problem}"
                yield signature_fault(key, need, "signature_node", _RECREATED).replace(node=name)


def _removed_ops(importer: Importer, version: int) -> dict[str, int]:
    """Return the ops of the graph that later graph versions up to `version` lack, with the first of these versions."""
    named = importer.nodes.ops
    known = {node.op for node in importer.nodes} if named is None else named
    ops = importer.release.ops
    since = {name: ops[name].deprecation_version for name in known if name in ops}
    return {
        name: first
        for name, first in since.items()
        if isinstance(first, int) and importer.producer < first <= version and name not in importer.functions
    }


def _nodes_behind(outputs: Collection[str], nodes: Mapping[str, Any]) -> set[str]:
    """Return the nodes that some nodes depend on, by data or by control, and these nodes."""
    reached: set[str] = set()
    waiting = list(outputs)
    while waiting:
        name = waiting.pop()
        if name in nodes and name not in reached:
            reached.add(name)
            waiting += (input_node(text) for text in nodes[name].input)
    return reached


def _problems_of(
    created: Mapping[str, Any], importer: Importer, version: int, removed: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield the name and the problem of each node that a graph with this version cannot have."""
    placeholders: dict[str, int] = {}
    for name, node in created.items():
        rank = ranks.stated_rank(node.op, importer.check(node), version) if node.op == "Placeholder" else None
        if rank is not None:
            placeholders[name] = rank
    for name, node in created.items():
        if node.op in removed:
            yield name, f"its op '{node.op}' is removed since graph version {removed[node.op]}"
        for wrong in ranks.wrong_ranks(node.op, node.input, placeholders):
            given = f"'{wrong.source}' is of rank {wrong.rank} there"
            yield name, f"input {wrong.input} of '{node.op}' has to be of rank {wrong.expected}, and {given}"


def _node_of(info: Any) -> str:
    """Return the name of the node of a tensor."""
    return describe.describe_tensor(info).name.partition(":")[0]


def _outputs(importer: Importer, node: Any) -> tuple[str, ...]:
    checked = importer.check(node)
    return () if checked is None or checked.outputs is None else checked.outputs
