"""What a source is: a module of a framework's `sources/`, with one of these as `SOURCE`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec


def scheme_of(module: str) -> str:
    """Return the scheme of a source's module: `paddle-runtime` of `frameworks.paddle.sources.runtime`."""
    *_, framework, _, name = module.split(".")
    return f"{framework}-{name}".replace("_", "-")


SOURCES = Catalogue("frameworks/*/sources", spell=scheme_of)
"""The sources, by their schemes."""


class Source(Record):
    """Where a spec can be taken from that is no file: `SCHEME`, or `SCHEME:ARGUMENT`.

    `summary` is a line for people. `extract` makes the spec of an argument, which is "" where none was named. What the
    argument names is executed if `runs_code`, so that no file of a repository may name it. `at` makes the argument of
    the same source at a revision, in the index or in the work tree; it is None where the source has no revisions.
    `builds` are the builds of the framework that it can be read for, the one that is read unless told otherwise first.
    Of a source tree, `mark` is a regular expression that the path of some file matches from its begin, with the root of
    the tree as its first group; and `folders` are those below the root that it is read from.
    """

    summary: str
    extract: Callable[[str, Reading], Spec]
    runs_code: bool = False
    at: Callable[[str, str], str] | None = None
    builds: tuple[str, ...] = ()
    mark: str | None = None
    folders: tuple[str, ...] = ()


def load(scheme: str) -> Source:
    """Return the source of a scheme.

    Raises:
        KeyError: there is none.
    """
    source: Source = SOURCES.load(scheme).SOURCE
    return source
