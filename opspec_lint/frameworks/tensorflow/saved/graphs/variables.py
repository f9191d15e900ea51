"""The variables of a meta graph, with their types and shapes, and the saver that writes them."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.saved.graph_messages import decoded
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.kit.errors import InputError
from opspec_lint.models.model import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_COLLECTIONS = ("variables", "trainable_variables", "global_variables")
OPS = frozenset(("VarHandleOp", "VariableV2", "Variable"))
"""The ops that make a variable."""
_VERSIONS = {0: "legacy", 1: "V1", 2: "V2"}


def listed(meta: Any) -> list[Tensor]:
    """Return the variables of a meta graph: those of its object graph, or else those of its collections.

    A collection has names alone; type and shape are those that the node of the variable is made with.
    """
    return list(_of_objects(meta)) or _of_collections(meta)


def _of_objects(meta: Any) -> Iterator[Tensor]:
    for each in meta.object_graph_def.nodes:
        if each.WhichOneof("kind") == "variable":
            found = each.variable
            yield Tensor(name=found.name, dtype=python_name(data_type(found.dtype)), shape=shape(found.shape))


def _of_collections(meta: Any) -> list[Tensor]:
    kept = [name for name in _COLLECTIONS if name in meta.collection_def]
    if not kept:
        return []
    made = {node.name: node for node in meta.graph_def.node.with_any(OPS) if node.op in OPS}
    found: dict[str, Tensor] = {}
    for name in kept:
        for each in meta.collection_def[name].bytes_list.value:
            variable = decoded("VariableDef", each).variable_name
            if variable not in found:
                found[variable] = _typed(variable, made.get(variable.partition(":")[0]))
    return list(found.values())


def _typed(name: str, node: Any) -> Tensor:
    try:
        known = {} if node is None else attrs.read(attrs.short(node.attr))
    except InputError:
        known = {}  # a loader says what is wrong with the node
    sizes = known.get("shape")
    return Tensor(
        name=name,
        dtype=python_name(data_type(known["dtype"].type)) if "dtype" in known else None,
        shape=shape(sizes.shape) if sizes is not None and sizes.WhichOneof("value") == "shape" else None,
    )


def shape(found: Any) -> tuple[int, ...] | None:
    """Return the sizes of a TensorShapeProto, None where not even the rank is known."""
    return None if found.unknown_rank else tuple(dim.size for dim in found.dim)


def saver(meta: Any) -> dict[str, Any] | None:
    """Return the content of a SaverDef, None where there is none."""
    if not meta.HasField("saver_def"):
        return None
    found = meta.saver_def
    return {
        "filename_tensor_name": found.filename_tensor_name,
        "save_tensor_name": found.save_tensor_name,
        "restore_op_name": found.restore_op_name,
        "max_to_keep": found.max_to_keep,
        "sharded": found.sharded,
        "keep_checkpoint_every_n_hours": _finite(found.keep_checkpoint_every_n_hours),
        "version": _VERSIONS.get(found.version, str(found.version)),
    }


def _finite(number: float) -> float | None:
    """Return a number as JSON has it, None for one that JSON cannot express."""
    return number if number - number == 0 else None
