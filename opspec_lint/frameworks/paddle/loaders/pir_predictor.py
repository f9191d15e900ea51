"""`paddle.inference.create_predictor` for a PIR program: it lowers all ops to kernels, which checks them, at once.

The predictor reports at creation what `static.load_inference_model` reports at the first run (measured with 3.0.0 and
3.3.1: unknown ops, absent attrs, attrs of another type, missing inputs, too many outputs).
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.loaders import pir_json
from opspec_lint.frameworks.paddle.saved.pir.unspecified import SPECS
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.pir.program import PirProgram
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[PirProgram], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of a PIR program."""
    for fault in pir_json.audit(model, spec, options):
        yield fault.replace(effect="refused") if fault.effect == "fails_at_run" else fault


LOADER = Loader(
    summary="paddle.inference.create_predictor of Paddle 3, for a PIR program",
    formats=("paddle_pir",),
    audit=audit,
    specs_of=SPECS,
)
