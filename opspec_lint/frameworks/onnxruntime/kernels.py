"""The field `kernels` of a schema: the types that a release runs the op with, by provider.

A kernel covers a range of op versions. One with an open end covers only the version that it begins with (measured with
1.16.3 to 1.32.0: MaxRoiPool-22 is refused, though a kernel begins with version 1). It restricts types by the name of a
type variable or of an argument. A schema limits the types of inputs only: Cast-13 runs to float8, which its schema does
not allow (measured with 1.16.3 to 1.27.0).
"""

from __future__ import annotations

from itertools import product
from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

CPU = "CPUExecutionProvider"
"""The provider that runs function bodies and casts instead of kernels; every session has it."""
_MAX_COMBINATIONS = 10_000
"""Combinations of types of one kernel; if there are more, only the variables that the kernel restricts are listed."""


def add_kernels(schemas: Sequence[dict[str, Any]], kernels: Iterable[dict[str, Any]], fallbacks: Iterable[Any]) -> None:
    """Add the field `kernels` to the record of each schema.

    Args:
        schemas: the records.
        kernels: the kernels of all ops.
        fallbacks: pairs of a schema's index and types by variable that run without a kernel.
    """
    without: dict[int, set[str]] = {}
    for place, types in fallbacks:
        without.setdefault(place, set()).add(_types_text(types))
    of_op: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for kernel_of_op in kernels:
        of_op.setdefault((kernel_of_op["domain"], kernel_of_op["op"]), []).append(kernel_of_op)
    for place, schema in enumerate(schemas):
        by_provider = {CPU: without.get(place, set())}
        for kernel in of_op.get((schema["domain"], schema["name"]), ()):
            if _covers_version(kernel, schema["since_version"]):
                by_provider.setdefault(kernel["provider"], set()).update(_combinations(kernel, schema))
        schema["kernels"] = {
            provider: sorted(combinations) for provider, combinations in sorted(by_provider.items()) if combinations
        }


def _covers_version(kernel: Mapping[str, Any], since: int) -> bool:
    """Return True if a kernel covers the version of an op."""
    first, last = kernel["from"], kernel["to"]
    return bool(since == first if last is None else first <= since <= last)


def _combinations(kernel: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the combinations of types, by type variable, that a kernel runs an op with.

    A kernel restricts types by the name of a type variable or of an argument. If there are very many combinations, only
    the restricted variables are in them.
    """
    type_of_argument = {
        argument["name"]: argument["type"] for section in ("inputs", "outputs") for argument in schema[section]
    }
    allowed = {
        variable: set(types)
        for variable, types in schema["type_constraints"].items()
        if variable in type_of_argument.values()
    }
    variables_of_inputs = {argument["type"] for argument in schema["inputs"]}
    restricted = set()
    for name, types in kernel["types"].items():
        variable = name if name in allowed else type_of_argument.get(name)
        if variable in allowed:
            restricted.add(variable)
            allowed[variable] = set(types) & allowed[variable] if variable in variables_of_inputs else set(types)
        # The argument has a fixed type that the kernel does not take.
        elif variable is not None and variable not in types:
            return
    if prod(map(len, allowed.values())) > _MAX_COMBINATIONS:
        allowed = {name: types for name, types in allowed.items() if name in restricted}
    yield from (_types_text(dict(zip(allowed, combination, strict=True))) for combination in product(*allowed.values()))


def _types_text(types: Mapping[str, str]) -> str:
    """Return types by variable as text: `T=tensor(float); T1=tensor(int64)`."""
    return "; ".join(f"{variable}={types[variable]}" for variable in sorted(types))
