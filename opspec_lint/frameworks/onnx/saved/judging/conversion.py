"""The conversion of a model to another opset by ONNX's version converter: which nodes have no adapter.

The converter goes opset by opset and needs an adapter at each opset with a version of the op (convert_graph of ONNX).
`converter.json` lists the adapters; `tools/onnx_adapters.py` extracts them from the source of each release.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from opspec_lint.frameworks.onnx.framework import DOWN, UP
from opspec_lint.frameworks.onnx.identity import DEFAULT
from opspec_lint.frameworks.onnx.saved.files.nodes import nodes_of
from opspec_lint.kit.text import shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.frameworks.onnx.saved.files.reading import OnnxFile

    Adapters = Mapping[str, Mapping[int, Mapping[str, str]]]
    """The first release of each adapter, by op, version and direction."""

FILE = Path(__file__).parent / "converter.json"
_DEFAULT_DOMAIN = ("", DEFAULT)
_LONGEST = 200
"""Characters of the list of ops without an adapter in a remedy."""


@cache
def _load_adapters() -> tuple[str, Adapters]:
    """Return the newest release whose adapters are known, and the adapters."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    ops = {name: {int(since): ways for since, ways in own.items()} for name, own in data["ops"].items()}
    return data["newest"], ops


def imported_opset(model: OnnxFile) -> int | None:
    """Return the version of the default domain that a model imports, None if it imports none."""
    # Of several imports of one domain, the last one counts.
    return next((version for domain, version in reversed(model.opsets) if domain in _DEFAULT_DOMAIN), None)


def op_versions(op: str) -> list[int]:
    """Return the versions of an op of the default domain, oldest first."""
    _, adapters = _load_adapters()
    return sorted(adapters.get(op, ()))


def ops_without_adapter(ops: Iterable[str], start: int, target: int) -> list[str]:
    """Return the ops that cannot be converted, each with its first missing step: `Upsample (opset 9 to 10)`."""
    steps = range(start + 1, target + 1) if target > start else range(start, target, -1)
    way = UP if target > start else DOWN
    _, adapters = _load_adapters()
    lines = []
    for op in sorted(set(ops)):
        known = adapters.get(op, {})
        missing = next((since for since in steps if since in known and way not in known[since]), None)
        if missing is not None:
            before, after = (missing - 1, missing) if way == UP else (missing, missing - 1)
            lines.append(f"{op} (opset {before} to {after})")
    return lines


def remedy(model: OnnxFile, target: int, or_later: str = "") -> str:
    """Return the advice to convert a model to the opset `target`, naming the ops that have no adapter.

    `or_later` is inserted after the opset.
    """
    start = imported_opset(model)
    how = f"convert the model to opset {target}{or_later} (onnx.version_converter.convert_version)"
    if start is None:
        return how
    ops = (node.op for graph in model.graphs for node in nodes_of(graph) if node.domain in _DEFAULT_DOMAIN)
    missing = ops_without_adapter(ops, start, target)
    newest, _ = _load_adapters()
    if not missing:
        return f"{how}: onnx {newest} has an adapter for each node"
    return f"{how}, or export it again: onnx {newest} has no adapter for {shorten(', '.join(missing), _LONGEST)}"
