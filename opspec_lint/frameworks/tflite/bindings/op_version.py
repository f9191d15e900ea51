"""Compares two declarations of a TFLite op: its versions, and the slots of its options table where both sides know it.

A tree without a schema says nothing of options, so that there is nothing to compare.
"""

from __future__ import annotations

from opspec_lint.diff.binding import BINDINGS, Binding
from opspec_lint.diff.fields import diff_fields
from opspec_lint.frameworks.tflite.saved.codes import is_custom
from opspec_lint.frameworks.tflite.saved.listed_ops import lists_custom_ops
from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.slot_faults import require_slots
from opspec_lint.spec.slots import BY_SLOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.model import Op, Spec

_OF_CODE = ("since_version", "unread", "unstored")
"""What files beside the schema say of a field of an options table."""


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:
    """Yield every fact that tells two declarations of an op apart."""
    if old.get("options") is UNKNOWN or new.get("options") is UNKNOWN:
        old, new = old.replace(attrs=()), new.replace(attrs=())
    yield from BINDINGS.load(BY_SLOT).compare(old, new, earlier, table)
    fields = [table.fields_of("attrs")[name] for name in _OF_CODE]
    after = {attr.get("slot"): attr for attr in new.attrs}
    for attr in old.attrs:
        other = after.get(attr.get("slot"))
        if other is not None and other.name == attr.name:
            yield from diff_fields(attr, other, old.name, "attr", fields)


def may_omit_op(spec: Spec, op: str) -> bool:
    """Tell whether a spec leaves open whether its release has an op: a custom one, if it does not list any."""
    return is_custom(op) and not lists_custom_ops(spec)


BINDING = Binding(compare=compare, require=require_slots, may_omit_op=may_omit_op)
