"""The events that only ONNX Runtime has."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "kernels_gained": Event(mirrors=("kernels_lost",), facts=("gained",)),
    "kernels_lost": Event(mirrors=("kernels_gained", "kernels_lost"), facts=("lost",)),
    "model_kernel_missing": event_outside_contract("remedy", "types"),
}
