"""Writes a spec of many ops, made by repeating those of a file: `python -m benchmarks.repeat FILE OPS TARGET`."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def repeat(file: Path, ops: int, target: Path) -> None:
    """Write a spec of so many ops to `target`; the ops of `file`, over and over, under numbered names."""
    records = json.loads(file.read_text())
    names = list(records)
    many = {f"{names[i % len(names)]}_{i // len(names)}": records[names[i % len(names)]] for i in range(ops)}
    target.write_text(json.dumps(many))


if __name__ == "__main__":
    repeat(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
