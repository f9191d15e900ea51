"""Registrations in files that an op source includes: they are read as a part of the source."""

from __future__ import annotations

import re

from opspec_lint.cpp.splices import UNITS, Splices, declares
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import REPLACED, declaring_macro_names
from opspec_lint.frameworks.paddle.extract.tree.folders import FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opspec_lint.frameworks.paddle.extract.fluid.workspace import FileFacts
    from opspec_lint.git.source_tree import SourceTree


def splices(
    tree: SourceTree, blobs: Mapping[str, str], facts_by_path: Mapping[str, FileFacts], links: Iterable[str]
) -> Splices:
    """Return the op sources with the registrations that they include, and the files that links lead to.

    Args:
        tree: the tree.
        blobs: the ids of the contents of its files.
        facts_by_path: the index of each op source.
        links: the symbolic links in the place of op sources.
    """
    names = declaring_macro_names(macro for facts in facts_by_path.values() for macro in facts.macros.items())
    registering = [path for path, facts in facts_by_path.items() if not names.isdisjoint(facts.invoked)]
    headers = [path for path in registering if not path.endswith(UNITS)]
    registers = re.compile(rf"\b(?:{'|'.join(sorted(names))})\s*\(")
    contents = tree.read(headers) if headers else {}
    declaring = [
        path
        for path, data in contents.items()
        if data is not None and (declares(path, data, registers) or REPLACED.replaces(path, data))
    ]
    listing = [path for path in registering if facts_by_path[path].has_lists]
    # The results of a tree are stored under the ids of these folders.
    inside = tuple(f"{folder}/" for folder in FOLDERS)
    followed = [link for link, target in tree.follow(links).items() if target.startswith(inside)]
    return Splices(tree, {path: blobs[path] for path in facts_by_path}, declaring, listing, followed)
