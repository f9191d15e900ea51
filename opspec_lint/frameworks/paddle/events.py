"""The events that only Paddle has."""

from __future__ import annotations

from opspec_lint.spec.event import Event, outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.event import Events
    from opspec_lint.spec.ids import EventId

EVENTS: Events = {
    "compat_key_unread": outside(),
    "generated_cleared": Event(mirrors=("generated_set",)),
    "generated_set": Event(mirrors=("generated_cleared",)),
    "intermediate_cleared": Event(mirrors=("intermediate_set",)),
    "intermediate_set": Event(mirrors=("intermediate_cleared",)),
    "op_version_dropped": outside(),
    "predictor_broadcast_changed": outside(),
    "quant_cleared": Event(mirrors=("quant_set",)),
    "quant_set": Event(mirrors=("quant_cleared",)),
    "support_tensor_cleared": Event(mirrors=("support_tensor_set",)),
    "support_tensor_set": Event(mirrors=("support_tensor_cleared",)),
    "translation_argument_dropped": outside("own", "remedy"),
    "translation_argument_rebound": outside("instead", "own", "remedy"),
    "translation_attr_absent": outside("remedy"),
    "translation_attr_filled": outside("remedy", "value"),
    "translation_attr_type": outside("declared", "given", "remedy"),
    "translation_input_absent": outside("remedy"),
    "translation_not_told": outside(),
    "translation_op_missing": outside("remedy"),
    "translation_output_absent": outside("remedy"),
    "translator_gained": Event(mirrors=("translator_lost",), facts=("gained",)),
    "translator_lost": Event(mirrors=("translator_gained", "translator_lost"), facts=("lost",)),
    "yaml_entry_wrong": outside("file", "problem"),
    "yaml_generator_unknown": outside(),
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
"""The events of a program that is translated to PIR."""
