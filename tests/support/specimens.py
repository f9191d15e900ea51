"""Specs of every framework, in which nearly every field says something: what tests of all fields start from."""

from __future__ import annotations

from functools import cache

from tests.support import per_framework


@cache
def _kinds():
    return {kind: specs for made in per_framework.every("kinds").values() for kind, specs in made().items()}


def of_kind(kind):
    """Return the specs of a kind, each whole."""
    return _kinds()[kind]


KINDS = tuple(_kinds())
"""The kinds of specs: those of a framework that say different things are several."""
