"""The source `onnx-runtime`: the onnx in an interpreter, which runs `_runtime_probe`."""

from __future__ import annotations

from opspec_lint.sources.runtime_source import runtime_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Spec


def spec_of(answer: dict[str, Any], file: str) -> Spec:
    """Return the spec of the answer of the probe. Raises InputError if it is malformed."""
    from opspec_lint.frameworks.onnx.formats import onnx_schemas

    return onnx_schemas.load(answer, file)


SOURCE = runtime_source(
    "onnx",
    title="onnx",
    package="onnx",
    requirement="onnx",
    file=__file__,
    answer={"info": (dict,), "schemas": (list,)},
    spec_of=spec_of,
)
