"""`paddle.static.load_inference_model` and `Executor.run`: a program is parsed, and checked when it runs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.check import ProgramCheck
from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.models.loader import Loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.models.model import Model
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec


def audit(model: Model[Message], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of a program."""
    return ProgramCheck(model.content, spec, Saver(lambda: options.saver_of(model)), "fails_at_run").faults()


LOADER = Loader(
    summary="static.load_inference_model and Executor.run, for a program (3.x: under OldIrGuard)",
    formats=("paddle_program",),
    audit=audit,
)
