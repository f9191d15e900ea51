"""The test whether a spec lists the custom ops of its release."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved.codes import is_custom
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

_LISTS_ALL = "tflite-source"
"""The kind of source that lists all custom ops if it states the kernels, even if there are none."""


def lists_custom_ops(spec: Spec) -> bool:
    """Return whether a spec lists all custom ops of its release, so that the release lacks the others.

    A spec of a runtime without any custom op lists none: it is of an older version of opspec-lint, or of an operating
    system on which `_runtime_probe` cannot try them, and every release registers some.
    """
    names = op_table.names(spec.ops)
    if any(map(is_custom, names)):
        return True
    has_kernels = any(op_table.field_value(spec.ops, name, "max_version") is not UNKNOWN for name in names)
    return spec.provenance.kind == _LISTS_ALL and has_kernels
