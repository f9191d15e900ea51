"""A source of specs: a module of a framework's `sources/`, with a `SOURCE`."""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.sources.reading import Reading
    from opspec_lint.sources.trees import TreeReader
    from opspec_lint.spec.model import Spec


def scheme_of(module: str) -> str:
    """Return the scheme of a source's module: `paddle-runtime` of `frameworks.paddle.sources.runtime`.

    The scheme of a module outside of frameworks is its file name.
    """
    *_, framework, _, name = module.split(".")
    return f"{framework}-{name}".replace("_", "-") if module.startswith("frameworks.") else name


SOURCES: Catalogue[Source] = Catalogue(
    "frameworks/*/sources",
    "history/sources",
    offers="SOURCE",
    is_open=True,
    spell=scheme_of,
    results={"extract": "Spec"},
)
"""The sources, by their schemes."""


class Source(Record):
    """A source of specs that is not a spec file: `SCHEME`, or `SCHEME:ARGUMENT`.

    `name` is the scheme, and `summary` a line for people. `extract` returns the spec for an argument, "" if there is
    none; None for a source tree, which has revisions, and which `tree` reads. `runs_code`: it executes the program that
    the argument names, so that no file of a repository may name it. `builds` are the builds of the framework that can
    be read, the default first; `marks.py` of the framework says how a source tree is recognised. `related` are the
    schemes that read other ops of the same tree. `wheel`: it reads wheel files.
    """

    name: str = ""
    summary: str
    extract: Callable[[str, Reading], Spec] | None = None
    tree: TreeReader | None = None
    runs_code: bool = False
    builds: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    wheel: bool = False

    def spec(self, argument: str, reading: Reading) -> Spec:
        """Return the spec for an argument, "" if there is none.

        Raises:
            InputError: the argument names nothing, or it cannot be read.
        """
        if self.tree is not None:
            from opspec_lint.sources import trees

            return trees.extract(self.name, argument, self.tree, reading)
        if self.extract is None:
            raise AssertionError("a source without a tree has a function of its own")
        return self.extract(argument, reading)
