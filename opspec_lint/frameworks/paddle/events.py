"""The events that only Paddle has: facts about its flags, its source files and the translation to PIR."""

from __future__ import annotations

from opspec_lint.spec.event import Event, event_outside_contract

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events
    from opspec_lint.spec.ids import EventId

EVENTS: Events = {
    "compat_key_unread": event_outside_contract(),
    "generated_cleared": Event(mirrors=("generated_set",)),
    "generated_set": Event(mirrors=("generated_cleared",)),
    "intermediate_cleared": Event(mirrors=("intermediate_set",)),
    "intermediate_set": Event(mirrors=("intermediate_cleared",)),
    "op_version_dropped": event_outside_contract(),
    "predictor_broadcast_changed": event_outside_contract(),
    "quant_cleared": Event(mirrors=("quant_set",)),
    "quant_set": Event(mirrors=("quant_cleared",)),
    "support_tensor_cleared": Event(mirrors=("support_tensor_set",)),
    "support_tensor_set": Event(mirrors=("support_tensor_cleared",)),
    "translation_argument_dropped": event_outside_contract("own", "remedy"),
    "translation_argument_rebound": event_outside_contract("instead", "own", "remedy"),
    "translation_attr_absent": event_outside_contract("remedy"),
    "translation_attr_filled": event_outside_contract("remedy", "value"),
    "translation_attr_type": event_outside_contract("declared", "given", "remedy"),
    "translation_input_absent": event_outside_contract("remedy"),
    "translation_not_told": event_outside_contract(),
    "translation_op_missing": event_outside_contract("remedy"),
    "translation_output_absent": event_outside_contract("remedy"),
    "translator_gained": Event(mirrors=("translator_lost",), facts=("gained",)),
    "translator_lost": Event(mirrors=("translator_gained", "translator_lost"), facts=("lost",)),
    "yaml_entry_wrong": event_outside_contract("file", "problem"),
    "yaml_generator_unknown": event_outside_contract(),
}

TRANSLATIONS: frozenset[EventId] = frozenset(
    {
        "translation_argument_dropped",
        "translation_argument_rebound",
        "translation_attr_absent",
        "translation_attr_filled",
        "translation_attr_type",
        "translation_input_absent",
        "translation_not_told",
        "translation_op_missing",
        "translation_output_absent",
    }
)
"""The events about programs that are translated to PIR."""
