"""The release that a model is checked against: its ops, and the differences between the importers of releases.

A spec does not name its release. The graph version that it states tells which importer applies.
"""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.tensorflow.extract.messages import data_type
from opspec_lint.models.fault import not_judged
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Op, Spec

_LAST_OF_1 = 134
"""The graph version of 1.15, which refuses node names with a > and does not resolve functions in list attrs (measured
with 1.15.0; 2.4.4 and later do both)."""
_REFUSES_UNKNOWN_ATTRS = 561
"""The graph version of 2.4, whose importer refuses an attr that the op lacks (measured with 1.15.0 and 2.4.4)."""
_IGNORES_UNKNOWN_ATTRS = 716
"""The graph version of 2.5, whose importer logs and ignores it (measured with 2.5.3 to 2.8.4, 2.12.1 and 2.18.1)."""

_EVERYWHERE = 23
"""The greatest number in the enum DataType that all releases from 1.15 on have; later ones appear in op lists."""


class TargetRelease:
    """A release that loads models, as described by its spec."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.ops = spec.ops
        self._more_types: frozenset[str] | None = None
        self.node_checks: dict[tuple[str, tuple[bytes, ...]], Any] = {}
        """Cached node checks (`graphs.nodes`) by op and attr entries: different models have equal nodes."""

    @property
    def version(self) -> int | None:
        """The graph version of the release (`GRAPH_DEF_VERSION`), None if the spec does not state it."""
        return None if self.spec.graph_versions is None else self.spec.graph_versions.producer

    @property
    def min_producer(self) -> int:
        """The oldest graph version that the release reads."""
        return 0 if self.spec.graph_versions is None else self.spec.graph_versions.min_producer

    @property
    def unknown_attr_effect(self) -> Effect:
        """The effect of an attr that the op lacks, unless the importer strips it."""
        if self.version is None:
            return "cannot_tell"
        if self.version <= _REFUSES_UNKNOWN_ATTRS:
            return "refused"
        return "loads" if self.version >= _IGNORES_UNKNOWN_ATTRS else "cannot_tell"

    def not_judged(self, name: str, problem: str, *, op: str | None = None) -> Fact:
        """Return the fact that a problem cannot be judged without the graph version of the release, and what to do."""
        if self.version is not None:
            missing = f"no release with the graph version {self.version} was tried"
            remedy = "load the model with this release, or name an included one (`opspec-lint specs`)"
        else:
            missing = f"{self.spec.file} does not state the graph version of the release, which decides that"
            remedy = (
                'make a spec of it with `opspec-lint extract`, and add `"graph_versions": {"producer": N}`: '
                "N is tf.version.GRAPH_DEF_VERSION of the release"
            )
        return not_judged(name, f"{problem}: {missing}", remedy, op=op)

    @property
    def allows_compound_names(self) -> bool:
        """True if a node name may have parts with a > between them, such as "a>b"."""
        return self.version is None or self.version > _LAST_OF_1

    @property
    def resolves_listed_functions(self) -> bool:
        """True if `saved_model.load` finds functions that a list attr names, such as the branches of the op Case."""
        return self.version is None or self.version > _LAST_OF_1

    def knows_type(self, name: str) -> bool:
        """Return whether the release has a data type, such as "float8_e5m2"."""
        if name in _types_everywhere():
            return True
        if self._more_types is None:
            self._more_types = frozenset(name for op in self.ops.values() for name in _op_types(op))
        return name in self._more_types


@cache
def _types_everywhere() -> frozenset[str]:
    """Return the data types that every release since 1.15 has."""
    return frozenset(data_type(number) for number in range(1, _EVERYWHERE + 1))


def _op_types(op: Op) -> set[str]:
    """Return the data types in the declaration of an op."""
    dtypes: set[str] = set()
    for argument in (*op.inputs, *op.outputs):
        if isinstance(argument.type, str):
            dtypes.add(argument.type)
    for attr in op.attrs:
        if attr.type in ("type", "list(type)") and attr.allowed_values not in (None, UNKNOWN):
            dtypes.update(value for value in attr.allowed_values or () if isinstance(value, str))
    return dtypes


_releases: dict[int, TargetRelease] = {}
_MAX_RELEASES = 64


def target_release(spec: Spec) -> TargetRelease:
    """Return the release of a spec; the same spec object gives the same release with its cached checks."""
    # Specs are not hashable. The id of one that was freed can belong to another, hence the comparison with `is`.
    made = _releases.get(id(spec))
    if made is None or made.spec is not spec:
        if len(_releases) >= _MAX_RELEASES:
            _releases.clear()
        made = _releases[id(spec)] = TargetRelease(spec)
    return made
