"""Prints what `audit` and `show` of large graphs take against parsing them: `python -m benchmarks.models`.

One graph has 500,000 small nodes, the other 1,000 constants that are large.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import PROGRAM, ROOT, show

SPEC = ROOT / "specs" / "tensorflow-2.15.1.json"
FLOAT = 1


def main() -> None:
    """Make the graphs, and print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("500,000 nodes", "1,000 constants"):
            path = Path(folder, "graph.pb")
            # In a process of its own: a child's peak memory counts from that of the process that started it.
            subprocess.run([sys.executable, "-m", "benchmarks.models", kind, str(path)], cwd=ROOT, check=True)
            code = "from opspec_lint.frameworks.tensorflow.graph_messages import message; import sys"
            parse = [sys.executable, "-c", f"{code}; message('GraphDef').FromString(open(sys.argv[1], 'rb').read())"]
            baseline = [*parse, str(path)]
            size = f"{path.stat().st_size / 1e6:.0f} MB"
            show(f"(f) audit of {kind}, {size}", [*PROGRAM, "audit", str(path), "--against", str(SPEC)], baseline, 5)
            show("    show of the same", [*PROGRAM, "show", str(path)], baseline, 5)


def many_nodes(count: int) -> bytes:
    """Return a graph of small nodes."""
    from opspec_lint.frameworks.tensorflow.graph_messages import message

    graph = message("GraphDef")()
    graph.versions.producer = 1087
    names = [f"layer_{at // 50}/block/op_{at}" for at in range(count)]
    for at, name in enumerate(names):
        node = graph.node.add(name=name, op=("Const", "Identity", "AddV2", "Relu")[at % 4])
        if not at % 4:
            _fill(node, b"12345678")
            continue
        node.attr["T"].type = FLOAT
        node.input.extend(names[at - 1 - each] for each in range(2 if node.op == "AddV2" else 1))
    data: bytes = graph.SerializeToString()
    return data


def large_constants(count: int) -> bytes:
    """Return a graph of constants of 50 kB, each of which another node takes."""
    from opspec_lint.frameworks.tensorflow.graph_messages import message

    graph = message("GraphDef")()
    graph.versions.producer = 1087
    for at in range(count):
        _fill(graph.node.add(name=f"c{at}", op="Const"), b"1234" * 12500)
        graph.node.add(name=f"r{at}", op="Relu", input=[f"c{at}"]).attr["T"].type = FLOAT
    data: bytes = graph.SerializeToString()
    return data


def _fill(node: object, content: bytes) -> None:
    node.attr["dtype"].type = FLOAT
    tensor = node.attr["value"].tensor
    tensor.dtype = FLOAT
    tensor.tensor_shape.dim.add(size=len(content) // 4)
    tensor.tensor_content = content


def _write(kind: str, path: str) -> None:
    data = many_nodes(500_000) if kind.endswith("nodes") else large_constants(1000)
    Path(path).write_bytes(data)


if __name__ == "__main__":
    _write(*sys.argv[1:]) if sys.argv[1:] else main()
