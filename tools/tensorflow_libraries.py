"""Writes the ops of a library of TensorFlow, for `opspec_lint/frameworks/tensorflow/saved/graphs/libraries.json`.

    PYTHON tools/tensorflow_libraries.py MODULE FOLDER

PYTHON has the TensorFlow that the library was built for, MODULE is the Python module that registers the ops, and FOLDER
contains its shared objects. It prints one entry of the table: each shared object is loaded, and the ops are those that
the registry has afterwards and had not before.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(module: str, folder: str) -> None:
    """Print the entry of a library."""
    before = _registered()
    for path in sorted(Path(folder).rglob("*.so")):
        _load(path)
    sys.stdout.write(json.dumps({module: {"ops": sorted(_registered() - before)}}) + "\n")


def _load(path: Path) -> None:
    import tensorflow as tf

    try:
        tf.load_op_library(str(path))
    except (tf.errors.OpError, RuntimeError) as error:  # a helper object of a library, which is loaded with it
        sys.stderr.write(f"{path}: {str(error)[:100]}\n")


def _registered() -> set[str]:
    from tensorflow.core.framework import op_def_pb2
    from tensorflow.python.client import pywrap_tf_session as session

    listed = session.TF_GetAllOpList()
    ops = op_def_pb2.OpList.FromString(listed if isinstance(listed, bytes) else session.TF_GetBuffer(listed))
    return {op.name for op in ops.op}


if __name__ == "__main__":
    main(*sys.argv[1:])
