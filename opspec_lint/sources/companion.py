"""A companion of a spec file: a module of a framework's `companions/`, with a `COMPANION`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.documents.decode import Document
    from opspec_lint.documents.schema import FileFault
    from opspec_lint.spec.model import Spec

COMPANIONS: Catalogue[Companion] = Catalogue("frameworks/*/companions", offers="COMPANION")


class Companion(Record):
    """A kind of file that contains a part of a spec which the spec file itself cannot contain.

    `part` is the field of a spec that it contains. `is_like` returns whether a decoded document is of this kind.
    `faults` returns all faults of a document. `complete` returns a spec with the content of a document added.
    """

    part: str
    is_like: Callable[[Any], bool]
    faults: Callable[[Any], list[FileFault]]
    complete: Callable[[Spec, Document], Spec]


def companion_for(part: str) -> Companion:
    """Return the kind of companion that contains a field of a spec."""
    return next(companion for companion in COMPANIONS.every() if companion.part == part)


def companion_of(value: Any) -> Companion | None:
    """Return the kind of companion that a decoded document is, None if it is none."""
    return next((companion for companion in COMPANIONS.every() if companion.is_like(value)), None)
