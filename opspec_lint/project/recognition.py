"""Recognition of the source trees in a repository, by the paths of its files and by lines in them."""

from __future__ import annotations

import posixpath
import re

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import is_encodable
from opspec_lint.sources.marks import tree_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.git.snapshot import Snapshot

FOREIGN = pattern(r"(?:^|/)(?:\.[^/]*|tests?|testdata|third_party|node_modules|vendor)/")
"""Folders whose specs belong to tests or other projects."""


def recognised_sources(tree: Snapshot, paths: Sequence[str]) -> list[str]:
    """Return the sources whose trees are in the repository, in a constant order; they may declare no ops."""
    own = [path for path in paths if is_encodable(path)]
    sources = []
    for scheme, mark in tree_marks().items():
        is_mark = re.compile(mark.path)
        marked = [path for path in own if is_mark.match(path)]
        if mark.line is not None and marked:
            marked = sorted(set(marked).intersection(tree.repository.files_matching(mark.line, tree.revision)))
        top = _highest_root(is_mark, marked)
        if top is not None:
            sources.append(f"{scheme}:{top.rstrip('/') or '.'}")
    return sources


def files_of_trees(sources: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return the spec files in source trees besides those that the source reads itself, such as a schema."""
    known = tree_marks()
    schemes = dict.fromkeys(source.partition(":")[0] for source in sources)
    marks = [re.compile(known[scheme].contracts or "(?!)") for scheme in schemes if scheme in known]
    files = [path for path in paths if any(mark.match(path) for mark in marks)]
    return [path for path in files if not FOREIGN.search(path)]


def contracts_of(sources: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return the spec files in the folders of named sources besides those that the sources read themselves."""
    contracts = []
    for source in sources:
        folder = posixpath.normpath(source.partition(":")[2] or ".")
        top = "" if folder == "." else f"{folder}/"
        inside = [path.removeprefix(top) for path in paths if path.startswith(top)]
        contracts += [f"{top}{path}" for path in files_of_trees([source], inside)]
    return contracts


def source_tree(paths: Sequence[str]) -> str | None:
    """Return the source of a tree, judged by the paths of its files only; None if it is no known tree."""
    for scheme, mark in tree_marks().items():
        top = None if mark.line is not None else _highest_root(re.compile(mark.path), paths)
        if top is not None:
            return f"{scheme}:{top.rstrip('/') or '.'}"
    return None


def _highest_root(mark: re.Pattern[str], paths: Sequence[str]) -> str | None:
    """Return the topmost root of the trees that a mark matches, with a slash at its end; None if it matches none."""
    tops = {match[1] for path in paths if (match := mark.match(path)) is not None}
    return min((top for top in tops if not FOREIGN.search(top)), key=lambda top: (top.count("/"), top), default=None)
