"""Paddle's own vocabulary: the attr types and the update types of its protos and registries."""

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
