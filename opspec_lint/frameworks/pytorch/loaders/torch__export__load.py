"""`torch.export.load`: every node names an overload that the release must have, and its arguments by name.

Source: torch/_export/serde/serialize.py of 2.13.0, confirmed by loading. A missing overload ends loading, and so does
a required argument that the node does not give. An argument that the schema lacks is dropped. An argument whose name
is a keyword of Python, such as `from`, has to be given even if it has a default value. The major version of the
program's format has to be the release's, and the layout of the archive one that the release reads.
"""

from __future__ import annotations

from functools import partial
from keyword import iskeyword

from opspec_lint.frameworks.pytorch.framework import EXPORT_LAYOUTS, EXPORT_SCHEMA
from opspec_lint.frameworks.pytorch.saved.builds import Builds
from opspec_lint.frameworks.pytorch.saved.calls import missing_arguments
from opspec_lint.frameworks.pytorch.saved.knowledge import REMEDY, is_unknown_namespace, unknown_namespace_fault
from opspec_lint.frameworks.pytorch.saved.layout import FLAT, FOLDERS, OLD_PROGRAM
from opspec_lint.models.fault import model_fault, new_fault, not_judged, op_fault
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import MetaGraph, Model, Node
    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Spec

_EXPORT_AGAIN = "export the model again with the release that loads it, or load it with the release that saved it"
_HIGHER_ORDER = "higher_order"
"""The namespace of ops that take functions, such as `cond`: they have no schemas."""


def audit(model: Model, spec: Spec, options: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - what every loader is given
    """Yield the faults of a model under a release."""
    builds = Builds(spec)
    for meta in model.meta_graphs:
        yield from _format_faults(meta, spec)
        for graph in meta.graphs:
            for node in graph.nodes:
                for fault in builds.faults(node.op, partial(_node_faults, node)):
                    yield fault.replace(graph=graph.name, node=node.name)


def _format_faults(meta: MetaGraph, spec: Spec) -> Iterator[Fact]:
    """Yield the faults of the layout of an archive, or of the version of its format."""
    layout = FOLDERS if meta.tags else FLAT
    layouts, version = spec.loading.get(EXPORT_LAYOUTS), spec.loading.get(EXPORT_SCHEMA)
    if layouts is None:
        problem = "the spec does not state which layouts of archives torch.export reads"
        yield not_judged("layout", problem, REMEDY)
    elif layout not in layouts:
        names = {FLAT: f"'{OLD_PROGRAM}'", FOLDERS: "'models/NAME.json'"}
        problem = f"is stored as {names[layout]}, and torch.export of the release reads {names[layouts[0]]} only"
        yield model_fault("model_graph_version", "layout", "refused", "archive", problem=problem, remedy=_EXPORT_AGAIN)
    elif version is None:
        problem = "the spec does not state the version of torch.export's format"
        yield not_judged("schema_version", problem, REMEDY)
    elif meta.producer not in (None, 0, version[0]):
        problem = f"has schema version {meta.producer}, and torch.export of the release reads {version[0]} only"
        yield model_fault(
            "model_graph_version", "schema_version", "refused", "version", problem=problem, remedy=_EXPORT_AGAIN
        )


def _node_faults(node: Node, spec: Spec) -> Iterator[Fact]:
    """Yield the faults of a node: an unknown op, an unknown argument, or a missing one."""
    namespace, mark, _ = node.op.partition("::")
    if not mark:
        return  # a function of Python, such as operator.add
    if namespace == _HIGHER_ORDER:
        problem = f"'{node.op}' takes functions, and has no schema"
        yield not_judged(node.op, problem, "load the model with the release itself", op=node.op)
        return
    if is_unknown_namespace(spec, namespace):
        yield unknown_namespace_fault(node.op, namespace)
        return
    op = spec.ops.get(node.op)
    if op is None:
        yield new_fault(event="model_op_unknown", kind="op", op=node.op, effect="refused", reason="unknown_op")
        return
    given = [name for name, _ in node.inputs] + list(node.attrs)
    names = {argument.name for argument in op.inputs}
    for name in given:
        if name not in names:
            yield new_fault(event="model_input_unknown", kind="input", op=node.op, name=name, effect="changed")
    keywords = [argument for argument in op.inputs if iskeyword(argument.name) and argument.name not in given]
    for argument in dict.fromkeys([*missing_arguments(op, given), *keywords]):
        facts = {"problem": "is required, and the node does not give it"}
        if argument in keywords:
            facts = {"problem": "is not given, and its name is a keyword of Python, which the loader looks up"}
        # serialize.py looks up required arguments only if they are positional; a missing keyword fails in the call.
        effect: Effect = "fails_at_run" if argument.get("keyword_only") else "refused"
        name = argument.name
        yield op_fault("model_input_missing", node.op, effect, "missing_input", kind="input", name=name, **facts)


LOADER = Loader(summary="torch.export.load, for a .pt2 archive", formats=("pt2",), audit=audit)
