"""A TFLite model, of the converter of TensorFlow or of LiteRT."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.tflite.saved.reading import ModelFile
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_IDENTIFIER = b"TFL3"


def claims(candidate: Candidate) -> bool:
    """Tell whether a file is a model: a FlatBuffer with the identifier of one."""
    return candidate.head[4:8] == _IDENTIFIER


def read(candidate: Candidate) -> Model[ModelFile]:
    """Return the model.

    Raises:
        InputError: the file cannot be read.
    """
    from opspec_lint.frameworks.tflite.saved import describe, reading
    from opspec_lint.models.model import Model

    path = candidate.path
    data = candidate.view
    if not claims(candidate):
        identifier = _IDENTIFIER.decode()
        raise InputError(path, f"is not a TFLite model: it has no identifier {identifier}", advice="is it complete?")
    try:
        found = reading.read(data)
    except ValueError as error:
        raise InputError(path, f"is not a TFLite model: {error}", advice="is it complete?") from None
    meta = describe.of_model(found)
    return Model(
        file=path,
        meta_graphs=(meta,),
        measure=lambda: {"graph": max(0, len(data) - found.weights), "weights_in_graph": found.weights},
        remarks=describe.remarks(found, meta),
        content=found,
    )


MODEL_FORMAT = ModelFormat(
    summary="TFLite's or LiteRT's model (NAME.tflite)",
    claims=claims,
    read=read,
    endings=(".tflite",),
)
