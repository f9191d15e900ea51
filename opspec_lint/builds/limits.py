"""Limits of the evaluation of build files, as a text may come from anybody: several times the largest real values."""

from __future__ import annotations

MAX_CMAKE_STEPS = 30_000_000
"""Steps of the commands of one file of CMake."""

MAX_STARLARK_STEPS = 50_000
"""Steps of a statement at the top of a file of Starlark, a call of a macro, or an expression of a script of Python."""

MAX_STARLARK_TOTAL = 1_000_000
"""Steps of all files of Starlark of a tree, or of a script; the BUILD files of all of TensorFlow take 130,000."""
