"""Look-up of ops and attrs in all included releases of TensorFlow, and of ops in well-known libraries."""

from __future__ import annotations

from functools import cache, lru_cache

from opspec_lint.kit.record import Record
from opspec_lint.sources import released as released_specs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.spec.model import Attr, Spec

_FRAMEWORK = "tensorflow"


class OpLibrary(Record):
    """A library of ops: its Python module, and the common `prefix` of its op names, or the names `ops`."""

    module: str
    prefix: str = ""
    ops: frozenset[str] = frozenset()


class KnownOps:
    """The ops of the included releases. Specs are read, oldest first, until one has the op in question.

    `released` returns the spec of a release by its name, None if it is not included.
    """

    def __init__(self, released: Callable[[str], Spec | None]) -> None:
        self._released = released
        self._ops: dict[str, str | None] = {}
        self._attrs: dict[tuple[str, str], tuple[str, Attr] | tuple[None, None]] = {}

    def first_release_of(self, name: str) -> str | None:
        """Return the oldest release that has an op, None if no release has it."""
        if name not in self._ops:
            self._ops[name] = next((version for version, spec in self._specs() if name in spec.ops), None)
        return self._ops[name]

    def first_attr(self, op: str, name: str) -> tuple[str, Attr] | tuple[None, None]:
        """Return the oldest release whose op has an attr, with the attr; (None, None) if no release has it."""
        key = op, name
        if key not in self._attrs:
            candidates = (
                (version, attr)
                for version, spec in self._specs()
                if op in spec.ops
                for attr in spec.ops[op].attrs
                if attr.name == name
            )
            self._attrs[key] = next(candidates, (None, None))
        return self._attrs[key]

    @property
    def has_releases(self) -> bool:
        """True if a release is included."""
        return next(self._specs(), None) is not None

    def _specs(self) -> Iterator[tuple[str, Spec]]:
        """Yield version and spec of each included release, oldest first."""
        for name in released_specs.names((_FRAMEWORK,)):
            spec = self._released(name)
            if spec is not None:
                yield name.partition("@")[2], spec


@lru_cache(maxsize=4)
def known_ops(released: Callable[[str], Spec | None]) -> KnownOps:
    """Return the known ops, one object per function `released`, so that its look-ups are cached across models."""
    return KnownOps(released)


def library_of(op: str) -> str | None:
    """Return the Python module of the library that registers an op, None for an unknown library."""
    names = (
        library.module
        for library in _libraries()
        if op in library.ops or (library.prefix and op.startswith(library.prefix))
    )
    return next(names, None)


@cache
def _libraries() -> tuple[OpLibrary, ...]:
    """Return the libraries in libraries.json, which `tools/tensorflow_libraries.py` writes."""
    import json
    import os

    with open(os.path.join(os.path.dirname(__file__), "libraries.json"), encoding="utf-8") as stream:
        table = json.load(stream)
    return tuple(
        OpLibrary(module=module, prefix=entry.get("prefix", ""), ops=frozenset(entry.get("ops", ())))
        for module, entry in table.items()
    )
