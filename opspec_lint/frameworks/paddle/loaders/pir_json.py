"""Paddle 3 in its default mode: a PIR program is parsed when it is loaded, and its ops are checked when they run."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import check, op_check
from opspec_lint.frameworks.paddle.saved.pir.unspecified import SPECS, is_before_pir, no_reader, no_spec, pir_spec
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
    if is_before_pir(spec):
        yield no_reader(spec)
        return
    header, blocks = model.content.header, model.content.blocks
    refused = list(check.faults(header, blocks))
    yield from refused
    declarations = pir_spec(spec, options)
    if declarations is None:
        yield no_spec("pir_json", spec)
    # The version in the header selects the patches, so the header has to be sound.
    elif not refused:
        yield from op_check.faults(blocks, declarations, header["version"])


LOADER = Loader(
    summary="static.load_inference_model of Paddle 3, for a PIR program",
    formats=("paddle_pir",),
    audit=audit,
    specs_of=SPECS,
)
