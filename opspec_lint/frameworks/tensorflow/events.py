"""The events that only occur with TensorFlow's specs."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

EVENTS: Events = {
    "api_def_wrong": event_outside_contract("reason", "remedy"),
    "cpu_kernels_gained": Event(mirrors=("cpu_kernels_lost",), facts=("gained",)),
    "cpu_kernels_lost": Event(mirrors=("cpu_kernels_gained", "cpu_kernels_lost"), facts=("lost",)),
    "detail_changed": Event(mirrors=("detail_changed",), facts=("field", "new", "old")),
    "model_cpu_kernel_missing": event_outside_contract("types"),
    "model_input_rank": event_outside_contract("expected", "given", "source"),
    "op_flag_cleared": Event(mirrors=("op_flag_set",), facts=("field",)),
    "op_flag_set": Event(mirrors=("op_flag_cleared",), facts=("field",)),
    "op_list_stale": event_outside_contract("reason"),
    "op_registered_twice": event_outside_contract("kept"),
}
