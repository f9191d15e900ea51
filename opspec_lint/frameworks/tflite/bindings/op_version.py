"""The comparison of two declarations of a TFLite op: its versions, and the slots of its options table.

Options are compared only if both sides know them: a tree without a schema does not.
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

_CODE_FIELDS = ("since_version", "unread", "unstored")
"""The fields of an option that other files than the schema state."""


def compare(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:
    """Yield the facts about the differences of two declarations of an op."""
    if old.get("options") is UNKNOWN or new.get("options") is UNKNOWN:
        old, new = old.replace(attrs=()), new.replace(attrs=())
    yield from BINDINGS.load(BY_SLOT).compare(old, new, earlier, table)
    fields = [table.fields_of("attrs")[name] for name in _CODE_FIELDS]
    after = {attr.get("slot"): attr for attr in new.attrs}
    for attr in old.attrs:
        new_attr = after.get(attr.get("slot"))
        if new_attr is not None and new_attr.name == attr.name:
            yield from diff_fields(attr, new_attr, old.name, "attr", fields)


def may_omit_op(spec: Spec, op: str) -> bool:
    """Return whether a spec may lack an op that its release has: a custom op, if it lists no custom ops."""
    return is_custom(op) and not lists_custom_ops(spec)


BINDING = Binding(compare=compare, require=require_slots, may_omit_op=may_omit_op)
