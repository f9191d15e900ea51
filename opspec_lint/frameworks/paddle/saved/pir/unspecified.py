"""What cannot be told of a model that is checked against a spec of Paddle's legacy ops."""

from __future__ import annotations

from opspec_lint.models.fault import not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.fact import Fact

SPECS = "paddle-pir"
"""The framework whose specs say what PIR ops declare."""


def no_spec(loader: str) -> Fact:
    """Return the fault that says so of a loader."""
    return not_judged(
        loader,
        f"{loader} goes by the declarations of PIR ops, and the spec is one of legacy ops",
        "name a spec of PIR ops, such as paddle-pir@3.0.0",
    )
