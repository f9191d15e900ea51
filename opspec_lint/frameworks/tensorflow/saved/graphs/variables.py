"""The variables of a meta graph with types and shapes, and its saver, for `show`."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import data_type, python_name
from opspec_lint.frameworks.tensorflow.saved.graph_messages import parse_or_empty
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.kit.errors import InputError
from opspec_lint.models.model import Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_COLLECTIONS = ("variables", "trainable_variables", "global_variables")
OPS = frozenset(("VarHandleOp", "VariableV2", "Variable"))
"""The ops that create a variable."""
_VERSIONS = {0: "legacy", 1: "V1", 2: "V2"}


def list_variables(meta: Any) -> list[Tensor]:
    """Return the variables in the object graph of a meta graph, or else in its collections.

    A collection has only names; dtype and shape are read from the node that creates the variable.
    """
    return list(_from_objects(meta)) or _from_collections(meta)


def _from_objects(meta: Any) -> Iterator[Tensor]:
    """Yield the variables of the object graph of TensorFlow 2."""
    for node in meta.object_graph_def.nodes:
        if node.WhichOneof("kind") == "variable":
            variable = node.variable
            yield Tensor(
                name=variable.name, dtype=python_name(data_type(variable.dtype)), shape=shape_sizes(variable.shape)
            )


def _from_collections(meta: Any) -> list[Tensor]:
    """Return the variables that the collections of TensorFlow 1 list, each once."""
    kept = [name for name in _COLLECTIONS if name in meta.collection_def]
    if not kept:
        return []
    made = {node.name: node for node in meta.graph_def.node.mentioning(OPS) if node.op in OPS}
    tensors: dict[str, Tensor] = {}
    for name in kept:
        for data in meta.collection_def[name].bytes_list.value:
            variable = parse_or_empty("VariableDef", data).variable_name
            if variable not in tensors:
                tensors[variable] = _with_type(variable, made.get(variable.partition(":")[0]))
    return list(tensors.values())


def _with_type(name: str, node: Any) -> Tensor:
    """Return a variable with the dtype and shape of the node that creates it, if there is such a node."""
    try:
        known = {} if node is None else attrs.read(attrs.strip_tensors(node.attr))
    except InputError:
        known = {}  # `show` goes on; a loader reports the malformed node
    sizes = known.get("shape")
    return Tensor(
        name=name,
        dtype=python_name(data_type(known["dtype"].type)) if "dtype" in known else None,
        shape=shape_sizes(sizes.shape) if sizes is not None and sizes.WhichOneof("value") == "shape" else None,
    )


def shape_sizes(shape_proto: Any) -> tuple[int, ...] | None:
    """Return the dimensions of a TensorShapeProto, None for an unknown rank; an unknown dimension is -1."""
    return None if shape_proto.unknown_rank else tuple(dim.size for dim in shape_proto.dim)


def describe_saver(meta: Any) -> dict[str, Any] | None:
    """Return the fields of the SaverDef of a meta graph, None if it has no saver."""
    if not meta.HasField("saver_def"):
        return None
    definition = meta.saver_def
    return {
        "filename_tensor_name": definition.filename_tensor_name,
        "save_tensor_name": definition.save_tensor_name,
        "restore_op_name": definition.restore_op_name,
        "max_to_keep": definition.max_to_keep,
        "sharded": definition.sharded,
        "keep_checkpoint_every_n_hours": _finite(definition.keep_checkpoint_every_n_hours),
        "version": _VERSIONS.get(definition.version, str(definition.version)),
    }


def _finite(number: float) -> float | None:
    """Return a number, None for infinity and NaN, which JSON cannot express."""
    return number if number - number == 0 else None
