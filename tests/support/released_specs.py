"""The released specs, each read once."""

from __future__ import annotations

from functools import cache

from opspec_lint.documents.decode import decode
from opspec_lint.sources import recognise
from tests.support.paths import SPECS


@cache
def released(name):
    """Return a released spec: `paddle-2.6.2`."""
    return recognise.spec_of(decode((SPECS / f"{name}.json").read_bytes(), name))
