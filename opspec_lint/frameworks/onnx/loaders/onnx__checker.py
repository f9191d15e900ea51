"""The loader `onnx.checker.check_model`, without `full_check`; its rules are in `judging.checker`."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import previous_version
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
    """Yield the faults that make the checker refuse the model. Raises BrokenModelError if a node cannot be decoded."""
    from opspec_lint.frameworks.onnx.saved.judging import checker

    return checker.find_faults(model, spec)


LOADER = Loader(
    summary="onnx.checker.check_model, for an ONNX model",
    formats=("onnx",),
    audit=audit,
    reads_as=previous_version,
)
