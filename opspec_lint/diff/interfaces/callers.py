"""Which callers a change of a tensor breaks; `callers.py` of a framework says what loads its models, and how."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record
from opspec_lint.spec.interface.declarations import callers_of
from opspec_lint.spec.interface.shapes import is_numeric_dtype
from opspec_lint.spec.interface.types import SPARSE, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.interface.types import Composite, Type
    from opspec_lint.spec.model import Op, Provenance

    RuntimeForVersion: TypeAlias = "Callable[[tuple[int, ...]], Runtime]"

RUNTIMES: Catalogue[RuntimeForVersion] = Catalogue("frameworks/*", only="callers", offers="runtime", spell=framework_of)
"""What loads the models of a framework, by the version of the framework as numbers, () if that is unknown."""


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
"""What loads a model of which nobody says what saved it."""


class Loaders:
    """What may load head's model: what loads base's model, and what head says. Either of them may break a caller.

    Args:
        base: what loads base's model.
        head: what loads head's, according to head.
    """

    def __init__(self, base: Runtime, head: Runtime) -> None:
        self._both = (base, head)

    @property
    def feeds_by_position(self) -> bool:
        """Whether a graph's inputs may be known by their places."""
        return any(each.feeds_by_position for each in self._both)

    @property
    def skips_shape_checks(self) -> bool:
        """Whether both look at no shape of what a signature is given."""
        return all(each.skips_shape_checks for each in self._both)

    def looked_at(self, given: Composite) -> Type:
        """Return the type that is compared for a composite: of a SparseTensor perhaps the rank alone."""
        tensor = given.parts[0]
        is_by_rank = given.type_name == SPARSE and all(each.checks_rank_only for each in self._both)
        if not (is_by_rank and isinstance(tensor, Tensor)) or tensor.shape is None:
            return tensor
        return tensor.replace(shape=(None,) * len(tensor.shape))

    def by_dtype(self, op: Op, old: str, new: str) -> tuple[Caller, ...]:
        """Return who breaks where an input wants another dtype."""
        return self._broken(
            op, lambda each: each.casting_callers if is_numeric_dtype(old) and is_numeric_dtype(new) else ()
        )

    def by_shape(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where an input takes fewer shapes."""
        return self._broken(op, lambda each: each.any_shape_callers)

    def by_result_name(self, op: Op) -> tuple[Caller, ...]:
        """Return who breaks where a result is given under another name."""
        return self._broken(op, lambda each: each.numbered_results_callers)

    def _broken(self, op: Op, spared: Callable[[Runtime], tuple[Caller, ...]]) -> tuple[Caller, ...]:
        """Return the callers of an op but for those that both spare."""
        return tuple(each for each in callers_of(op) if not all(each in spared(one) for one in self._both))


def loaders(base: Provenance, head: Provenance) -> Loaders:
    """Return the loaders that may load head's model."""
    return Loaders(runtime(base), runtime(head))


def checks_less(base: Provenance, head: Provenance) -> bool:
    """Tell whether head says that its loader is of base's kind, and one that looks at less of what it is given."""
    return base.kind == head.kind and runtime(head).skips_shape_checks and not runtime(base).skips_shape_checks


def runtime(provenance: Provenance) -> Runtime:
    """Return the runtime of a spec's model: what saved it, of the version as far as that is numbers."""
    if not provenance.kind:
        return UNKNOWN_RUNTIME
    numbers = []
    for part in (provenance.version or "").split(".")[:3]:
        if not part.isdecimal() or not part.isascii():
            break
        numbers.append(int(part))
    return RUNTIMES.load(provenance.kind)(tuple(numbers)) if provenance.kind in RUNTIMES else Runtime()
