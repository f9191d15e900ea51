"""Compares declarations that bytes bind by number: slots of tables, offsets of structs, numbers of enums and unions.

Names are no part of such bytes. What is renamed under its number is the same thing, and what stands under the number of
another thing is read as that. A declaration is that of its name, or the one that the same numbers lead to.
"""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.slots.declarations import compare, compare_op
from opspec_lint.spec.slot_faults import require_sound

BINDING = Binding(compare=compare_op, compare_all=compare, require=require_sound, is_in_order=True)
