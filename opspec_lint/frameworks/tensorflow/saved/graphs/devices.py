"""The device of a node, such as `/job:worker/device:GPU:0`: its name, and where a single process places the node.

`tf.import_graph_def` reads the name in Python (`DeviceSpec` of device_spec.py), and a session places the nodes of its
whole graph at its first run (placer.cc): also those that this run does not need.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.models.fault import model_fault, not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.spec.fact import Effect, Fact

_BEGINNINGS = ("job:", "replica:", "task:", "device:", "cpu", "CPU", "gpu", "GPU", "tpu", "TPU")
"""Texts of which the name of a device that is not malformed has one, but for rare kinds."""
_SHORT_KINDS = frozenset(("CPU", "GPU", "TPU", "CUSTOM", "EPU", "XLA_CPU", "XLA_GPU"))
"""Kinds that may be written without `device:`."""
_JOBS_HERE = frozenset(("", "*", "localhost"))
"""A process without a cluster has the job `localhost` alone, with replica 0 and task 0."""
_INDEXES_HERE = frozenset(("", "0"))


class Device(Record):
    """The parts of the name of a device, "" where it lacks one."""

    job: str = ""
    replica: str = ""
    task: str = ""
    kind: str = ""
    index: str = ""

    @property
    def is_elsewhere(self) -> bool:
        """True if the name is one of another process."""
        return self.job not in _JOBS_HERE or {self.replica, self.task} - _INDEXES_HERE != set()

    @property
    def is_on_cpu(self) -> bool:
        """True if the name lets the node run on a CPU."""
        return self.kind in ("", "*", "CPU")

    @property
    def is_everywhere(self) -> bool:
        """True if every process has such a device."""
        return self.is_on_cpu and (self.kind == "" or self.index in ("", "*", "0"))


def read_name(name: str) -> Device | None:
    """Return the parts of the name of a device, of equal ones the last; None if the name is malformed."""
    parts = {"job": "", "replica": "", "task": "", "kind": "", "index": ""}
    for text in name.split("/"):
        key, *values = text.split(":")
        kind_and_index = _kind_and_index(key, values)
        if key == "job" and len(values) == 1:
            parts["job"] = values[0]
        elif key in ("replica", "task") and len(values) == 1 and values[0].isdecimal():
            parts[key] = str(int(values[0]))
        elif kind_and_index is not None and not parts["kind"]:
            parts["kind"], parts["index"] = kind_and_index
        elif text:
            return None
    return Device(**parts)


def _kind_and_index(key: str, values: list[str]) -> tuple[str, str] | None:
    """Return the kind and the index in `device:GPU:0` or `gpu:0`, None for another part of a name."""
    if key == "device" and len(values) == 2:
        kind, index = values
    elif key.upper() in _SHORT_KINDS and len(values) <= 1:
        kind, index = key, "".join(values) or "*"
    else:
        return None
    if index == "*":
        return kind.upper(), index
    return (kind.upper(), str(int(index))) if index.isdecimal() else None


def name_fault(name: str) -> Fact | None:
    """Return the fault of an import of a node on this device: its name is malformed, or a run does not place it."""
    device = read_name(name)
    if device is None:
        return device_fault(name, "is not the name of a device", "refused")
    return _elsewhere_fault(name, "fails_at_run") if device.is_elsewhere else None


def is_elsewhere(fault: Fact) -> bool:
    """Return whether a fault of an import is a node that no run places."""
    return fault.event == "model_device" and fault.effect == "fails_at_run"


def placement_faults(nodes: Any) -> Iterator[Fact]:
    """Yield the faults of a run of a graph, one for each device that a single process lacks, or may lack."""
    seen = set()
    for node in nodes.mentioning(_BEGINNINGS):
        if not node.device or node.device in seen:
            continue
        seen.add(node.device)
        device = read_name(node.device)
        if device is None:
            continue  # the import has refused the graph
        if device.is_elsewhere:
            yield _elsewhere_fault(node.device, "refused").replace(node=node.name, op=node.op)
        elif not device.is_everywhere:
            yield not_judged(
                node.device,
                f"loading runs the session, which places every node, and the node '{node.name}' is placed on "
                f"'{node.device}', which a machine may lack",
                "load it where that device is; elsewhere, call the loader with `clear_devices=True`, or with a session "
                "whose config has `allow_soft_placement=True`",
                op=node.op,
            ).replace(node=node.name)


def _elsewhere_fault(name: str, effect: Effect) -> Fact:
    return device_fault(name, "names a job, replica or task that a single process does not have", effect)


def device_fault(name: str, problem: str, effect: Effect, reason: str = "device") -> Fact:
    """Return a fault of the place of a node: the name of a device, or of a node to be placed with."""
    return model_fault("model_device", name, effect, reason, problem=problem)
