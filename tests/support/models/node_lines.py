"""Reads the text of a model in a scene: a node a line, in the notation of ops, and lines about the whole model."""

from __future__ import annotations

import json

from opspec_lint.spec.model import UNKNOWN
from opspec_lint.spec.notation import parse_spec


def read(text, *keywords):
    """Return the nodes of a text as ops, and the other lines by the keyword that they begin with."""
    nodes, others = [], {keyword: [] for keyword in keywords}
    for line in text.splitlines():
        keyword = line.partition(" ")[0]
        if keyword in others:
            others[keyword].append(line.partition(" ")[2])
        else:
            nodes += parse_spec(line).ops.values()
    return nodes, others


def stated(lines):
    """Return the object of a line such as `versions {...}`, {} if there is none."""
    return json.loads(lines[-1]) if lines else {}


def argument_of(declared):
    """Return what a node takes for an input, or gives for an output: the type that is written, or else the name."""
    return declared.name.lower() if declared.type is UNKNOWN else str(declared.type)
