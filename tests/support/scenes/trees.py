"""Scenes of source trees: each side is parts of files, put into a whole tree of the framework."""

from __future__ import annotations

from opspec_lint.lint.check import check
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from tests.support import per_framework


def whole(side, framework):
    """Return the source that reads the tree of a side, and the files; None if no framework has such files."""
    of_scene = per_framework.every("tree")
    trees = (of_scene[owner](side) for owner in of_scene if framework in (owner, ""))
    return next((tree for tree in trees if tree is not None), None)


def findings(base, head, framework, folder):
    """Write the trees of both sides to a folder, and return what their comparison finds."""
    specs = []
    for name, side in (("base", base), ("head", head)):
        source, files = whole(side, framework)
        for path, content in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        specs.append(references.resolve(f"{source}:{folder / name}", Reading(caches=False)).spec)
    return check(*specs).findings
