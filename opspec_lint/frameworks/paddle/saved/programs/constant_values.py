"""The check that an `assign_value` node has values, without which its kernel makes no tensor.

Each attr for values has an empty list as its default, so no declaration requires one. The kernel copies the attr for
its `dtype` (assign_value_sig.cc), or `values` in a release that has versions of the op; without items, the tensor stays
uninitialized. Such a program loads and its op runs, but what reads the tensor fails (measured with 2.6.2 and 3.0.0).
Paddle 2.6 has no versions of the op: its converter rewrites only `set_value`, so `values` of a node is not read.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr
    from opspec_lint.spec.model import Op

OPS = ("assign_value",)
_VALUES = "values"
_BY_DTYPE = {0: "bool_values", 2: "int32_values", 3: "int64_values", 5: "fp32_values", 6: "fp64_values"}
"""The attr with the values of a data type (`VarType.Type`), in releases without `values`."""


def missing_attr(op: Op, given: Mapping[str, Attr]) -> str | None:
    """Return the attr with the values that the kernel reads, if a node lacks it although its shape has elements."""
    declared = {attr.name for attr in op.attrs}
    shape, dtype = given.get("shape"), given.get("dtype")
    if shape is None or dtype is None or not isinstance(shape.value, list) or 0 in shape.value:
        return None
    name = _VALUES if _VALUES in declared else _BY_DTYPE.get(dtype.value if isinstance(dtype.value, int) else -1)
    return name if name in declared and (name not in given or given[name].value == []) else None
