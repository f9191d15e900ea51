"""What a SavedModel restores from its checkpoint: by the restore ops of its graph, or by its graph of objects."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type
from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint, checks
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs, variables
from opspec_lint.kit.errors import InputError
from opspec_lint.models.fault import not_fetched, not_followed
from opspec_lint.models.files import LfsPointerError, NoModelError, OutsideError
from opspec_lint.models.model import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.spec.fact import Fact

RESTORE = "RestoreV2"
_VALUE = "VARIABLE_VALUE"


def opened(read: Callable[[], Checkpoint]) -> tuple[Checkpoint | None, list[Fact]]:
    """Return the checkpoint of a model, and the faults of one that cannot be read."""
    try:
        return read(), []
    except NoModelError as error:
        return None, [checks.unread(error, is_missing=True)]
    except LfsPointerError as error:
        return None, [not_fetched(error.file)]
    except OutsideError as error:
        return None, [not_followed(error.file, error.problem)]
    except InputError as error:
        return None, [checks.unread(error, is_missing=False)]


def wanted_by_ops(graph: Any, functions: Iterable[Any]) -> list[Tensor]:
    """Return the tensors that the restore ops of a graph, and of some of its functions, ask a checkpoint for."""
    found: dict[str, Tensor] = {}
    restoring = list(graph.node.with_any((RESTORE,)))
    sources = list(graph.node.with_any({_source(text) for node in restoring for text in node.input[1:3]}))
    bodies = ((each.node_def, each.node_def) for each in functions)
    for nodes, sources_of in ((restoring, sources), *bodies):
        by_name = {node.name: node for node in sources_of}
        for node in nodes:
            if node.op == RESTORE:
                for each in _wanted(node, by_name):
                    found.setdefault(each.name, each)
    return list(found.values())


def _wanted(node: Any, by_name: dict[str, Any]) -> Iterator[Tensor]:
    if len(node.input) < 3:
        return
    names, slices = (_strings(by_name.get(_source(each))) for each in node.input[1:3])
    types = attrs.read(node.attr).get("dtypes")
    dtypes = [data_type(each) for each in types.list.type] if types is not None else []
    for at, name in enumerate(names):
        is_slice = at < len(slices) and bool(slices[at])
        text = name.decode("utf-8", "backslashreplace")
        yield Tensor(
            name=text, dtype=dtypes[at] if at < len(dtypes) else None, encoding="slice" if is_slice else "name"
        )


def _source(text: str) -> str:
    return text.split(":", maxsplit=1)[0]


def _strings(node: Any) -> list[bytes]:
    """Return the strings of a constant, none of anything else."""
    found = None if node is None else attrs.read(node.attr).get("value")
    return list(found.tensor.string_val) if found is not None and found.WhichOneof("value") == "tensor" else []


def variable_shapes(meta: Any) -> dict[str, tuple[int, ...] | None]:
    """Return the shapes that the variables of a main graph are made with, by the names of their nodes.

    Left out are those of names that a graph numbered, since the checkpoint calls several of them the same.
    """
    shapes = {}
    for node in meta.graph_def.node.with_any(variables.OPS):
        if node.op in variables.OPS:
            found = attrs.read(node.attr).get("shape")
            if found is not None and found.WhichOneof("value") == "shape":
                shapes[node.name] = variables.shape(found.shape)
    return {name: shape for name, shape in shapes.items() if f"{name}_1" not in shapes}


def wanted_by_objects(meta: Any, saved: Checkpoint) -> list[Tensor]:
    """Return the tensors that the variables of an object graph ask a checkpoint for, by the keys that it gives them."""
    objects = checkpoint.object_graph(saved)
    if objects is None:
        return []
    wanted = []
    for ours, theirs in _matched(meta.object_graph_def, objects):
        if ours.WhichOneof("kind") == "variable":
            keys = [each.checkpoint_key for each in theirs.attributes if each.name == _VALUE]
            variable = ours.variable
            wanted += [
                Tensor(name=key, dtype=data_type(variable.dtype), shape=variables.shape(variable.shape)) for key in keys
            ]
    return wanted


def _matched(ours: Any, theirs: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the objects of two graphs that lie on the same way from their roots."""
    waiting, seen = [(0, 0)], {0}
    while waiting:
        mine, other = waiting.pop()
        if mine >= len(ours.nodes) or other >= len(theirs.nodes) or mine < 0 or other < 0:
            continue
        here, there = ours.nodes[mine], theirs.nodes[other]
        yield here, there
        names = {each.local_name: each.node_id for each in there.children}
        for each in here.children:
            if each.local_name in names and each.node_id not in seen:
                seen.add(each.node_id)
                waiting.append((each.node_id, names[each.local_name]))
