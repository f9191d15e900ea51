"""The events about what makes a function trace again."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_OF_BASE = "a hazard of base alone is no fault of head"

EVENTS: Events = {
    "argument_is_object": Event(one_sided=_OF_BASE, facts=("values",)),
    "function_untraced": Event(one_sided=_OF_BASE, facts=("may_be",)),
    "retraced_per_dtype": Event(one_sided=_OF_BASE, facts=("count", "values")),
    "retraced_per_shape": Event(one_sided=_OF_BASE, facts=("count", "spec", "values")),
    "retraced_per_value": Event(one_sided=_OF_BASE, facts=("count", "values")),
    "string_argument": Event(one_sided=_OF_BASE, facts=("values",)),
    "trace_count_changed": Event(mirrors=("trace_count_changed",), facts=("new", "old")),
    "trace_static": Event(one_sided=_OF_BASE, facts=("spec", "values")),
    "value_untraced": Event(one_sided=_OF_BASE, facts=("values",)),
}
