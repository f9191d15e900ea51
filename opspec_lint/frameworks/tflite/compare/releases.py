"""Rows of an op in runtime_version.cc that a released runtime refutes.

A row states the oldest runtime that takes a version of the op. A runtime refutes it if it is not older than that, and
has no kernel for the version.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opspec_lint.frameworks.tflite.compare.disagreements import kernel_versions, place
from opspec_lint.frameworks.tflite.compare.faults import format_versions, op_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op, Spec

_LITERT = "ai_edge_litert"
_FAMILY = "tflite"
"""The family of released specs whose version numbers the rows name: TensorFlow's."""


def refuted_rows(op: Op, rows: Mapping[int, str]) -> Iterator[Fact]:
    """Yield a fact for each refuted row of an op; `rows` has the oldest runtime by version."""
    for version, runtime in rows.items():
        oldest = release_numbers(runtime)
        refuting = (
            release
            for release in _released_kernels()
            if release.numbers >= oldest and version not in release.versions.get(op.name, ())
        )
        proof = next(refuting, None)
        if proof is not None:
            kernels = proof.versions.get(op.name, ())
            yield op_fact(
                op,
                "runtime_row_refuted",
                (version,),
                f"oldest_runtimes.{version}",
                facts={
                    "new": runtime,
                    "release": proof.name,
                    "kernels": f"takes {format_versions(kernels)}" if kernels else "has none",
                },
                new=runtime,
                place=place(op, f"oldest_runtimes.{version}"),
            )


class ReleasedRuntime(NamedTuple):
    """The included spec of a runtime: its name, the numbers of its release, and the versions of kernels by op."""

    name: str
    numbers: tuple[int, ...]
    versions: dict[str, tuple[int, ...]]


@cache
def _released_kernels() -> tuple[ReleasedRuntime, ...]:
    """Return the kernels of all included runtimes, oldest first."""
    from opspec_lint.sources import references, released
    from opspec_lint.sources.reading import Reading

    runtimes = []
    for name in released.names({_FAMILY}):
        spec: Spec = references.resolve(name, Reading()).spec
        runtime = name.removeprefix(f"{_FAMILY}@")
        versions = {op: kernel_versions(declared) for op, declared in spec.ops.items()}
        runtimes.append(ReleasedRuntime(name, release_numbers(runtime), versions))
    return tuple(runtimes)


def release_numbers(runtime: str) -> tuple[int, ...]:
    """Return the numbers of a release such as `2.16.1`, in the form in which TensorFlow Lite compares them."""
    return tuple(int(part) for part in runtime.split(".") if part.isdecimal())


def is_since(spec: Spec, release: tuple[int, ...] | None, *, litert: tuple[int, ...] = ()) -> bool:
    """Return whether a spec is of a TensorFlow release or a later one; None is a release to come.

    `litert` is the first such release of LiteRT, all by default. A spec without a version is later than all.
    """
    version, made_by = spec.provenance.version, spec.provenance.made_by
    if version is None:
        return True
    first = litert if (made_by or "").endswith(_LITERT) else release
    return first is not None and release_numbers(version) >= first
