"""The writer of a TFLite model with one operator code, which the runtime looks up although no node uses it."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved.codes import BUILTINS
from opspec_lint.frameworks.tflite.sources._runtime_probe import model
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Spec


def write(sample: Sample, spec: Spec) -> bytes:  # noqa: ARG001 - a file does not say which release wrote it
    """Return the bytes of a model that names the op of a sample in its version.

    Raises:
        UnwritableError: the op has no number, or no version.
    """
    if sample.op.name not in BUILTINS:
        raise UnwritableError(f"the number of {sample.op.name!r} is not known")
    if sample.version is None:
        raise UnwritableError(f"{sample.op.name!r} has no version")
    return model(BUILTINS.index(sample.op.name), sample.version)


def values_of(attr: Attr) -> list[Any]:
    """Raise UnwritableError: a model with an operator code alone has no options."""
    raise UnwritableError(f"{attr.name!r} is an option of an operator, and the model has an operator code alone")


WRITER = Writer(
    summary="a TFLite model",
    format="tflite",
    suffix=".tflite",
    write=write,
    values=values_of,
    writes_defaults=False,
)
