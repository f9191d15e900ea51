"""Compares the ops of an extension of TensorFlow, as read from its source, with those that its wheel registers.

    python -m tools.tensorflow_extension TREE[@REVISION] PYTHON FOLDER

PYTHON has the TensorFlow that the wheel was built for, FOLDER the installed wheel (`pip install --no-deps --target`).
Each shared object in it is loaded there with `load_op_library`; the ops are those that the registry has afterwards and
had not before. Prints the ops that only one side has, and those that differ, with both declarations; the exit code is 1
if there are any.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from opspec_lint.frameworks.tensorflow.extract import op_defs, op_lists
from opspec_lint.frameworks.tensorflow.sources import _runtime_probe
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOADS = """
import sys
from pathlib import Path
import tensorflow
from tensorflow.core.framework import op_def_pb2

def ops():
    return {op.name: op for op in op_def_pb2.OpList.FromString(op_list()).op}

before = ops()
for path in sorted(Path(sys.argv[1]).rglob("*.so*")):
    try:
        tensorflow.load_op_library(str(path))
    except Exception as error:  # a library that another one loads, or that needs a GPU
        sys.stderr.write("%s: %s\\n" % (path.name, str(error)[:150]))
added = [op for name, op in sorted(ops().items()) if name not in before]
Path(sys.argv[2]).write_bytes(op_def_pb2.OpList(op=added).SerializeToString())
"""


def main(source: str, python: str, folder: str) -> int:
    """Print the differences; return 1 if there are any."""
    registered = {op.name: op for op in _load_libraries(python, folder).op}
    reading = Reading(environment=os.environ, build="cpu")
    spec = SOURCES.load("tensorflow-source").spec(source, reading)
    read = {name: op_defs.write(op) for name, op in spec.ops.items()}
    lost, invented = sorted(registered.keys() - read), sorted(read.keys() - registered)
    differing = [name for name in sorted(registered.keys() & read) if registered[name] != read[name]]
    _print(f"{source}: {len(read)} ops; the wheel registers {len(registered)}")
    _print(f"{len(lost)} lost: {', '.join(lost)}")
    _print(f"{len(invented)} only in the source: {', '.join(invented)}")
    _print(f"{len(differing)} differ: {', '.join(differing)}")
    for name in differing:
        _print(f"--- {name}, the wheel\n{registered[name]}--- {name}, the source\n{read[name]}")
    for remark in spec.remarks:
        _print(f"remark: {remark.event} {remark.name} {dict(remark.facts)}")
    return 1 if lost or invented or differing else 0


def _load_libraries(python: str, folder: str) -> Any:
    """Return the OpList of the ops that the libraries of a wheel register."""
    program = f"{Path(_runtime_probe.__file__).read_text(encoding='utf-8')}\n{_LOADS}"
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "ops.pb")
        subprocess.run([python, "-c", program, folder, str(file)], check=True, env=environment)
        return op_lists.from_bytes(file.read_bytes(), str(file))


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
