"""What a companion of a spec file is: a module of a framework's `companions/`, with one of these as `COMPANION`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.schema import Fault
    from opspec_lint.spec.model import Spec

COMPANIONS = Catalogue("frameworks/*/companions")


class Companion(Record):
    """A kind of file that holds a part of a spec which the spec file itself has no place for.

    `is_like` tells whether a decoded document is one, and no spec. `faults` returns all that is wrong with one, and
    `complete` a spec with what a document holds.
    """

    is_like: Callable[[Any], bool]
    faults: Callable[[Any], list[Fault]]
    complete: Callable[[Spec, Document], Spec]


def companion_of(value: Any) -> Companion | None:
    """Return what a decoded document is a companion of, None where it is none."""
    every = (COMPANIONS.load(name).COMPANION for name in COMPANIONS.names())
    return next((each for each in every if each.is_like(value)), None)
