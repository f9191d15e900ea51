"""Search for a kernel that runs a node with the types that it has: the `kernels` of its schema."""

from __future__ import annotations

from itertools import product
from math import prod

from opspec_lint.frameworks.onnx.saved.judging.faults import unknown
from opspec_lint.frameworks.onnx.saved.judging.types import one_spelling
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.judging.place import Place
    from opspec_lint.frameworks.onnx.saved.judging.types import Bound
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op

_EXPANDED = ("SequenceMap",)
"""Ops that a function body of the graph in the node replaces, so that no spec states types for them."""
_MOST = 4096
"""Combinations of types that are looked at where types are unknown."""


class Kernels:
    """The types that the ops of a release run with, each read once."""

    def __init__(self) -> None:
        self._read: dict[str, list[dict[str, str]]] = {}

    def faults_of(
        self, place: Place, schema: Op, bound: Bound, missing: Callable[[Place, str, Mapping[str, str]], Fact]
    ) -> Iterator[Fact]:
        """Yield that no kernel runs a node, or that it cannot be told.

        Args:
            place: the node.
            schema: its schema.
            bound: the types of its tensors.
            missing: returns the fault of a node that no kernel runs, with the types as text and as they are bound.
        """
        kernels = schema.get("kernels")
        if place.node.op in _EXPANDED:
            return
        if kernels is UNKNOWN:
            yield unknown(place, "the spec states no kernels", "name a spec of ONNX Runtime")
            return
        known = {name: one_spelling(kind) for name, kind in bound.types.items()}
        fitting = [combination for combination in self._of(schema) if _fits(combination, known)]
        for variable, types in bound.mixed.items():
            if not all(any(_fits(combination, {variable: kind}) for combination in fitting) for kind in types):
                fitting = []
        if not fitting:
            yield missing(place, _types(bound, known), known)
            return
        free = {name: tuple(map(one_spelling, schema.get("type_constraints")[name])) for name in sorted(bound.unknown)}
        if free and not _all_served(fitting, free):
            problem = f"the types of {', '.join(free)} are unknown, and '{place.op}' runs with some of them only"
            yield unknown(place, problem, "state the types of all tensors (onnx.shape_inference), or try the model")

    def run(self, schema: Op, bound: Mapping[str, str]) -> bool:
        """Tell whether a kernel runs an op with some types."""
        return any(_fits(combination, bound) for combination in self._of(schema))

    def _of(self, schema: Op) -> list[dict[str, str]]:
        """Return the combinations of types that an op runs with."""
        if schema.name not in self._read:
            texts = {text for texts in (schema.get("kernels") or {}).values() for text in texts}
            self._read[schema.name] = [_read(text) for text in texts]
        return self._read[schema.name]


def runs(schema: Op, kind: str) -> bool:
    """Tell whether kernels run an op of one type variable with a type, or are not known."""
    kernels = schema.get("kernels")
    if kernels is UNKNOWN:
        return True
    return any(kind in _read(text).values() for texts in (kernels or {}).values() for text in texts)


def _types(bound: Bound, known: Mapping[str, str]) -> str:
    """Return the known types of the variables of a node as text."""
    mixed = {variable: " and ".join(sorted(types)) for variable, types in bound.mixed.items() if types}
    shown = ", ".join(f"{name} = {kind}" for name, kind in sorted({**known, **mixed}.items()))
    return shown or "any types"


def _read(text: str) -> dict[str, str]:
    pairs = (combination.split("=", 1) for combination in text.split("; ") if "=" in combination)
    return {name: one_spelling(kind) for name, kind in pairs}


def _fits(combination: Mapping[str, str], known: Mapping[str, str]) -> bool:
    return all(combination.get(name, kind) == kind for name, kind in known.items())


def _all_served(fitting: list[dict[str, str]], free: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether kernels run whatever types the unknown ones are."""
    if prod(map(len, free.values())) > _MOST:
        return False
    served = {tuple(combination.get(name) for name in free) for combination in fitting}
    return all(_is_served(combination, served) for combination in product(*free.values()))


def _is_served(types: tuple[str, ...], served: set[tuple[str | None, ...]]) -> bool:
    return types in served or any(
        all(mine in (None, other) for mine, other in zip(combination, types, strict=True))
        for combination in served
        if None in combination
    )
