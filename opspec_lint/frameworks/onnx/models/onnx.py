"""The format of ONNX models (ModelProto). Weights are not read, neither in the file nor in files next to it."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.saved.files import reading
from opspec_lint.kit.errors import InputError
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.onnx.saved.files.reading import OnnxFile
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model


def claims(candidate: Candidate) -> bool:
    """Return True if a file looks like a model: it has an IR version, and a graph or opset imports."""
    return candidate.is_file and reading.is_model(candidate.view)


def read(candidate: Candidate) -> Model[OnnxFile]:
    """Return the model in a file. Raises InputError if it cannot be read."""
    from opspec_lint.frameworks.onnx.saved.files import describe
    from opspec_lint.models.model import Model

    try:
        model_file = reading.read(candidate.view)
    except ValueError as error:
        raise InputError(
            candidate.path, f"is not an ONNX model: {error}", advice="it may be truncated: copy it again"
        ) from None
    whole = len(candidate.view)
    return Model(
        file=candidate.path,
        meta_graphs=(describe.to_meta_graph(model_file),),
        measure=lambda: describe.sizes(model_file, whole),
        remarks=describe.remarks(model_file),
        content=model_file,
    )


def value_name(attr: str, value: object) -> str | None:
    """Return the name of a `TensorProto.DataType`, which attrs such as `to` of Cast have as a number."""
    from opspec_lint.frameworks.onnx.saved.files.messages import type_name

    is_type = attr in ("to", "dtype", "stash_type") or attr.endswith("_dtype")
    return type_name(value) if is_type and isinstance(value, int) else None


MODEL_FORMAT = ModelFormat(
    summary="ONNX's ModelProto (NAME.onnx)",
    claims=claims,
    read=read,
    endings=(".onnx",),
    value_name=value_name,
)
