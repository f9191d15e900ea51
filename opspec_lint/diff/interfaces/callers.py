"""Who breaks by a change of a tensor: it differs by who loads the model, as measured with each of them."""

from __future__ import annotations

from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import SIGNATURE, called_as, callers_of
from opspec_lint.spec.interface.shapes import is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Op, Provenance

_PADDLE, _TENSORFLOW, _TFLITE = "paddle", "tensorflow", "tflite"
_LENIENT = (2, 12)
"""The last release of TensorFlow known to call a signature, or to bind a list for a tuple, without looking."""


class Runtime(Record):
    """Who loads head's model: the framework, and its version as numbers, () where that is unknown."""

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


def runtime(provenance: Provenance) -> Runtime:
    """Return who loads the model of a spec: the framework that saved it, of the version as far as that is numbers."""
    numbers = []
    for part in (provenance.version or "").split(".")[:3]:
        if not part.isdecimal() or not part.isascii():
            break
        numbers.append(int(part))
    return Runtime(framework=provenance.made_by or "", version=tuple(numbers))
