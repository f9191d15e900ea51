"""The loader `compile_model` of `openvino.Core`, which reads a model and prepares it for a device.

The plug-in of a device rewrites the model and chooses an implementation for each layer, by types, shapes and attributes
that no release lists. So the loader knows what `read_model` refuses, and of all other models that it cannot tell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from opspec_lint.models.fault import not_judged
from opspec_lint.models.loader import Loader, LoadOptions
from opspec_lint_openvino.loaders import openvino__read_model as read_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec
    from opspec_lint_openvino.models.openvino_ir import Net


def audit(model: Model[Net], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of reading a model, and what the device decides."""
    yield from read_model.audit(model, spec, options)
    problem = "the device decides by the types, shapes and attributes of each layer, which no release lists"
    yield not_judged("device", problem, "call `openvino.Core().compile_model` of the release with the device")


LOADER = Loader(
    summary="openvino.Core.compile_model, for an IR model and any device",
    formats=("openvino_ir",),
    audit=audit,
    only_when_named=True,
)
