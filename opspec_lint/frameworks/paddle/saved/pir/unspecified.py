"""The choice of the PIR spec for a release that the user names, and the facts if there is none."""

from __future__ import annotations

from opspec_lint.kit.version import numbers
from opspec_lint.models.fault import model_fault, not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.loader import LoadOptions
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

SPECS = "paddle-pir"
"""The framework whose specs declare PIR ops."""
_FIRST_WITH_PIR = (3,)
"""The first release with a reader of PIR programs; 2.6.2 expects a ProgramDesc, or crashes (measured)."""


def pir_spec(spec: Spec, options: LoadOptions) -> Spec | None:
    """Return the PIR spec of a release; None if none is included."""
    if spec.provenance.framework == SPECS:
        return spec
    version = spec.provenance.version
    return None if version is None else options.released(f"{SPECS}@{version}")


def is_before_pir(spec: Spec) -> bool:
    """Return whether a release has no reader of PIR programs; a build without a version may have one."""
    version = numbers(spec.provenance.version) or ()
    return any(version) and version < _FIRST_WITH_PIR


def no_reader(spec: Spec) -> Fact:
    """Return the fault that a release cannot read PIR programs."""
    version = spec.provenance.version
    return model_fault(
        "model_reader_missing",
        "paddle_pir",
        "refused",
        "parse",
        problem=f"Paddle {version} has no reader of PIR programs, which Paddle 3 brought",
        remedy="load the model with Paddle 3, or export it with Paddle 2 as a .pdmodel",
    )


def no_spec(loader: str, spec: Spec) -> Fact:
    """Return the fact that a loader needs a PIR spec, and the user named another one."""
    return not_judged(
        loader,
        f"{loader} goes by the declarations of PIR ops, which {spec.file} does not have",
        f"name a spec of the PIR ops of this release: an included one such as {SPECS}@3.0.0, or that of its source "
        f"tree or of an interpreter that has it, {SPECS}-source:DIR or {SPECS}-runtime:PYTHON",
    )
