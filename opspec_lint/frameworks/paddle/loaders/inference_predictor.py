"""`paddle.inference.create_predictor`: all ops of a program are created, and so checked, when it is loaded."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs import attrs, folding, fused_nodes
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


_ACCEPTED_TYPES = attrs.ACCEPTED_TYPES | attrs.PREDICTOR_ACCEPTED_TYPES


def audit(model: Model[Message], spec: Spec, options: LoadOptions) -> Iterator[Fact]:
    """Yield the faults of a program."""
    yield from ProgramCheck(
        model.content, spec, Saver(lambda: options.saver_of(model)), "refused", accepted_types=_ACCEPTED_TYPES
    ).faults()
    yield from folding.faults(model.content)
    yield from fused_nodes.faults(model.content, spec)


LOADER = Loader(
    summary="paddle.inference.create_predictor, for a program",
    formats=("paddle_program",),
    audit=audit,
)
