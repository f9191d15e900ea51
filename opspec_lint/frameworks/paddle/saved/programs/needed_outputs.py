"""The outputs that a node must have, although no loader checks whether they are there.

No release checks whether a node has an intermediate output, nor an extra one, which savers leave out. The shape
inference or a kernel of the op may then write it unconditionally (Flatten2InferMeta calls `x_shape->initialized()`),
which no declaration states. `needed_outputs.json` has the results of `tools/needed_outputs`:

- `measured`: by op, the nodes that were run without each such output, by the legacy executor on a CPU
  (`tools/needed_outputs/cases.py`): the attrs that differ between the nodes, and the outcomes by output and release.
- `unchecked`: by op and output, the function of Paddle's tree that always uses the output without asking whether it is
  there. It counts where nothing was measured, as for ops that only a GPU runs.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from opspec_lint.kit.version import numbers
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from typing_extensions import TypedDict

    class Measured(TypedDict):
        """The nodes of an op, by the attrs in which they differ, and their outcomes by output and release."""

        nodes: list[dict[str, Any]]
        outcomes: dict[str, dict[str, list[str]]]

    class Table(TypedDict):
        """The content of the file."""

        measured: dict[str, Measured]
        unchecked: dict[str, dict[str, str]]


FILE = Path(__file__).with_name("needed_outputs.json")
RAN = "ran"
STOPS = frozenset({"failed", "crashed"})
"""The outcomes of a node that stops."""
NOT_MEASURED = "not measured"
"""The outcome of a node that does not run with all its outputs either."""


@cache
def _table() -> Table:
    """Return the content of the file."""
    import json

    table: Table = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def is_needed(op: str, output: str, version: str | None, attrs: Mapping[str, Any] | None = None) -> bool | None:
    """Return whether a release fails without an output; None if that is unknown, or depends on the node.

    Args:
        op: the op.
        output: an output that the release does not check.
        version: the version of the release, None for a source tree, which counts as the newest release.
        attrs: the values of the node's attrs, those that it lacks with their default values; None if they are unknown.
    """
    measured = _table()["measured"].get(op)
    by_release = {} if measured is None else measured["outcomes"].get(output, {})
    trials: list[tuple[dict[str, Any], str]] = []
    if measured is not None and by_release:
        trials = list(zip(measured["nodes"], by_release[_nearest(by_release, version)], strict=True))
    if all(outcome == NOT_MEASURED for _, outcome in trials):
        return True if output in _table()["unchecked"].get(op, {}) else None
    relevant = {outcome for node, outcome in trials if _is_like(node, attrs)}
    # A node that was not tried does as all others do; where these differ, nobody knows.
    if not relevant:
        relevant = {outcome for _, outcome in trials}
    if relevant == {RAN}:
        return False
    return True if relevant <= STOPS else None


def _is_like(node: Mapping[str, Any], attrs: Mapping[str, Any] | None) -> bool:
    """Return whether a measured node has the values of attrs; all are alike if these are unknown."""
    return attrs is None or all(name not in attrs or values.same(attrs[name], value) for name, value in node.items())


def _nearest(releases: Collection[str], version: str | None) -> str:
    """Return the newest measured release up to a version, or else the oldest one."""
    ordered = sorted(releases, key=_key)
    before = [release for release in ordered if version is None or _key(release) <= _key(version)]
    return (before or ordered[:1])[-1]


def _key(version: str) -> tuple[int, ...]:
    """Return the sort key of a version; one that is no version is the newest."""
    return numbers(version) or (1 << 30,)
