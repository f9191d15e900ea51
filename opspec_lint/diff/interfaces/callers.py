"""The callers that a changed tensor breaks, depending on the programs that load the model.

The module `callers.py` of a framework describes these programs.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import callers_of
from opspec_lint.spec.interface.shapes import is_numeric_dtype
from opspec_lint.spec.interface.types import SPARSE, TensorType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.interface.types import CompositeType, Type
    from opspec_lint.spec.model import Op, Provenance

    RuntimeForVersion: TypeAlias = "Callable[[tuple[int, ...]], Runtime]"

RUNTIMES: Catalogue[RuntimeForVersion] = Catalogue("frameworks/*", only="callers", offers="runtime", spell=framework_of)
"""The functions that return the runtime of a framework for its version as numbers; () if the version is unknown."""


class Runtime(Record):
    """The program that loads a model, by its effect on callers; the defaults describe a program that checks everything.

    `casting_callers`: callers whose numbers it casts to the dtype of an input. `any_shape_callers`: callers that may
    feed another shape than the declared one. `numbered_results_callers`: callers that get results by their position.
    `feeds_by_position`: the inputs of a graph may be fed by their position. `skips_shape_checks`: it checks no shape of
    the arguments of a signature, and accepts a list for a tuple. `checks_rank_only`: of a SparseTensor, it checks only
    the rank. `unsaved_traces`: the traces that it does not save, as a part of a sentence.
    """

    casting_callers: tuple[Caller, ...] = ()
    any_shape_callers: tuple[Caller, ...] = ()
    numbered_results_callers: tuple[Caller, ...] = ()
    feeds_by_position: bool = False
    skips_shape_checks: bool = False
    checks_rank_only: bool = False
    unsaved_traces: str = ""


UNKNOWN_RUNTIME = Runtime(casting_callers=("session",), feeds_by_position=True, checks_rank_only=True)
"""The runtime that is assumed for a model whose saver is unknown."""


class Loaders:
    """The runtimes that may load head's model: base's, and the one that head states.

    A caller breaks if one of the two breaks it.

    Args:
        base: the runtime of base's model.
        head: the runtime of head's model, according to head.
    """

    def __init__(self, base: Runtime, head: Runtime) -> None:
        self._runtimes = (base, head)

    @property
    def feeds_by_position(self) -> bool:
        """True if callers may feed the inputs of a graph by position."""
        return any(runtime.feeds_by_position for runtime in self._runtimes)

    @property
    def skips_shape_checks(self) -> bool:
        """True if both runtimes check no shapes of the arguments of a signature."""
        return all(runtime.skips_shape_checks for runtime in self._runtimes)

    def checked_type(self, given: CompositeType) -> Type:
        """Return the tensor of a composite, as runtimes check it: for a SparseTensor, perhaps only its rank."""
        tensor = given.parts[0]
        is_by_rank = given.type_name == SPARSE and all(runtime.checks_rank_only for runtime in self._runtimes)
        if not (is_by_rank and isinstance(tensor, TensorType)) or tensor.shape is None:
            return tensor
        return tensor.replace(shape=(None,) * len(tensor.shape))

    def broken_by_dtype(self, op: Op, old: str, new: str) -> tuple[Caller, ...]:
        """Return the callers that break if an input has another dtype."""
        return self._not_spared(
            op, lambda runtime: runtime.casting_callers if is_numeric_dtype(old) and is_numeric_dtype(new) else ()
        )

    def broken_by_shape(self, op: Op) -> tuple[Caller, ...]:
        """Return the callers that break if an input accepts fewer shapes."""
        return self._not_spared(op, lambda runtime: runtime.any_shape_callers)

    def broken_by_result_name(self, op: Op) -> tuple[Caller, ...]:
        """Return the callers that break if a result has another name."""
        return self._not_spared(op, lambda runtime: runtime.numbered_results_callers)

    def _not_spared(self, op: Op, spared_callers: Callable[[Runtime], tuple[Caller, ...]]) -> tuple[Caller, ...]:
        """Return the callers of an op, except for those that both runtimes spare."""
        return tuple(
            caller
            for caller in callers_of(op)
            if not all(caller in spared_callers(runtime) for runtime in self._runtimes)
        )


def possible_loaders(base: Provenance, head: Provenance) -> Loaders:
    """Return the runtimes that may load head's model."""
    return Loaders(runtime(base), runtime(head))


def checks_less(base: Provenance, head: Provenance) -> bool:
    """Return whether head's runtime is of base's kind but checks less, as head's version states."""
    return base.kind == head.kind and runtime(head).skips_shape_checks and not runtime(base).skips_shape_checks


def runtime(provenance: Provenance) -> Runtime:
    """Return the runtime for the model of a spec, by the framework and version that saved it."""
    if not provenance.kind:
        return UNKNOWN_RUNTIME
    numbers = []
    # The numbers before a suffix such as `rc1` suffice: runtimes differ between releases.
    for part in (provenance.version or "").split(".")[:3]:
        if not part.isdecimal() or not part.isascii():
            break
        numbers.append(int(part))
    return RUNTIMES.load(provenance.kind)(tuple(numbers)) if provenance.kind in RUNTIMES else Runtime()
