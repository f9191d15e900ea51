"""Reads all that a tree declares of the ops of PIR's dialects, or uses parts of it again that hold."""

from __future__ import annotations

import posixpath

from opspec_lint.cpp.unresolved import UnresolvedError, attempted
from opspec_lint.frameworks.paddle.source.declared import KINDS, LATE_KINDS, OpDeclaration, unresolved
from opspec_lint.frameworks.paddle.source.dialect import (
    calls,
    compat,
    entry,
    legacy_reading,
    patches,
    rules,
    special_names,
)
from opspec_lint.frameworks.paddle.source.dialect.calls import Call
from opspec_lint.frameworks.paddle.source.dialect.compat import CompatEntry, Compats
from opspec_lint.frameworks.paddle.source.dialect.entry import DialectEntry, Kernel
from opspec_lint.frameworks.paddle.source.dialect.folders import GENERATORS
from opspec_lint.frameworks.paddle.source.dialect.found import PACKING, Extraction, LegacyData, Patches
from opspec_lint.frameworks.paddle.source.dialect.known_generators import KNOWN
from opspec_lint.frameworks.paddle.source.dialect.ops import OpMaker
from opspec_lint.frameworks.paddle.source.dialect.rules import Rules
from opspec_lint.frameworks.paddle.source.dialect.written import PLACES, written
from opspec_lint.frameworks.paddle.source.paddle_files import files_of
from opspec_lint.frameworks.paddle.source.yaml.entries import entries
from opspec_lint.frameworks.paddle.source.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.source.yaml.ops import Argument, YamlSource, name_of
from opspec_lint.sources.cache import NO_STORE
from opspec_lint.sources.packing import Packing
from opspec_lint.sources.parts import Checker, Parts
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.cpp.files import Files
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore

_SCRIPTS = tuple(f"{posixpath.dirname(GENERATORS[0])}/{name}" for name in rules.SCRIPTS)
_AHEAD = (calls.CMAKE[0], PARSERS[0], *_SCRIPTS, *rules.PARSER_SCRIPTS)
"""What is read of a tree of today before anything else, in one go."""
_PARTS = "dialect-parts"
_CALL, _RULES, _WRITTEN, _LEGACY, _PATCHES = "*.call", "*.rules", "*.written", "*.legacy", "*.patches"
"""The names of the parts that are no file."""
_WHOLE = "*.whole"
"""The name of the part that has the name of the entry of all that a tree declares, which holds if every part does."""
_PACKING = Packing(
    *KINDS,
    Patches,
    Extraction,
    LegacyData,
    Call,
    Rules,
    CompatEntry,
    DialectEntry,
    Kernel,
    Argument,
    late=(*LATE_KINDS, LegacyData),
)
"""It begins as that of an `Extraction`."""


class Extractor:
    """Reads a tree; what a file came to is used again where the files that it depends on are the same."""

    def __init__(self, tree: SourceTree, store: NoStore) -> None:
        self._files = files_of(tree)
        self._store = store
        self._tree = tree
        self._parts = Parts(store.latest(_PARTS))
        tree.folders.update(self._parts.folders)
        self._check = Checker(self._parts, tree, {}, self._files, "")
        self._ops: dict[str, Any] = {}
        self._lost: list[Remark] = []
        self._unknown_generator: tuple[Remark, ...] = ()
        self._legacy: Any = LegacyData()

    def run(self, name: str | None) -> Extraction:
        """The declarations of the tree; `name` is that of the entry in which they will be kept, if it can be named."""
        whole = self._check.find(_WHOLE, ()) if self._check.is_unchanged else None
        known = None if whole is None else PACKING.unpacked(self._store.load(whole))
        if isinstance(known, Extraction):
            return known
        found = Extraction()
        try:
            call = self._part(_CALL, lambda: _call(self._files))
            if call is not None:
                found = found.but(is_there=True)
                attempted(lambda: self._generated(call))
        except UnresolvedError as error:
            found = found.but(is_there=True)
            self._lost.append(unresolved("*", error, "", 1, ""))
        if found.is_there:
            by_hand, lost = self._part(_WRITTEN, lambda: _hand_written(self._files))
            ops = by_hand | self._ops
            found = found.but(
                ops=ops,
                remarks=(*self._lost, *lost, *self._unknown_generator),
                legacy=self._legacy,
                patches=patches.read(self._part(_PATCHES, lambda: patches.texts(self._files)), ops),
            )
        if self._parts.has_changed:
            self._parts.keep(_WHOLE, (), name, ())
            self._parts.folders = self._tree.opened()
            ids = sorted(each for _, each in self._parts.table)
            self._store.save(self._store.name(_PARTS, *ids), self._parts.plain())
        return found

    def _generated(self, call: Call) -> None:
        rules_of, fingerprint = self._part(_RULES, lambda: rules.read(self._files.raw, call.folder))
        if fingerprint not in KNOWN:
            origin = Origin(file=f"{call.folder}/op_gen.py", line=1)
            self._unknown_generator = (
                Remark(event="yaml_generator_unknown", name=fingerprint, digest=fingerprint, origin=origin),
            )
        compats = Compats(self._part(call.compat, lambda: _compat(self._files, call)), rules_of)
        self._legacy = self._part(_LEGACY, lambda: _legacy(self._files, call))
        for path in call.files:
            items, lost = self._part(path, lambda: _entries(self._files, path, call))  # noqa: B023 - called here
            self._lost += lost
            is_sparse = path in call.sparse or path in call.sparse_backward
            maker = OpMaker(
                compats=compats,
                rules=rules_of,
                dialect=call.dialect,
                suffix="sp" if rules_of.sparse_suffix and is_sparse else "",
                has_scalars=rules_of.sparse_scalars or path not in call.sparse,
            )
            for each in items:
                try:
                    self._ops |= attempted(lambda: maker.ops(each, path))  # noqa: B023 - called here
                except UnresolvedError as error:  # noqa: PERF203 - an entry that is wrong does not hide the others
                    name = f"{call.dialect}.{each.name}"
                    self._lost.append(unresolved(name, error, path, each.line, repr(each)))

    def _part(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a part as it was before, where it holds, or else as it is made now."""
        outcome = self._check.find(name, ())
        if outcome is not None:
            return self._store.unpacked(name, outcome, _PACKING)
        self._files.looked_at = set()
        self._files.missed = set()
        outcome = _PACKING.packed(make())
        if self._store is not NO_STORE:
            self._parts.keep(name, (), outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return self._store.unpacked(name, outcome, _PACKING)


def _call(files: Files) -> Call | None:
    files.load(_AHEAD)
    return calls.read(files.raw)


def _compat(files: Files, call: Call) -> list[CompatEntry]:
    return [compat.read(each) for each in entries(_text(files, call.compat, call), call.compat)]


def _legacy(files: Files, call: Call) -> LegacyData:
    script = next((each for each in special_names.SCRIPTS if files.raw(each) is not None), special_names.SCRIPTS[0])
    of_sparse = sorted(call.sparse | call.sparse_backward)
    sparse = [name_of(each) for path in of_sparse for each in entries(_text(files, path, call), path)]
    special = special_names.read(files.raw(script) or "", script)
    return legacy_reading.read(call.compat, _text(files, call.compat, call), special, sparse)


def _entries(files: Files, path: str, call: Call) -> tuple[list[DialectEntry], list[Remark]]:
    """Return the entries of a YAML file, and what of it is unresolved."""
    files.load(call.files)
    found: list[DialectEntry] = []
    lost: list[Remark] = []
    try:
        text = _text(files, path, call)
        source = YamlSource(path, text)
        seen: set[str] = set()
        for each in entries(text, path):
            try:
                if name_of(each) in seen:
                    raise UnresolvedError("the file has an entry of it before")  # noqa: TRY301 - as any other fault
                seen.add(name_of(each))
                found.append(attempted(lambda: entry.read(each, source)))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - an entry that is wrong does not hide the others
                name = f"{call.dialect}.{name_of(each)}"
                lost.append(unresolved(name, error, path, each.line, repr(each)))
    except UnresolvedError as error:
        lost.append(unresolved(path, error, path, 1, files.raw(path) or ""))
    return found, lost


def _text(files: Files, path: str, call: Call) -> str:
    text = files.raw(path)
    if text is None:
        raise UnresolvedError(f"the file {path} that the build names does not exist", call.cmake, 1)
    return text


def _hand_written(files: Files) -> tuple[dict[str, OpDeclaration], list[Remark]]:
    files.load(path for pair in PLACES for path in pair)
    found: dict[str, OpDeclaration] = {}
    lost: list[Remark] = []
    for header, (name, made) in written(files.raw):
        if isinstance(made, UnresolvedError):
            lost.append(unresolved(name, made, header, 1, repr(made.reason)))
        else:
            found.setdefault(name, made)
    return found, lost
