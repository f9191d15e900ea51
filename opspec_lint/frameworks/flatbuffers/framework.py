"""The framework FlatBuffers: the fields of declarations in a schema."""

from __future__ import annotations

from opspec_lint.spec.fields import Framework
from opspec_lint.spec.slots import BY_SLOT, SLOT_FIELDS, SLOT_SHARED

FRAMEWORK = Framework(title="FlatBuffers", fields=SLOT_FIELDS, shared=SLOT_SHARED, bindings=(BY_SLOT,))
