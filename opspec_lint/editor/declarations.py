"""The declarations in open files: each op and argument, with its place in base."""

from __future__ import annotations

import json
import os

from opspec_lint.editor.marks import base_place, plain
from opspec_lint.editor.messages import DeclaredPlace, FilePlace
from opspec_lint.kit.record import Record
from opspec_lint.project.loading import load_unchanged
from opspec_lint.report.entries import Anchor
from opspec_lint.report.markup import code
from opspec_lint.spec.model import SECTIONS, UNKNOWN
from opspec_lint.spec.values import thaw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.documents.locator import Locator
    from opspec_lint.editor.marks import SideFiles
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pair import Pair
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Declared, Op, Origin

_SILENT = ("name", "origin", "description", "summary", "inputs", "outputs", "attrs", "places", "own")
"""Fields that the description does not list as facts."""


class _Spec(Record):
    """A spec, the folder that its paths start from, and a locator if the spec is a file."""

    loaded: Loaded
    folder: str
    places: Locator | None

    def at(self, op: str, section: str, name: str) -> Anchor | None:
        """Return the place at which an op, or its argument, is declared, by its path from the top."""
        origin = self._located(op, section, name) if self.places else self._stated(op, section, name)
        if origin is None:
            return None
        return Anchor(path=f"{self.folder}{origin.file}", line=origin.line or 1, column=origin.column or 1)

    def _located(self, op: str, section: str, name: str) -> Origin | None:
        """Return the line of a declaration in a spec file."""
        if self.places is None:
            return None
        return self.places.argument(op, section, name) if name else self.places.op(op)

    def _stated(self, op: str, section: str, name: str) -> Origin | None:
        """Return the origin of a declaration in a source tree."""
        declared = self.loaded.spec.ops.get(op)
        if declared is None or not name:
            return None if declared is None else declared.origin
        arguments = (
            argument for kind, argument in _declarations(declared) if kind == section and argument.name == name
        )
        return next((argument.origin for argument in arguments), None)


def declarations(
    pairs: Collection[Pair], head: Snapshot, sides: SideFiles, open_files: Collection[str]
) -> Iterator[DeclaredPlace]:
    """Yield the declarations of files.

    Args:
        pairs: the pairs of specs that a check has compared.
        head: the files of head.
        sides: the lines of both sides.
        open_files: the paths of the files from the top of the repository.
    """
    for pair in pairs:
        if not pair.is_source and pair.path not in open_files:
            continue
        new = load_unchanged(head, pair.path) if pair.is_unchanged else pair.head
        if new is not None:
            after = _spec(new)
            yield from _spec_declarations(after, after if pair.is_unchanged else _spec(pair.base), sides, open_files)


def _spec(loaded: Loaded | None) -> _Spec | None:
    """Return a loaded spec with what locates its declarations."""
    if loaded is None:
        return None
    if loaded.text is None:
        return _Spec(loaded=loaded, folder=loaded.files.prefix if loaded.files else "", places=None)
    from opspec_lint.documents.locator import Locator

    return _Spec(loaded=loaded, folder="", places=Locator(loaded.path, loaded.text))


def _spec_declarations(
    after: _Spec | None, before: _Spec | None, sides: SideFiles, files: Collection[str]
) -> Iterator[DeclaredPlace]:
    """Yield the declarations of one spec that are in some files, each with its place in base."""
    if after is None:
        return
    for identity, op in after.loaded.spec.ops.items():
        for section, declared in _declarations(op):
            name = "" if declared is op else declared.name
            here = after.at(identity, section, name)
            if here is None or here.path not in files:
                continue
            where = sides.head.range_at(here.path, here.line, here.column)
            yield DeclaredPlace(
                place=FilePlace(path=os.path.join(sides.top, here.path), range=where),
                description=_description(op, section, declared),
                base=None if before is None else base_place(before.at(identity, section, name), sides),
                op=identity,
                section=section,
                name=name,
            )


def _declarations(op: Op) -> Iterator[tuple[str, Declared]]:
    """Yield an op and its arguments, each with its kind."""
    yield "op", op
    for kind, section in SECTIONS.items():
        yield from ((kind, argument) for argument in getattr(op, section))


def _description(op: Op, section: str, declared: Declared) -> str:
    """Return the hover text of a declaration, in Markdown."""
    of = "" if declared is op else f" of {code(op.name)}"
    facts = ", ".join(f"{field} {plain(value)}" for field, value in _facts(declared))
    description = plain(declared.description or getattr(declared, "summary", ""))
    return "\n\n".join(part for part in (f"**{section} {plain(declared.name)}**{of}", facts, description) if part)


def _facts(declared: Declared) -> Iterator[tuple[str, str]]:
    """Yield the fields with a value that is known and not empty, each as JSON text."""
    values = {field: declared.get(field) for field in (*declared._fields, *declared.own) if field not in _SILENT}
    for field, value in values.items():
        if value is not UNKNOWN and value is not None and value is not False and value != ():
            yield field, json.dumps(thaw(value), ensure_ascii=False, default=str)
