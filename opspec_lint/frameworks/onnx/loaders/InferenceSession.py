"""The loader `onnxruntime.InferenceSession` on the CPU; its rules are in `judging.session`."""

# ruff: noqa: N999 - the loader is called as its class is
from __future__ import annotations

from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.onnx.saved.files.reading import OnnxFile
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[OnnxFile], spec: Spec, options: LoadOptions) -> Iterator[Fact]:  # noqa: ARG001 - what every loader is given
    """Yield the faults that make the session refuse the model. Raises BrokenModelError if a node cannot be decoded."""
    from opspec_lint.frameworks.onnx.saved.judging import session

    return session.find_faults(model, spec)


LOADER = Loader(
    summary="onnxruntime.InferenceSession on the CPU, for an ONNX model",
    formats=("onnx",),
    audit=audit,
    only_when_named=True,
    specs_of="onnxruntime",
)
