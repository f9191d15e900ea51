"""What cannot be told of a model, as no spec says what PIR ops declare."""

from __future__ import annotations

from opspec_lint.models.fault import Fault


def no_spec(loader: str) -> Fault:
    """Return the fault that says so of a loader."""
    return Fault(
        event="model_not_judged",
        kind="model",
        op=None,
        name=loader,
        effect="cannot_tell",
        facts={
            "problem": f"{loader} goes by the declarations of PIR ops, and there are no specs of them yet",
            "remedy": "load the model with the release itself",
        },
    )
