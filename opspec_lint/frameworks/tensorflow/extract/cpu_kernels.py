"""The field `cpu_kernels` of an op: the types with which the release runs it on the CPU.

A kernel is registered for values of type attrs. The field maps the restrictions of all attrs but one to the types that
this attr may have: `{"T; Tidx=int32": ["double", "float"]}`, and `{"any types": []}` if the attrs do not matter. An op
that no kernel runs has {}.
"""

from __future__ import annotations

from itertools import product
from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from opspec_lint.spec.model import Op

ANY = "any types"
_MAX_COMBINATIONS = 20_000
"""Combinations of types that one kernel may have: those of TensorFlow have at most a few hundred."""


def collect(kernels: Iterable[Mapping[str, Sequence[str]]], attrs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the field for an op from the types that each of its kernels takes, by attr.

    `attrs` are the attrs of the op: the first one that kernels restrict is the attr whose types are listed.

    Raises:
        ValueError: a kernel has too many combinations of types.
    """
    combinations = {combination for kernel in kernels for combination in _combinations(kernel)}
    restricted = {name for combination in combinations for name, _ in combination}
    listed = next((name for name in attrs if name in restricted), min(restricted, default=ANY))
    types_by_rest: dict[str, set[str]] = {}
    for combination in combinations:
        types = dict(combination)
        listed_types = {types.pop(listed)} if listed in types else set()
        rest = (f"{name}={kind}" for name, kind in sorted(types.items()))
        key = "; ".join([listed if listed_types else ANY, *rest])
        types_by_rest.setdefault(key, set()).update(listed_types)
    return {key: tuple(sorted(types)) for key, types in sorted(types_by_rest.items())}


def _combinations(kernel: Mapping[str, Sequence[str]]) -> Iterator[frozenset[tuple[str, str]]]:
    """Return the combinations of types that a kernel takes, each as pairs of attr and type."""
    if prod(map(len, kernel.values())) > _MAX_COMBINATIONS:
        raise ValueError("a kernel has too many combinations of types")
    return map(frozenset, product(*([(name, kind) for kind in types] for name, types in kernel.items())))


def runs(op: Op, types: Mapping[str, Sequence[str] | None]) -> bool:
    """Return whether a kernel in the field of an op runs it with types by attr; None for unknown types.

    An attr with a list of types has only types that the kernel takes, as in TensorFlow's `KernelAttrsMatch`.
    """
    field: Mapping[str, Sequence[str]] = op.get("cpu_kernels") or {}
    return any(_takes(key, listed, types) for key, listed in field.items())


def _takes(key: str, listed: Sequence[str], types: Mapping[str, Sequence[str] | None]) -> bool:
    """Return whether the kernels of one entry of the field take types by attr."""
    first, *rest = key.split("; ")
    required = {name: {kind} for name, _, kind in (text.partition("=") for text in rest)}
    if first != ANY:
        required[first] = set(listed)
    return all(required[name].issuperset(types.get(name) or ()) for name in required)
