"""What a writer is: a module of a framework's `writers/`, with a `WRITER`.

It writes the model of one op, in the bytes that a saver of that framework would write; no framework is imported. The
same sample always becomes the same bytes.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Op, Spec

WRITERS: Catalogue[Writer] = Catalogue("frameworks/*/writers", offers="WRITER")
"""The writers, by name."""


class Writer(Record):
    """A writer. `summary` is a line for people; `suffix` is that of the file, `format` that of `models.format`.

    `write` returns the bytes of a sample's model as the release of a spec writes it. `values` returns values that an
    attr may have by its declaration, the simplest first, its default value apart. `writes_defaults` is whether savers
    write attrs that have their default values.

    Both raise `UnwritableError` where there is no way to do so.

    `typings` yields the types of type variables that a declaration allows and another does not, None for a framework
    whose ops have no such variables.
    """

    framework: str = ""
    summary: str
    format: str
    suffix: str
    write: Callable[[Sample, Spec], bytes]
    values: Callable[[Attr], list[Any]]
    writes_defaults: bool
    typings: Callable[[Op, Op | None], Iterable[Mapping[str, str]]] | None = None
