"""The one grammar of everything a spec can be taken from.

An existing file comes first, in whichever format it is; then a known scheme, `NAME` or `NAME:ARGUMENT`.
"""

from __future__ import annotations

import os

from opspec_lint import catalogue
from opspec_lint.errors import InputError, nearest_advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from opspec_lint.model import Spec

    class Extractor(Protocol):
        """What a module of `extractors` offers."""

        SCHEME: str
        SUMMARY: str

        def extract(self, argument: str) -> Spec:
            """Return the spec of what `argument` names under the scheme; "" where nothing was named."""


def extractors() -> dict[str, str]:
    """Return the module of each known scheme; a module's name is its scheme with underscores."""
    return {name.replace("_", "-"): name for name in catalogue.names("extractors")}


def resolve(reference: str) -> Spec:
    """Return the spec that a reference names.

    Raises:
        InputError: there is no such file and no such scheme, or what there is cannot be read or extracted.
    """
    scheme, _, argument = reference.partition(":")
    schemes = extractors()
    if scheme in schemes and not os.path.exists(reference):
        extractor: Extractor = catalogue.module("extractors", schemes[scheme])
        return extractor.extract(argument)
    if not os.path.lexists(reference):
        where = os.path.dirname(reference) or "."
        near = nearest_advice(os.path.basename(reference), _entries(where)) if os.path.isdir(where) else ""
        raise InputError(
            reference,
            "no such file, and no known scheme",
            advice=(near + " " if near.startswith("did") else "") + f"known schemes: {', '.join(sorted(schemes))}",
        )
    from opspec_lint import files

    return files.read_spec(reference)


def _entries(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []
