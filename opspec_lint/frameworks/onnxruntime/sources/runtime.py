"""The source `onnxruntime-runtime`: the ONNX Runtime in an interpreter, which runs `_runtime_probe`."""

from __future__ import annotations

from opspec_lint.frameworks.onnx.identity import DEFAULT
from opspec_lint.sources.runtime_source import runtime_source
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Spec


def needed() -> str:
    """Return the functions that write the models of the probe."""
    from opspec_lint.frameworks.onnx import _writing
    from opspec_lint.interpreters.runner import read_probe

    return read_probe(_writing.__file__, "_writing.py")


def spec_of(answer: dict[str, Any], file: str) -> Spec:
    """Return the spec of the answer of the probe."""
    from opspec_lint.frameworks.onnx.extract import schemas
    from opspec_lint.frameworks.onnxruntime.kernels import add_kernels

    add_kernels(answer["schemas"], answer["kernels"], answer["fallbacks"])
    return schemas.spec_of(
        answer["schemas"],
        Provenance(framework="onnxruntime", version=answer["version"], made_by="onnxruntime-runtime"),
        file,
        ir_version=answer["ir_version"],
        opsets={domain or DEFAULT: version for domain, version in answer["opsets"].items()},
    )


SOURCE = runtime_source(
    "onnxruntime",
    title="ONNX Runtime",
    package="onnxruntime",
    requirement="onnxruntime",
    file=__file__,
    needed=needed,
    answer={
        "version": (str,),
        "ir_version": (int,),
        "opsets": (dict,),
        **dict.fromkeys(("schemas", "kernels", "fallbacks"), (list,)),
    },
    spec_of=spec_of,
)
