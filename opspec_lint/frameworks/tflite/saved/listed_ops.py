"""Custom ops of a release: whether its spec lists those that its resolvers register."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved.codes import is_custom
from opspec_lint.spec import op_table
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

_LISTS_ALL = "tflite-source"
"""The kind of source that states all custom ops wherever it states the kernels, even if there are none."""


def lists_custom_ops(spec: Spec) -> bool:
    """Tell whether a custom op that a spec lacks is none of its release.

    An older extraction of a runtime has no custom op at all, although every release registers some. So has one of an
    operating system on which a runtime cannot be asked (`_runtime_probe`).
    """
    names = op_table.names(spec.ops)
    if any(map(is_custom, names)):
        return True
    has_kernels = any(op_table.field_value(spec.ops, name, "max_version") is not UNKNOWN for name in names)
    return spec.provenance.kind == _LISTS_ALL and has_kernels
