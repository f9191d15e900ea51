"""Reads all that a tree declares of the ops of PIR's dialects, as plain data."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.cpp.files import Files
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError, attempted
from opspec_lint.frameworks.paddle.dialect import calls, rules
from opspec_lint.frameworks.paddle.dialect.compat import Compats
from opspec_lint.frameworks.paddle.dialect.known_generators import KNOWN
from opspec_lint.frameworks.paddle.dialect.ops import Entry, declared
from opspec_lint.frameworks.paddle.dialect.written import PLACES, written
from opspec_lint.frameworks.paddle.records import unresolved
from opspec_lint.frameworks.paddle.yaml.entries import entries
from opspec_lint.frameworks.paddle.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.yaml.ops import YamlSource, name_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.frameworks.paddle.dialect.calls import Call
    from opspec_lint.frameworks.paddle.dialect.records import OpRecord
    from opspec_lint.frameworks.paddle.dialect.rules import Rules
    from opspec_lint.frameworks.paddle.records import Unresolved
    from opspec_lint.frameworks.paddle.yaml.entries import YamlEntry
    from opspec_lint.git.source_tree import SourceTree

_SCRIPTS = tuple(f"{calls.GENERATORS[0]}/{name}" for name in rules.SCRIPTS)
_AHEAD = (calls.CMAKE[0], PARSERS[0], *_SCRIPTS, *rules.PARSER_SCRIPTS)
"""What is read of a tree of today before anything else, in one go."""


class Extraction:
    """What a tree declares: its ops by name, what of them is unresolved, and which generator is not known.

    `is_there` is false for a tree without any generator of such ops.
    """

    def __init__(self) -> None:
        self.ops: dict[str, OpRecord] = {}
        self.unresolved: list[Unresolved] = []
        self.strange_generator: tuple[str, str] | None = None
        self.is_there = False

    def plain(self) -> dict[str, Any]:
        """Return all of it as one mapping."""
        return dict(vars(self))


def extract(tree: SourceTree, progress: Callable[[str], None] = lambda _: None) -> Extraction:
    """Return what a tree declares; `is_there` is false for a tree that has no dialect at all.

    Args:
        tree: the tree.
        progress: is told what is being done.
    """
    files = Files(tree)
    found = Extraction()
    progress("reading the YAML files")
    files.load([*_AHEAD, *(path for pair in PLACES for path in pair)])
    try:
        call = calls.read(files.raw)
        if call is not None:
            found.is_there = True
            attempted(lambda: _Generated(files, call, found).run())
    except UnresolvedError as error:
        found.is_there = True
        found.unresolved.append(unresolved("*", error, "", 1, ""))
    if found.is_there:
        _add_written(files, found)
    progress("")
    return found


def _add_written(files: Files, found: Extraction) -> None:
    for header, (name, record) in written(files.raw):
        if isinstance(record, UnresolvedError):
            found.unresolved.append(unresolved(name, record, header, 1, repr(record.reason)))
        else:
            found.ops.setdefault(name, record)


class _Generated:
    """Reads the ops that op_gen.py makes of YAML."""

    def __init__(self, files: Files, call: Call, found: Extraction) -> None:
        self._files = files
        self._call = call
        self._found = found

    def run(self) -> None:
        call = self._call
        self._files.load([*call.files, call.compat])
        machine, fingerprint = rules.read(self._files.raw, call.folder)
        if fingerprint not in KNOWN:
            self._found.strange_generator = (f"{call.folder}/op_gen.py", fingerprint)
        compats = Compats(self._entries(call.compat)[0], machine)
        for path in call.files:
            try:
                items, source = self._entries(path)
            except UnresolvedError as error:
                self._found.unresolved.append(unresolved(path, error, path, 1, self._files.raw(path) or ""))
                continue
            for item in items:
                self._take(item, source, compats, machine)

    def _take(self, item: YamlEntry, source: YamlSource, compats: Compats, machine: Rules) -> None:
        call, path = self._call, source.path
        try:
            entry = Entry(item, source)
            is_sparse = path in call.sparse or path in call.sparse_backward
            suffix = "sp" if machine.sparse_suffix and is_sparse else ""
            has_scalars = machine.sparse_scalars or path not in call.sparse
            ops = attempted(
                lambda: declared(
                    entry, compats, machine, path, dialect=call.dialect, suffix=suffix, has_scalars=has_scalars
                )
            )
        except UnresolvedError as error:
            name = f"{call.dialect}.{name_of(item)}"
            self._found.unresolved.append(unresolved(name, error, path, item.line, repr(item)))
            return
        self._found.ops.update(ops)

    def _entries(self, path: str) -> tuple[list[YamlEntry], YamlSource]:
        text = self._files.raw(path)
        if text is None:
            raise UnresolvedError(f"the file {path} that the build names is not there", self._call.cmake, 1)
        return entries(text, path), YamlSource(path, text)
