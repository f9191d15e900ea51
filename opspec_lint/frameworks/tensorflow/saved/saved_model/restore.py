"""The tensors that a SavedModel restores from its checkpoint: by restore ops (session) or by its object graph."""

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


def open_checkpoint(read: Callable[[], Checkpoint]) -> tuple[Checkpoint | None, list[Fact]]:
    """Read the checkpoint of a model; return it, or None and the fault that it cannot be read."""
    try:
        return read(), []
    except NoModelError as error:
        return None, [checks.read_fault(error, is_missing=True)]
    except LfsPointerError as error:
        return None, [not_fetched(error.file)]
    except OutsideError as error:
        return None, [not_followed(error.file, error.problem)]
    except InputError as error:
        return None, [checks.read_fault(error, is_missing=False)]


def tensors_of_restore_ops(graph: Any, functions: Iterable[Any]) -> list[Tensor]:
    """Return the tensors that the restore ops of a graph and of the given functions read, without repetitions."""
    tensors: dict[str, Tensor] = {}
    # The second and third input of RestoreV2 are the names and the slices of the tensors.
    restoring = list(graph.node.mentioning((RESTORE,)))
    sources = list(graph.node.mentioning({_node_name(text) for node in restoring for text in node.input[1:3]}))
    # The constants of a function are in its own body.
    bodies = ((function.node_def, function.node_def) for function in functions)
    for nodes, sources_of in ((restoring, sources), *bodies):
        by_name = {node.name: node for node in sources_of}
        for node in nodes:
            if node.op == RESTORE:
                for tensor in _restored_tensors(node, by_name):
                    tensors.setdefault(tensor.name, tensor)
    return list(tensors.values())


def _restored_tensors(node: Any, by_name: dict[str, Any]) -> Iterator[Tensor]:
    """Yield the tensors that a RestoreV2 node reads.

    Names and slices are its second and third input, constants in `by_name`; a slice "" is the whole tensor.
    """
    if len(node.input) < 3:
        return
    names, slices = (_constant_strings(by_name.get(_node_name(text))) for text in node.input[1:3])
    types = attrs.read(node.attr).get("dtypes")
    dtypes = [data_type(dtype) for dtype in types.list.type] if types is not None else []
    for at, name in enumerate(names):
        is_slice = at < len(slices) and bool(slices[at])
        text = name.decode("utf-8", "backslashreplace")
        yield Tensor(
            name=text, dtype=dtypes[at] if at < len(dtypes) else None, encoding="slice" if is_slice else "name"
        )


def _node_name(text: str) -> str:
    """Return the node in an input text such as "node:0"."""
    return text.split(":", maxsplit=1)[0]


def _constant_strings(node: Any) -> list[bytes]:
    """Return the elements of a constant node of strings, [] for any other node."""
    value = None if node is None else attrs.read(node.attr).get("value")
    return list(value.tensor.string_val) if value is not None and value.WhichOneof("value") == "tensor" else []


def variable_shapes(meta: Any) -> dict[str, tuple[int, ...] | None]:
    """Return the shapes that the nodes of variables in the main graph declare, by node name.

    Names with a numbered sibling (`w` and `w_1`) are left out: the checkpoint may call both `w`.
    """
    shapes = {}
    for node in meta.graph_def.node.mentioning(variables.OPS):
        if node.op in variables.OPS:
            value = attrs.read(node.attr).get("shape")
            if value is not None and value.WhichOneof("value") == "shape":
                shapes[node.name] = variables.shape_sizes(value.shape)
    return {name: shape for name, shape in shapes.items() if f"{name}_1" not in shapes}


def tensors_of_objects(meta: Any, saved: Checkpoint) -> list[Tensor]:
    """Return the tensors that the variables in the object graph of a model read, named by their checkpoint keys."""
    objects = checkpoint.read_object_graph(saved)
    if objects is None:
        return []
    tensors = []
    for model_object, saved_object in _match_objects(meta.object_graph_def, objects):
        if model_object.WhichOneof("kind") == "variable":
            keys = [attribute.checkpoint_key for attribute in saved_object.attributes if attribute.name == _VALUE]
            variable = model_object.variable
            tensors += [
                Tensor(name=key, dtype=data_type(variable.dtype), shape=variables.shape_sizes(variable.shape))
                for key in keys
            ]
    return tensors


def _match_objects(model_graph: Any, saved_graph: Any) -> Iterator[tuple[Any, Any]]:
    """Yield pairs of objects that have the same path from the roots of the model's and the checkpoint's graph."""
    waiting, seen = [(0, 0)], {0}
    while waiting:
        model_id, saved_id = waiting.pop()
        if model_id >= len(model_graph.nodes) or saved_id >= len(saved_graph.nodes) or model_id < 0 or saved_id < 0:
            continue
        model_object, saved_object = model_graph.nodes[model_id], saved_graph.nodes[saved_id]
        yield model_object, saved_object
        names = {child.local_name: child.node_id for child in saved_object.children}
        for child in model_object.children:
            if child.local_name in names and child.node_id not in seen:
                seen.add(child.node_id)
                waiting.append((child.node_id, names[child.local_name]))
