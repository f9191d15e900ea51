"""The release that a model is checked against: its declarations, and where its importer differs from that of others."""

from __future__ import annotations

from functools import cache

from opspec_lint.frameworks.tensorflow.extract.messages import enum_names
from opspec_lint.models.fault import not_judged
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.fact import Effect, Fact
    from opspec_lint.spec.model import Op, Spec

_LAST_OF_1 = 134
"""The graph version of 1.15, which takes no node name with a >, and looks for no function that a list names (measured
with 1.15.0; 2.4.4 and later do both)."""
_REFUSES_UNKNOWN_ATTRS = 561
"""The graph version of 2.4, whose importer refuses an attr that the op has not (measured with 1.15.0 and 2.4.4)."""
_IGNORES_UNKNOWN_ATTRS = 716
"""The graph version of 2.5, whose importer logs it and goes on (measured with 2.5.3 to 2.8.4, 2.12.1 and 2.18.1)."""

_EVERYWHERE = 23
"""The greatest number of a data type that all releases from 1.15 on know; what came later shows in the op list."""


class Release:
    """A release, as the spec says it is.

    Args:
        spec: its spec.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.ops = spec.ops
        self._more_types: frozenset[str] | None = None
        self.checked: dict[tuple[str, tuple[bytes, ...]], Any] = {}
        """The checks of nodes by themselves (`graphs.nodes`): nodes of many models are the same."""

    @property
    def version(self) -> int | None:
        """The version of graphs that it writes and reads, None where the spec does not say."""
        return None if self.spec.graph_versions is None else self.spec.graph_versions.producer

    @property
    def min_producer(self) -> int:
        """The oldest version of graphs that it reads."""
        return 0 if self.spec.graph_versions is None else self.spec.graph_versions.min_producer

    @property
    def at_unknown_attr(self) -> Effect:
        """What an attr that the op has not leads to, where nothing strips it."""
        if self.version is None:
            return "cannot_tell"
        if self.version <= _REFUSES_UNKNOWN_ATTRS:
            return "refused"
        return "loads" if self.version >= _IGNORES_UNKNOWN_ATTRS else "cannot_tell"

    def not_judged(self, name: str, problem: str, *, op: str | None = None) -> Fact:
        """Return the fact that a fault depends on the graph version of the release, which no spec tells here."""
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
    def takes_names_in_parts(self) -> bool:
        """Whether the name of a node may consist of parts with a > between them."""
        return self.version is None or self.version > _LAST_OF_1

    @property
    def finds_functions_of_lists(self) -> bool:
        """Whether its loader of objects finds the functions that a list of an attr names, as those of the op Case."""
        return self.version is None or self.version > _LAST_OF_1

    def knows_type(self, name: str) -> bool:
        """Tell whether the release has a data type."""
        if name in _types_everywhere():
            return True
        if self._more_types is None:
            self._more_types = frozenset(name for op in self.ops.values() for name in _types(op))
        return name in self._more_types


@cache
def _types_everywhere() -> frozenset[str]:
    return frozenset(enum_names("DataType")[number][3:].lower() for number in range(1, _EVERYWHERE + 1))


def _types(op: Op) -> set[str]:
    found: set[str] = set()
    for argument in (*op.inputs, *op.outputs):
        if isinstance(argument.type, str):
            found.add(argument.type)
    for attr in op.attrs:
        if attr.type in ("type", "list(type)") and attr.allowed_values not in (None, UNKNOWN):
            found.update(each for each in attr.allowed_values or () if isinstance(each, str))
    return found


_made: dict[int, Release] = {}
_AT_MOST = 64


def release_of(spec: Spec) -> Release:
    """Return the release of a spec, the same one for the same spec: many models are checked against few."""
    made = _made.get(id(spec))
    if made is None or made.spec is not spec:
        if len(_made) >= _AT_MOST:
            _made.clear()
        made = _made[id(spec)] = Release(spec)
    return made
