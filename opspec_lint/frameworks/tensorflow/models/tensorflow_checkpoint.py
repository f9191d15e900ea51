"""The model format checkpoint, V1 or V2: given by its prefix, its `.index` file, or the state file `checkpoint`."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.saved.checkpoints import table
from opspec_lint.frameworks.tensorflow.saved.graphs import recognition
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
    """Return whether a path is a checkpoint: a table, a state file, a folder with one, or a prefix."""
    if candidate.is_file:
        return table.is_table(candidate.view) or recognition.text_message_name(candidate.head) == "CheckpointState"
    if candidate.is_folder:
        return _STATE in candidate.entries
    from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint

    return bool(checkpoint.find_files(candidate.path))


def read(candidate: Candidate) -> Model[Checkpoint]:
    """Read a checkpoint; a state file gives the newest one that it lists."""
    from opspec_lint.frameworks.tensorflow.saved.checkpoints import checkpoint
    from opspec_lint.models.model import Model

    state = _read_state(candidate.path)
    prefix = candidate.path.removesuffix(_INDEX) if state is None else _newest_prefix(candidate.path, state)
    content = checkpoint.read(prefix)
    state_facts = _adjacent_state(prefix) if state is None else {"state": _state_facts(state)}
    return Model(
        file=candidate.path,
        checkpoint=content.tensors,
        checkpoint_facts={**content.facts, **state_facts},
        measure=lambda: {"variables": checkpoint.total_size(prefix)},
        content=content,
    )


def _read_state(path: str) -> Any:
    """Return the CheckpointState in a state file or in a folder with one, None if the path is a checkpoint itself."""
    state = os.path.join(path, _STATE) if is_folder(path) else path
    # A file named `checkpoint` may be a V1 checkpoint or the prefix of a V2 one, despite its name.
    is_prefix = not is_file(state) or table.is_table(view_file(state)) or is_file(f"{path}{_INDEX}")
    if not is_prefix and (is_folder(path) or recognition.text_message_name(read_file(state)) == "CheckpointState"):
        return _parse_state(state)
    return None


def _parse_state(state: str) -> Any:
    """Parse the file `checkpoint`, a CheckpointState in protobuf's text format."""
    from google.protobuf import text_format

    from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

    try:
        # Fields of later releases are of no interest, and must not make the file unreadable.
        return text_format.Parse(read_file(state).decode(), message("CheckpointState")(), allow_unknown_field=True)
    except (text_format.ParseError, ValueError) as error:
        raise InputError(state, f"is not a CheckpointState: {str(error)[:200]}") from None


def _adjacent_state(prefix: str) -> dict[str, Any]:
    """Return facts of the state file in the folder of a checkpoint, {} if there is none or it is malformed."""
    path = os.path.join(os.path.dirname(prefix), _STATE)
    try:
        state = _read_state(path) if is_file(path) and path != prefix else None
    except InputError:
        return {}
    return {} if state is None else {"state": _state_facts(state)}


def _newest_prefix(path: str, state: Any) -> str:
    """Return the prefix of the newest checkpoint that a state file lists, in the folder of the state file."""
    # The state has the path on the machine that saved it; after a copy, the checkpoint is still beside the state.
    name = os.path.basename(state.model_checkpoint_path)
    if not name:
        raise NoModelError(path, "names no checkpoint", advice="name the prefix of one")
    return os.path.join(path if is_folder(path) else os.path.dirname(path), name)


def _state_facts(state: Any) -> dict[str, Any]:
    """Return the fields of a CheckpointState, for `show`."""
    return {
        "model_checkpoint_path": state.model_checkpoint_path,
        "all_model_checkpoint_paths": list(state.all_model_checkpoint_paths),
    }


MODEL_FORMAT = ModelFormat(summary="TensorFlow's checkpoint, V1 or V2, by its prefix", claims=claims, read=read)
