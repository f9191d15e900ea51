"""The marks of source trees of Paddle."""

from __future__ import annotations

from opspec_lint.sources.marks import TreeMark

MARKS = {
    "paddle-source": TreeMark(
        path=r"((?:[^/]+/)*?)paddle/(?:fluid/operators|phi/(?:api|ops|operators))/",
    ),
    "paddle-pir-source": TreeMark(
        path=r"((?:[^/]+/)*?)paddle/fluid/pir/dialect/",
    ),
}
