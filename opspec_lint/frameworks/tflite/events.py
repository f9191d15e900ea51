"""The events that only TFLite has: disagreements about op versions, and faults of TFLite models."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_OF_BASE = "what the files of base alone disagree on is no fault of head"

EVENTS: Events = {
    "converter_version_lost": Event(
        one_sided="a version that the converter writes again is a change of what it writes",
        facts=("versions", "written"),
    ),
    "converter_version_refused": Event(one_sided=_OF_BASE, facts=("kernels", "versions")),
    "delegate_unchecked": Event(
        one_sided=_OF_BASE,
        facts=("delegate", "kernels", "versions"),
    ),
    "generated_schema_stale": event_outside_contract("reason"),
    "kernel_version_unwritten": Event(one_sided=_OF_BASE, facts=("versions", "written")),
    "model_custom_op_limited": event_outside_contract("problem"),
    "model_custom_op_unregistered": event_outside_contract("problem", "remedy"),
    "model_delegate_limit": event_outside_contract("delegate", "given", "limit"),
    "model_node_refused": event_outside_contract("problem"),
    "model_tensor_refused": event_outside_contract("problem"),
    "options_table_changed": Event(mirrors=("options_table_changed",), facts=("new", "old")),
    "parameter_read": Event(mirrors=("parameter_unread",)),
    "parameter_stored": Event(mirrors=("parameter_unstored",)),
    "parameter_unread": Event(mirrors=("parameter_read",)),
    "parameter_unstored": Event(mirrors=("parameter_stored",)),
    "parameter_unversioned": Event(
        one_sided="an option that is removed is a slot that is removed", facts=("max", "options")
    ),
    "parameter_version_untrue": Event(one_sided=_OF_BASE, facts=("most", "versions")),
    "reference_kernel_behind": Event(one_sided=_OF_BASE, facts=("reference", "versions")),
    "reference_kernel_lost": Event(
        one_sided="a version that the reference kernels take newly is a change of what they take", facts=("versions",)
    ),
    "runtime_row_changed": Event(mirrors=("runtime_row_changed",), facts=("new", "old", "versions")),
    "runtime_row_missing": Event(one_sided=_OF_BASE, facts=("versions",)),
    "runtime_row_refuted": Event(
        one_sided=_OF_BASE,
        facts=("kernels", "new", "release", "versions"),
    ),
    "runtime_row_removed": Event(one_sided="a row that is added is a change of the rows", facts=("old", "versions")),
    "runtime_row_too_old": Event(
        one_sided="a row that is removed is another event", facts=("new", "newest", "versions")
    ),
    "runtime_row_without_kernel": Event(one_sided=_OF_BASE, facts=("kernels", "versions")),
    "runtime_rows_apart": Event(
        one_sided="rows that are removed are another event", facts=("new", "other", "versions")
    ),
    "version_skipped": Event(
        one_sided="versions that are taken no more are a maximum that is lowered", facts=("new", "old", "versions")
    ),
    "version_widened": Event(
        one_sided="a version that is written for less is a change of its condition", facts=("more", "old", "versions")
    ),
    "versioning_changed": Event(mirrors=("versioning_changed",), facts=("field", "new", "old")),
    "versioning_unread": event_outside_contract("reason"),
}
