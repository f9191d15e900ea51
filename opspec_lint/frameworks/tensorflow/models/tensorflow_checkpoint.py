"""A checkpoint without its graph, V1 or V2: by its prefix, its `.index` file, or the file `checkpoint` beside it."""

from __future__ import annotations

import os

from opspec_lint.frameworks.tensorflow.bundles import checkpoint, table
from opspec_lint.frameworks.tensorflow.graph_messages import message
from opspec_lint.frameworks.tensorflow.graphs import reading
from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import ModelFormat, NoModelError, read_file
from opspec_lint.models.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.format import Candidate

NAME = "tensorflow_checkpoint"
_INDEX = ".index"
_STATE = "checkpoint"


def claims(candidate: Candidate) -> bool:
    """Tell whether a path is a checkpoint."""
    if candidate.is_file:
        return table.is_table(candidate.path) or reading.text_kind(candidate.head) == "CheckpointState"
    if candidate.is_folder:
        return _STATE in candidate.entries
    return bool(checkpoint.files(candidate.path))


def read(candidate: Candidate) -> Model:
    """Return the model of a checkpoint.

    Raises:
        InputError: it cannot be read.
    """
    found = checkpoint.read(prefix_of(candidate.path))
    return Model(file=candidate.path, framework="tensorflow", format=NAME, checkpoint=found.tensors, content=found)


def prefix_of(path: str) -> str:
    """Return the prefix that a path names: a state file or its folder names the newest beside it.

    Raises:
        InputError: the state names none, or one outside of its folder.
    """
    state = os.path.join(path, _STATE) if os.path.isdir(path) else path
    is_prefix = not os.path.isfile(state) or table.is_table(state) or os.path.isfile(f"{path}{_INDEX}")
    if not is_prefix and (os.path.isdir(path) or reading.text_kind(read_file(state)) == "CheckpointState"):
        return _newest(state)
    return path.removesuffix(_INDEX) if path.endswith(_INDEX) else path


def _newest(state: str) -> str:
    from google.protobuf import text_format

    try:
        found = text_format.Parse(read_file(state).decode(), message("CheckpointState")(), allow_unknown_field=True)
    except (text_format.ParseError, ValueError) as error:
        raise InputError(state, f"is no CheckpointState: {str(error)[:200]}") from None
    folder, name = os.path.dirname(state), os.path.basename(found.model_checkpoint_path)
    if not name:
        raise NoModelError(state, "names no checkpoint", advice="name the prefix of one")
    return os.path.join(folder, name)


MODEL_FORMAT = ModelFormat(
    name=NAME, summary="TensorFlow's checkpoint, V1 or V2, by its prefix", claims=claims, read=read
)
