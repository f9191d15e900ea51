"""The marks of source trees of TensorFlow and of its extensions."""

from __future__ import annotations

from opspec_lint.sources.marks import TreeMark

MARKS = {
    "tensorflow-source": TreeMark(
        path=r"((?:[^/]+/)*?(?=tensorflow/)|)(?:[^/]+/)*[^/]+\.(?:cc|cpp|cxx|cu)$",
        line=r'REGISTER_OP[[:space:]]*\("',
    ),
}
