"""The model format SavedModel of TensorFlow 1 or 2: a folder with `saved_model.pb` or `.pbtxt`, variables, assets."""

from __future__ import annotations

import os

from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_FILES = ("saved_model.pb", "saved_model.pbtxt")


def claims(candidate: Candidate) -> bool:
    """Return whether a path is the folder of a SavedModel, or the file in it."""
    if candidate.is_folder:
        return not candidate.entries.isdisjoint(_FILES)
    return candidate.is_file and os.path.basename(candidate.path) in _FILES


def read(candidate: Candidate) -> Model[SavedModel]:
    """Read a SavedModel; a folder without its file raises NoModelError."""
    from opspec_lint.frameworks.tensorflow.saved.saved_model import folder

    return folder.read(candidate.path, _FILES)


MODEL_FORMAT = ModelFormat(summary="TensorFlow's SavedModel, of TensorFlow 1 or 2", claims=claims, read=read)
