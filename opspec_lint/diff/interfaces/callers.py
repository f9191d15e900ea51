"""Who breaks by a change of a tensor: it differs by who loads the model, as measured with each of them."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import SIGNATURE, called_as, callers_of
from opspec_lint.spec.interface.shapes import is_number
from opspec_lint.spec.interface.types import SPARSE, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.interface.types import Composite, Type
    from opspec_lint.spec.model import Op, Provenance

_PADDLE, _TENSORFLOW, _TFLITE = "paddle", "tensorflow", "tflite"
_LENIENT = (2, 12)
"""The last release of TensorFlow known to call a signature, or to bind a list for a tuple, without looking."""


class Runtime(Record):
    """Who loads a model: the framework, and its version as numbers, () where that is unknown."""

    framework: str
    version: tuple[int, ...] = ()

    @property
    def is_tensorflow(self) -> bool:
        """Whether it is TensorFlow, or nobody said."""
        return self.framework in (_TENSORFLOW, "")

    @property
    def feeds_by_index(self) -> bool:
        """Whether a graph's inputs are known by their places: TFLite's interpreter numbers them."""
        return self.framework in (_TFLITE, "")

    @property
    def is_lenient(self) -> bool:
        """Whether it is a TensorFlow that looks at no shape of what a signature is given."""
        return self.is_tensorflow and () != self.version[:2] <= _LENIENT

    def by_dtype(self, op: Op, old: str, new: str) -> tuple[Caller, ...]:
        """Return who breaks where an input wants another dtype: a session of TensorFlow casts what numpy feeds."""
        callers = callers_of(op)
        if self.is_tensorflow and is_number(old) and is_number(new):
            return tuple(each for each in callers if each != "session")
        return callers

    def by_shape(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where an input takes fewer shapes.

        A runner of TFLite resizes what it is given by keyword, and a predictor of Paddle looks at no shape.
        """
        callers = callers_of(op)
        if self.framework == _PADDLE:
            return ()
        if called_as(op) == SIGNATURE and (self.is_lenient or self.framework == _TFLITE):
            return tuple(each for each in callers if each != "signature")
        return callers

    def by_result_name(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where a result is given under another name: TFLite's interpreter numbers them."""
        return tuple(each for each in callers_of(op) if each != "session" or self.framework != _TFLITE)


class Loaders:
    """Who may load head's model: what loads base's model, and what head says. Either of them may break a caller.

    Args:
        base: what loads base's model.
        head: what loads head's, according to head.
    """

    def __init__(self, base: Runtime, head: Runtime) -> None:
        self._both = (base, head)

    @property
    def feeds_by_index(self) -> bool:
        """Whether a graph's inputs may be known by their places."""
        return any(each.feeds_by_index for each in self._both)

    @property
    def is_lenient(self) -> bool:
        """Whether both look at no shape of what a signature is given."""
        return all(each.is_lenient for each in self._both)

    def looked_at(self, given: Composite) -> Type:
        """Return what is looked at of what is no plain tensor: of the shape of a SparseTensor the rank.

        Measured with TensorFlow 2.8.4, 2.12.1, 2.15.1 and 2.18.1.
        """
        tensor = given.parts[0]
        is_by_rank = given.word == SPARSE and all(each.is_tensorflow for each in self._both)
        if not (is_by_rank and isinstance(tensor, Tensor)) or tensor.shape is None:
            return tensor
        return tensor.but(shape=(None,) * len(tensor.shape))

    def by_dtype(self, op: Op, old: str, new: str) -> tuple[Caller, ...]:
        """Return who breaks where an input wants another dtype."""
        return _merged(op, [each.by_dtype(op, old, new) for each in self._both])

    def by_shape(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where an input takes fewer shapes."""
        return _merged(op, [each.by_shape(op) for each in self._both])

    def by_result_name(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where a result is given under another name."""
        return _merged(op, [each.by_result_name(op) for each in self._both])


def _merged(op: Op, broken: Sequence[tuple[Caller, ...]]) -> tuple[Caller, ...]:
    return tuple(each for each in callers_of(op) if any(each in some for some in broken))


def loaders(base: Provenance, head: Provenance) -> Loaders:
    """Return who may load head's model."""
    return Loaders(runtime(base), runtime(head))


def checks_less(base: Provenance, head: Provenance) -> bool:
    """Tell whether head says that its loader is of base's kind, and one that looks at less of what it is given."""
    return base.kind == head.kind and runtime(head).is_lenient and not runtime(base).is_lenient


def runtime(provenance: Provenance) -> Runtime:
    """Return who loads the model of a spec: what saved it, of the version as far as that is numbers."""
    numbers = []
    for part in (provenance.version or "").split(".")[:3]:
        if not part.isdecimal() or not part.isascii():
            break
        numbers.append(int(part))
    return Runtime(framework=provenance.kind or "", version=tuple(numbers))
