"""A checkpoint without its graph, V1 or V2: by its prefix, its `.index` file, or the file `checkpoint` beside it."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.checkpoints import table
from opspec_lint.frameworks.tensorflow.saved.graphs import reading
from opspec_lint.kit.errors import InputError
from opspec_lint.models.files import NoModelError, is_file, is_folder, read_file, view_file
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.checkpoints.checkpoint import Checkpoint
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_INDEX = ".index"
_STATE = "checkpoint"


def claims(candidate: Candidate) -> bool:
    """Tell whether a path is a checkpoint."""
    if candidate.is_file:
        return table.is_table(candidate.view) or reading.text_kind(candidate.head) == "CheckpointState"
    if candidate.is_folder:
        return _STATE in candidate.entries
    from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint

    return bool(checkpoint.files(candidate.path))


def read(candidate: Candidate) -> Model[Checkpoint]:
    """Return the model of a checkpoint.

    Raises:
        InputError: the checkpoint cannot be read.
    """
    from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
    from opspec_lint.models.model import Model

    state = _state(candidate.path)
    prefix = candidate.path.removesuffix(_INDEX) if state is None else _newest(candidate.path, state)
    found = checkpoint.read(prefix)
    told = _beside(prefix) if state is None else {"state": _told(state)}
    return Model(
        file=candidate.path,
        checkpoint=found.tensors,
        checkpoint_facts={**found.facts, **told},
        measure=lambda: {"variables": checkpoint.size(prefix)},
        content=found,
    )


def _state(path: str) -> Any:
    """Return the CheckpointState that a path names, or that lies in the folder that it names; None where none does.

    Raises:
        InputError: the file cannot be read.
    """
    state = os.path.join(path, _STATE) if is_folder(path) else path
    is_prefix = not is_file(state) or table.is_table(view_file(state)) or is_file(f"{path}{_INDEX}")
    if not is_prefix and (is_folder(path) or reading.text_kind(read_file(state)) == "CheckpointState"):
        return _parsed(state)
    return None


def _parsed(state: str) -> Any:
    from google.protobuf import text_format

    from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

    try:
        return text_format.Parse(read_file(state).decode(), message("CheckpointState")(), allow_unknown_field=True)
    except (text_format.ParseError, ValueError) as error:
        raise InputError(state, f"is not a CheckpointState: {str(error)[:200]}") from None


def _beside(prefix: str) -> dict[str, Any]:
    """Return the content of the CheckpointState beside a checkpoint, nothing where there is none to be read."""
    path = os.path.join(os.path.dirname(prefix), _STATE)
    try:
        state = _state(path) if is_file(path) and path != prefix else None
    except InputError:
        return {}
    return {} if state is None else {"state": _told(state)}


def _newest(path: str, state: Any) -> str:
    """Return the prefix of the newest checkpoint of a state, beside it wherever the state says that it lies."""
    name = os.path.basename(state.model_checkpoint_path)
    if not name:
        raise NoModelError(path, "names no checkpoint", advice="name the prefix of one")
    return os.path.join(path if is_folder(path) else os.path.dirname(path), name)


def _told(state: Any) -> dict[str, Any]:
    """Return the content of a CheckpointState."""
    return {
        "model_checkpoint_path": state.model_checkpoint_path,
        "all_model_checkpoint_paths": list(state.all_model_checkpoint_paths),
    }


MODEL_FORMAT = ModelFormat(summary="TensorFlow's checkpoint, V1 or V2, by its prefix", claims=claims, read=read)
