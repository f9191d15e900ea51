"""The binding of interfaces of saved models: callers pass arguments by name or position, and read results by name.

A signature is called by the keys of its tensors, a graph by the names of its inputs, a function as Python calls it.
"""

from __future__ import annotations

from opspec_lint.diff.binding import Binding
from opspec_lint.diff.interfaces.declarations import compare, compare_op
from opspec_lint.spec.interface.faults import require_types

BINDING = Binding(compare=compare_op, compare_all=compare, require=require_types, is_in_order=True)
