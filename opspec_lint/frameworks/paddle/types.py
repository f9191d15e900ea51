"""The attr types of Paddle."""

from __future__ import annotations

ATTR_TYPES = (
    "INT",
    "FLOAT",
    "STRING",
    "INTS",
    "FLOATS",
    "STRINGS",
    "BOOLEAN",
    "BOOLEANS",
    "BLOCK",
    "LONG",
    "BLOCKS",
    "LONGS",
    "FLOAT64S",
    "VAR",
    "VARS",
    "FLOAT64",
    "SCALAR",
    "SCALARS",
)
"""The names of `AttrType` in framework.proto; the index is the code."""
