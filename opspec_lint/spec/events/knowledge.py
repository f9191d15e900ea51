"""The events about fields and parts that only one of two specs knows."""

from __future__ import annotations

from opspec_lint.spec.event import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events

_ABOUT_KNOWLEDGE = "it is about what a spec says at all"

EVENTS: Events = {
    "binding_changed": Event(mirrors=("binding_changed",), facts=("new", "old"), is_of_op=False),
    "extra_learned": Event(mirrors=("knowledge_lost",), facts=("things",), is_of_op=False, not_shown=_ABOUT_KNOWLEDGE),
    "knowledge_gained": Event(mirrors=("knowledge_lost",), facts=("what",), is_of_op=False, not_shown=_ABOUT_KNOWLEDGE),
    "knowledge_lost": Event(
        mirrors=("extra_learned", "knowledge_gained"), facts=("what",), is_of_op=False, not_shown=_ABOUT_KNOWLEDGE
    ),
    "loader_checks_less": Event(
        one_sided="that a loader checks more than before hides nothing", facts=("new", "old"), is_of_op=False
    ),
    "source_kind_changed": Event(mirrors=("source_kind_changed",), facts=("new", "old"), is_of_op=False),
}
