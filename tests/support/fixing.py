"""Findings between two trees with their fixes, and the trees after the fixes."""

from __future__ import annotations

from opspec_lint.fixes.files import Files
from opspec_lint.fixes.plan import plan
from opspec_lint.lint.check import check
from opspec_lint.lint.fixer import Sides, fix_step
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from tests.support.trees.tflite_trees import write

READING = Reading(caches=False)


class Fixing:
    """A comparison of trees of a source, which are mappings of paths to texts, below a folder."""

    def __init__(self, folder, source):
        self._folder, self._source, self._count = folder, SOURCES.load(source), 0

    def findings(self, base, head, next_version=None):
        """Return the findings that are errors or warnings, or that have a fix."""
        specs = [self._spec(tree) for tree in (base, head)]
        sides = Sides(base=_files(base), head=_files(head), next_version=next_version)
        every = map(fix_step(sides), check(*specs).findings)
        return [finding for finding in every if finding.level != "note" or finding.fixes]

    def _spec(self, tree):
        self._count += 1
        return self._source.spec(str(write(self._folder / str(self._count), tree)), READING)


def _files(tree):
    return Files(lambda path: tree[path].encode() if path in tree else None)


def fixed(head, findings):
    """Return a tree after the first fix of each finding."""
    edits = plan(finding.fixes[0] for finding in findings if finding.fixes).edits
    return head | {file.path: file.with_edits(those).decode() for file, those in edits.items()}


def changed(before, after):
    """Return the paths of the files that differ."""
    return {path for path in after if after[path] != before.get(path)}
