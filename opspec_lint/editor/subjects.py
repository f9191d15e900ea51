"""The declarations of open files: what each op and argument is, and where base declares it."""

from __future__ import annotations

import json
import os

from opspec_lint.editor.marks import base_place, plain
from opspec_lint.editor.messages import Place, Subject
from opspec_lint.kit.record import Record
from opspec_lint.project.pairs import load_unchanged
from opspec_lint.report.entries import Anchor
from opspec_lint.report.markup import code
from opspec_lint.spec.model import SECTIONS, UNKNOWN
from opspec_lint.spec.values import thaw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from opspec_lint.documents.locator import Locator
    from opspec_lint.editor.marks import Sides
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.project.pairs import Pair
    from opspec_lint.sources.loaded import Loaded
    from opspec_lint.spec.model import Declared, Op, Origin

_SILENT = ("name", "origin", "description", "summary", "inputs", "outputs", "attrs", "places", "own")
"""Fields that are no part of what is shown as facts."""


class _Spec(Record):
    """A spec, the path of the folder that its places count from, and the places of its file, if it is one."""

    loaded: Loaded
    folder: str
    places: Locator | None

    def at(self, op: str, section: str, name: str) -> Anchor | None:
        """Return where an op, or an argument of it, is declared, by its path from the top."""
        found = self._located(op, section, name) if self.places else self._stated(op, section, name)
        if found is None:
            return None
        return Anchor(path=f"{self.folder}{found.file}", line=found.line or 1, column=found.column or 1)

    def _located(self, op: str, section: str, name: str) -> Origin | None:
        if self.places is None:
            return None
        return self.places.argument(op, section, name) if name else self.places.op(op)

    def _stated(self, op: str, section: str, name: str) -> Origin | None:
        declared = self.loaded.spec.ops.get(op)
        if declared is None or not name:
            return None if declared is None else declared.origin
        arguments = (each for kind, each in _declarations(declared) if kind == section and each.name == name)
        return next((each.origin for each in arguments), None)


def subjects(pairs: Collection[Pair], head: Snapshot, sides: Sides, open_files: Collection[str]) -> Iterator[Subject]:
    """Yield the declarations of files.

    Args:
        pairs: what a check has compared.
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
            yield from _of_spec(after, after if pair.is_unchanged else _spec(pair.base), sides, open_files)


def _spec(loaded: Loaded | None) -> _Spec | None:
    if loaded is None:
        return None
    if loaded.text is None:
        return _Spec(loaded=loaded, folder=loaded.around.prefix if loaded.around else "", places=None)
    from opspec_lint.documents.locator import Locator

    return _Spec(loaded=loaded, folder="", places=Locator(loaded.path, loaded.text))


def _of_spec(after: _Spec | None, before: _Spec | None, sides: Sides, files: Collection[str]) -> Iterator[Subject]:
    if after is None:
        return
    for identity, op in after.loaded.spec.ops.items():
        for section, each in _declarations(op):
            name = "" if each is op else each.name
            here = after.at(identity, section, name)
            if here is None or here.path not in files:
                continue
            where = sides.head.range_at(here.path, here.line, here.column)
            yield Subject(
                place=Place(path=os.path.join(sides.top, here.path), range=where),
                about=_about(op, section, each),
                base=None if before is None else base_place(before.at(identity, section, name), sides),
                op=identity,
                section=section,
                name=name,
            )


def _declarations(op: Op) -> Iterator[tuple[str, Declared]]:
    yield "op", op
    for kind, section in SECTIONS.items():
        yield from ((kind, each) for each in getattr(op, section))


def _about(op: Op, section: str, declared: Declared) -> str:
    of = "" if declared is op else f" of {code(op.name)}"
    facts = ", ".join(f"{field} {plain(value)}" for field, value in _facts(declared))
    description = plain(declared.description or getattr(declared, "summary", ""))
    return "\n\n".join(part for part in (f"**{section} {plain(declared.name)}**{of}", facts, description) if part)


def _facts(declared: Declared) -> Iterator[tuple[str, str]]:
    """Yield the fields that say something, each with its value as JSON text."""
    values = {field: declared.get(field) for field in (*declared._fields, *declared.own) if field not in _SILENT}
    for field, value in values.items():
        if value is not UNKNOWN and value is not None and value is not False and value != ():
            yield field, json.dumps(thaw(value), ensure_ascii=False, default=str)
