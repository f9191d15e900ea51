"""The format of TFLite models, written by the converters of TensorFlow and LiteRT."""

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
    """Return whether a file is a FlatBuffer with the identifier of TFLite."""
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
        raise InputError(
            path,
            f"is not a TFLite model: it has no identifier {identifier}",
            advice="it may be truncated: copy it again",
        )
    try:
        model = reading.read(data)
    except ValueError as error:
        raise InputError(path, f"is not a TFLite model: {error}", advice="it may be truncated: copy it again") from None
    meta = describe.describe_model(model)
    return Model(
        file=path,
        meta_graphs=(meta,),
        measure=lambda: {"graph": max(0, len(data) - model.weights), "weights_in_graph": model.weights},
        remarks=describe.remarks(model, meta),
        content=model,
    )


MODEL_FORMAT = ModelFormat(
    summary="TFLite's or LiteRT's model (NAME.tflite)",
    claims=claims,
    read=read,
    endings=(".tflite",),
)
