"""The table of outputs that ops of Paddle need without a check, for docs/reference/loaders.md."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import FILE, NOT_MEASURED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.saved.programs.needed_outputs import Table

TEXT = (
    "No loader of Paddle checks whether a node has an intermediate or an extra output; the shape inference or the "
    "kernel may then fail. `python -m tools.needed_outputs` runs nodes of each op that a CPU runs, each without one of "
    "these outputs; they have different attrs where these select other code. Of ops without a kernel for CPUs the "
    "source says which function uses the output without a check; an output of which neither is known is `cannot_tell`."
)
HEADS = ("op", "output", "function that uses it unchecked")


def releases() -> list[str]:
    """Return the measured releases."""
    measured = _recorded()["measured"].values()
    return sorted({release for op in measured for by_release in op["outcomes"].values() for release in by_release})


def rows() -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table: the heads, and a cell for each release."""
    recorded = _recorded()
    measured = {
        (op, output) for op, node_outcomes in recorded["measured"].items() for output in node_outcomes["outcomes"]
    }
    for op, output in sorted(measured.union((op, output) for op, of in recorded["unchecked"].items() for output in of)):
        node_outcomes = recorded["measured"].get(op, {"nodes": [], "outcomes": {}})
        by_release = node_outcomes["outcomes"].get(output, {})
        function = recorded["unchecked"].get(op, {}).get(output)
        cells = (_cell(node_outcomes["nodes"], by_release.get(release, ())) for release in releases())
        yield f"`{op}`", f"`{output}`", f"`{function}`" if function else "-", *cells


def _recorded() -> Table:
    """Return the recorded outcomes."""
    table: Table = json.loads(FILE.read_text(encoding="utf-8"))
    return table


def _cell(nodes: Sequence[Mapping[str, Any]], outcomes: Sequence[str]) -> str:
    """Return the outcomes of the nodes of an op in one release as text."""
    by_outcome: dict[str, list[str]] = {}
    for node, outcome in zip(nodes, outcomes, strict=bool(outcomes)):
        if outcome != NOT_MEASURED:
            given = ", ".join(f"{name}={value}" for name, value in node.items())
            by_outcome.setdefault(outcome, []).append(given)
    if len(by_outcome) <= 1:
        return next(iter(by_outcome), "-")
    parts = (f"{outcome} ({'; '.join(dict.fromkeys(given))})" for outcome, given in by_outcome.items())
    return ", ".join(parts)
