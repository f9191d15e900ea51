"""A sample: what a saved model of one op says of it."""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.spec.model import Op


class UnwritableError(Exception):
    """There is no way to write such a model, or models say nothing of it; the message says which."""


class Sample(Record):
    """What a model says of its one op.

    `op` is the declaration that it follows, `attrs` the values that are written (`spec.values`), by name. `inputs` and
    `outputs` are how many tensors stand at each argument that is written; where the attrs of an op decide that, as in
    TensorFlow, nobody looks at them. `version` is that of the op in the model, None where models name none. `types` are
    those of type variables that the model is to have; of any other the writer chooses one.
    """

    op: Op
    attrs: Mapping[str, Any] = {}
    inputs: Mapping[str, int] = {}
    outputs: Mapping[str, int] = {}
    version: int | None = None
    types: Mapping[str, str] = {}

    def saying(self, **attrs: object) -> Sample:
        """Return the sample with further values of attrs, or others."""
        return self.replace(attrs={**self.attrs, **attrs})

    def without(self, attr: str) -> Sample:
        """Return the sample with an attr left out."""
        return self.replace(attrs={name: value for name, value in self.attrs.items() if name != attr})
