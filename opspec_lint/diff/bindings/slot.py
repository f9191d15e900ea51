"""The binding by slot: bytes name declarations by number, as FlatBuffers does for slots, offsets, and enum values.

Names do not occur in such bytes. A field that keeps its number under a new name is the same field, and bytes that were
written for a number are read as the field that has this number now. Two declarations are compared if they have the same
name, or if the same numbers refer to them (`diff.slots.pairing`).
"""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.slots.declarations import compare, compare_op
from opspec_lint.spec.slot_faults import require_sound

BINDING = Binding(compare=compare_op, compare_all=compare, require=require_sound, is_in_order=True)
