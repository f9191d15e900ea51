"""The search for a kernel that runs a node with the types of its tensors, in the field `kernels` of its schema."""

from __future__ import annotations

from itertools import product
from math import prod

from opspec_lint.frameworks.onnx.identity import split_identity
from opspec_lint.frameworks.onnx.saved.judging.faults import node_unknown
from opspec_lint.frameworks.onnx.saved.judging.types import normalize_type
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from opspec_lint.frameworks.onnx.saved.judging.resolution import ResolvedNode
    from opspec_lint.frameworks.onnx.saved.judging.types import BoundTypes
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op

_EXPANDED = ("SequenceMap",)
"""Ops that are replaced by the graph in the node before kernels are chosen, so that no spec states types for them."""
_MAX_COMBINATIONS = 4096
"""Combinations of types that are tried if several types are unknown."""
_FLOAT, _FLOAT16 = "tensor(float)", "tensor(float16)"
_CAST_SINCE = 6
"""The first opset with a kernel of Cast, so that ORT can cast float16 for ops without such a kernel."""


class KernelSearch:
    """A search for kernels in the schemas of a release; it parses each schema once, and tries equal types once."""

    def __init__(self) -> None:
        self._parsed: dict[str, list[dict[str, str]]] = {}
        self._fitting: dict[tuple[str, frozenset[tuple[str, str]]], list[dict[str, str]]] = {}

    def find_faults(
        self,
        resolved: ResolvedNode,
        schema: Op,
        bound: BoundTypes,
        make_fault: Callable[[ResolvedNode, str, Mapping[str, str]], Fact],
    ) -> Iterator[Fact]:
        """Yield a fault if no kernel runs a node, or if that depends on unknown types.

        `make_fault` returns the fault of a node without a kernel, given the types as text and by type variable.
        """
        kernels = schema.get("kernels")
        if resolved.node.op in _EXPANDED:
            return
        if kernels is UNKNOWN:
            yield node_unknown(resolved, "the spec states no kernels", "name a spec of ONNX Runtime")
            return
        known = {name: normalize_type(kind) for name, kind in bound.types.items()}
        fitting = self._fitting_combinations(schema, known)
        # Each tensor of a heterogeneous variadic argument may have another type, so each type needs a fitting kernel of
        # its own.
        for variable, types in bound.mixed.items():
            if not all(any(_fits(combination, {variable: kind}) for combination in fitting) for kind in types):
                fitting = []
        if not fitting and _can_cast(resolved, schema, known):
            fitting = self._fitting_combinations(schema, {name: _cast(kind) for name, kind in known.items()})
        if not fitting:
            yield make_fault(resolved, _types_text(bound, known), known)
            return
        free = {
            name: tuple(map(normalize_type, schema.get("type_constraints")[name])) for name in sorted(bound.unknown)
        }
        if free and not _covers_all(fitting, free):
            problem = f"the types of {', '.join(free)} are unknown, and '{resolved.op}' runs with some of them only"
            yield node_unknown(
                resolved, problem, "state the types of all tensors (onnx.shape_inference), or try the model"
            )

    def runs(self, schema: Op, types: Mapping[str, str]) -> bool:
        """Return True if a kernel runs an op with `types`, given by type variable."""
        return any(_fits(combination, types) for combination in self._combinations(schema))

    def _fitting_combinations(self, schema: Op, known: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the combinations of types that agree with all known types."""
        key = schema.name, frozenset(known.items())
        if key not in self._fitting:
            self._fitting[key] = [
                combination for combination in self._combinations(schema) if _fits(combination, known)
            ]
        return self._fitting[key]

    def _combinations(self, schema: Op) -> list[dict[str, str]]:
        """Return the combinations of types, by type variable, that kernels run an op with."""
        if schema.name not in self._parsed:
            texts = {text for texts in (schema.get("kernels") or {}).values() for text in texts}
            self._parsed[schema.name] = [_parse_combination(text) for text in texts]
        return self._parsed[schema.name]


def runs_type(schema: Op, kind: str) -> bool:
    """Return True if kernels run an op with one type variable for a type, or if its kernels are not known."""
    kernels = schema.get("kernels")
    if kernels is UNKNOWN:
        return True
    return any(kind in _parse_combination(text).values() for texts in (kernels or {}).values() for text in texts)


def _types_text(bound: BoundTypes, known: Mapping[str, str]) -> str:
    """Return the known types of a node as text: `T = tensor(int8)`."""
    mixed = {variable: " and ".join(sorted(types)) for variable, types in bound.mixed.items() if types}
    shown = ", ".join(f"{name} = {kind}" for name, kind in sorted({**known, **mixed}.items()))
    return shown or "any types"


def _parse_combination(text: str) -> dict[str, str]:
    """Return a combination of types from its text `T=tensor(float); T1=tensor(int64)`."""
    pairs = (combination.split("=", 1) for combination in text.split("; ") if "=" in combination)
    return {name: normalize_type(kind) for name, kind in pairs}


def _can_cast(resolved: ResolvedNode, schema: Op, known: Mapping[str, str]) -> bool:
    """Return True if ORT casts a node's float16 inputs to float, and the spec does not have these kernels.

    ORT does so for nodes without a kernel (insert_cast_transformer.cc). The spec has what runs in the first opset of a
    schema; an older schema than Cast's kernels is in force in later opsets, too.
    """
    _, _, since = split_identity(resolved.op)
    if not since < _CAST_SINCE <= (resolved.imported or 0):
        return False
    return any(known.get(str(argument.type)) == _FLOAT16 for argument in schema.inputs)


def _cast(kind: str) -> str:
    return _FLOAT if kind == _FLOAT16 else kind


def _fits(combination: Mapping[str, str], known: Mapping[str, str]) -> bool:
    """Return True if a combination agrees with all known types."""
    return all(combination.get(name, kind) == kind for name, kind in known.items())


def _covers_all(fitting: list[dict[str, str]], free: Mapping[str, tuple[str, ...]]) -> bool:
    """Return True if kernels run every combination of the types that the unknown variables `free` may have."""
    # Too many combinations to try: unknown is then the safe answer.
    if prod(map(len, free.values())) > _MAX_COMBINATIONS:
        return False
    served = {tuple(combination.get(name) for name in free) for combination in fitting}
    return all(_is_covered(combination, served) for combination in product(*free.values()))


def _is_covered(types: tuple[str, ...], served: set[tuple[str | None, ...]]) -> bool:
    """Return True if a kernel runs a combination; None in a kernel's combination matches any type."""
    return types in served or any(
        all(kernel_type in (None, kind) for kernel_type, kind in zip(combination, types, strict=True))
        for combination in served
        if None in combination
    )
