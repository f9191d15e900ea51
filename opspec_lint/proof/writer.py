"""Writers: modules of a framework's `writers/` with a `WRITER`, which write models of one op without the framework.

A writer returns the bytes that a saver of the framework would write. Equal samples become equal bytes, so that trials
can be cached and files be named by their content.
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
"""The writers by name."""


class Writer(Record):
    """The functions that write models of a framework, and the name of their format.

    - `format`: the name in `models/format.py`; `suffix`: the suffix of files; `summary`: a line for people
    - `write(sample, spec)`: the bytes of the model, as the release of the spec writes it; may raise UnwritableError
    - `values(attr)`: valid values of an attr besides its default, the simplest first; may raise UnwritableError
    - `writes_defaults`: savers write attrs with their default values
    - `typings(op, other)`: types of type variables that `op` allows and `other` does not; None without such variables
    """

    framework: str = ""
    summary: str
    format: str
    suffix: str
    write: Callable[[Sample, Spec], bytes]
    values: Callable[[Attr], list[Any]]
    writes_defaults: bool
    typings: Callable[[Op, Op | None], Iterable[Mapping[str, str]]] | None = None
