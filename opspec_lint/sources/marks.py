"""The marks of source trees: a module `marks.py` of a framework, with its `MARKS`.

They are apart from the sources, whose modules import the code that reads a tree: a check without a configuration
compares the files of the repository with the marks of all frameworks, and reads few trees.
"""

from __future__ import annotations

from opspec_lint.kit.catalogue import Catalogue, framework_of
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class TreeMark(Record):
    """The mark of the trees that a source reads.

    `path` is a regular expression that matches the path of a file in such a tree, with the root of the tree as its
    first group. If the match is not certain, `line` is an extended regular expression that must match a line of the
    file. `contracts` is a regular expression for the paths of spec files in the tree, besides those that the source
    reads itself.
    """

    path: str
    line: str | None = None
    contracts: str | None = None


MARKS: Catalogue[Mapping[str, TreeMark]] = Catalogue("frameworks/*", only="marks", offers="MARKS", spell=framework_of)
"""The marks of the trees of each framework, by the scheme of the source."""


def tree_marks() -> dict[str, TreeMark]:
    """Return all marks by scheme; a scheme that is derived from another one comes after it, as it adds to its ops."""
    marks = {scheme: mark for marks in MARKS.every() for scheme, mark in marks.items()}
    return dict(sorted(marks.items(), key=lambda entry: (entry[0].count("-"), entry[0])))
