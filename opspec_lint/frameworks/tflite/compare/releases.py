"""What released runtimes take: the proof against a row that names a release which refuses the version."""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.tflite.compare.faults import of_op, spelt
from opspec_lint.frameworks.tflite.compare.standing import place, taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec

_FAMILY = "tflite"
"""The released specs whose versions are those that the rows name: TensorFlow's."""


def refuted(op: Op, rows: Mapping[int, str]) -> Iterator[Fact]:
    """Yield the rows of an op that name a release from which on a released runtime still refuses the version."""
    for version, runtime in rows.items():
        proof = next(
            (
                (name, known)
                for name, release, known in _released()
                if release >= numbers(runtime) and version not in known.get(op.name, ())
            ),
            None,
        )
        if proof is not None:
            name, known = proof
            kernels = known.get(op.name, ())
            yield of_op(
                op,
                "runtime_row_refuted",
                (version,),
                f"oldest_runtimes.{version}",
                facts={
                    "new": runtime,
                    "release": name,
                    "kernels": f"takes {spelt(kernels)}" if kernels else "has none",
                },
                new=runtime,
                place=place(op, f"oldest_runtimes.{version}"),
            )


@cache
def _released() -> tuple[tuple[str, tuple[int, ...], dict[str, tuple[int, ...]]], ...]:
    """Return the released runtimes that opspec-lint knows, oldest first: name, version, and what each op takes."""
    from opspec_lint.sources import references, released
    from opspec_lint.sources.reading import Reading

    found = []
    for name in released.names({_FAMILY}):
        spec: Spec = references.resolve(name, Reading()).spec
        runtime = name.removeprefix(f"{_FAMILY}@")
        found.append((name, numbers(runtime), {op: taken(each) for op, each in spec.ops.items()}))
    return tuple(found)


def numbers(runtime: str) -> tuple[int, ...]:
    """Return the numbers of a version, as TensorFlow Lite compares them."""
    return tuple(int(part) for part in runtime.split(".") if part.isdecimal())
