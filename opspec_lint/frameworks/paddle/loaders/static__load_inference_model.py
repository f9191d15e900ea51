"""`paddle.static.load_inference_model` and `paddle.jit.load` as users call them: without a guard and without flags.

Paddle 3 looks for PREFIX.json and ignores programs (measured with 3.0.0, 3.1.1 and 3.3.1; 2.6.2 loads them). Its
predictor, and its executor under `paddle.pir_utils.OldIrGuard()`, are other calls, and so other loaders.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.loaders import legacy_executor
from opspec_lint.frameworks.paddle.saved.pir.unspecified import is_before_pir
from opspec_lint.kit.version import numbers
from opspec_lint.models.fault import model_fault, not_judged
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_NAME = "paddle_program"


def audit(model: Model[Message], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of a program; for Paddle 3, that it looks for another file."""
    version = spec.provenance.version
    if is_before_pir(spec):
        yield from legacy_executor.audit(model, spec, options)
    elif numbers(version) is None:
        problem = "the spec does not state the version of its release, and Paddle 3 takes no .pdmodel by default"
        yield not_judged(_NAME, problem, "add the version to the provenance of the spec, such as 2.6.2")
    else:
        yield model_fault(
            "model_reader_missing",
            _NAME,
            "refused",
            "parse",
            problem="static.load_inference_model and jit.load of Paddle 3 look for a .json, not a .pdmodel",
            remedy="load it with paddle.inference.create_predictor, or under paddle.pir_utils.OldIrGuard(), or "
            "export it again with Paddle 3",
        )


LOADER = Loader(
    summary="static.load_inference_model and jit.load without a guard, for a program",
    formats=("paddle_program",),
    audit=audit,
)
