"""A sample: the content of a generated model with one op."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.model import Op


class UnwritableError(Exception):
    """A model cannot be written, or models of the framework do not contain the subject; the message states why."""


class Sample(Record):
    """The content of a model with one op.

    - `op`: the declaration that it follows
    - `attrs`: values by name (`spec.values`) of the attrs to write
    - `inputs`, `outputs`: the number of tensors of each argument to write; ignored if attrs of the op decide it, as in
      TensorFlow
    - `version`: the version of the op, None if models of the framework have none
    - `types`: chosen types of type variables; the writer chooses the others
    """

    op: Op
    attrs: Mapping[str, Any] = {}
    inputs: Mapping[str, int] = {}
    outputs: Mapping[str, int] = {}
    version: int | None = None
    types: Mapping[str, str] = {}

    def with_attrs(self, **attrs: object) -> Sample:
        """Return the sample with these values of attrs added or replaced."""
        return self.replace(attrs={**self.attrs, **attrs})

    def without(self, attr: str) -> Sample:
        """Return the sample without a value for an attr."""
        return self.replace(attrs={name: value for name, value in self.attrs.items() if name != attr})
