"""`paddle.pir.translate_to_pir`: a program is translated to PIR when it is loaded, node by node."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir.unspecified import SPECS, no_spec, pir_spec
from opspec_lint.frameworks.paddle.saved.programs.saver import Saver
from opspec_lint.frameworks.paddle.saved.translation import check
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
    declarations = pir_spec(spec, options)
    if declarations is None:
        yield no_spec("pir_translation", spec)
        return
    version = declarations.provenance.version
    legacy = None if version is None else options.released(f"paddle@{version}")
    yield from check.faults(model.content, declarations, Saver(lambda: options.saver_of(model)), legacy)


LOADER = Loader(
    summary="translate_to_pir of Paddle 3 (FLAGS_enable_pir_in_executor), for a program",
    formats=("paddle_program",),
    audit=audit,
    only_when_named=True,
    specs_of=SPECS,
)
