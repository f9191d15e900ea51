"""Reads a tree file by file: what its build calls, its YAML files, and what is written by hand."""

from __future__ import annotations

import posixpath

from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError, attempted
from opspec_lint.frameworks.paddle.source.dialect import calls, legacy, patches, rules
from opspec_lint.frameworks.paddle.source.dialect.calls import Call
from opspec_lint.frameworks.paddle.source.dialect.compat import Compats, compat_record
from opspec_lint.frameworks.paddle.source.dialect.entry import Entry, entry_record
from opspec_lint.frameworks.paddle.source.dialect.folders import GENERATORS
from opspec_lint.frameworks.paddle.source.dialect.found import Extraction
from opspec_lint.frameworks.paddle.source.dialect.known_generators import KNOWN
from opspec_lint.frameworks.paddle.source.dialect.ops import Maker
from opspec_lint.frameworks.paddle.source.dialect.rules import Rules
from opspec_lint.frameworks.paddle.source.dialect.special_names import SCRIPTS
from opspec_lint.frameworks.paddle.source.dialect.written import PLACES, written
from opspec_lint.frameworks.paddle.source.paddle_files import files_of
from opspec_lint.frameworks.paddle.source.records import unresolved
from opspec_lint.frameworks.paddle.source.yaml.entries import entries
from opspec_lint.frameworks.paddle.source.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource, name_of
from opspec_lint.sources.cache import NO_STORE, NoStore
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from opspec_lint.frameworks.paddle.source.cpp.files import Files
    from opspec_lint.frameworks.paddle.source.dialect.compat import CompatRecord
    from opspec_lint.frameworks.paddle.source.dialect.entry import EntryRecord
    from opspec_lint.frameworks.paddle.source.dialect.ops import Made
    from opspec_lint.frameworks.paddle.source.dialect.records import OpRecord
    from opspec_lint.frameworks.paddle.source.records import Unresolved
    from opspec_lint.git.source_tree import SourceTree

_SCRIPTS = tuple(f"{posixpath.dirname(GENERATORS[0])}/{name}" for name in rules.SCRIPTS)
_AHEAD = (calls.CMAKE[0], PARSERS[0], *_SCRIPTS, *rules.PARSER_SCRIPTS)
"""What is read of a tree of today before anything else, in one go."""
_PARTS = "dialect-parts"
_CALL, _RULES, _WRITTEN, _LEGACY, _PATCHES = "*.call", "*.rules", "*.written", "*.legacy", "*.patches"
"""The names of the parts that are no file."""
_WHOLE = "*.whole"
"""The name of the part that has the name of the entry of all that a tree declares, which holds if every part does."""


class Extractor:
    """Reads a tree; what a file came to is used again where the files that it depends on are the same."""

    def __init__(self, tree: SourceTree, store: NoStore) -> None:
        self._files = files_of(tree)
        self._store = store
        self._tree = tree
        self._parts = Parts(store.latest(_PARTS))
        tree.folders.update(self._parts.folders)
        self._check = Checker(self._parts, tree, {}, self._files, "")
        self._found = Extraction()
        self._found.legacy, self._found.patches = legacy.NOTHING, patches.Patches().plain()

    def run(self, name: str | None) -> Extraction:
        """Return what the tree declares; `name` is that of the entry in which it will be kept, if it can be named."""
        found = self._found
        whole = self._check.find(_WHOLE, ()) if self._check.is_unchanged else None
        known = None if whole is None else self._store.load(whole)
        if known is not None:
            vars(found).update(known)
            return found
        try:
            call = self._part(_CALL, lambda: _plain_call(self._files))
            if call is not None:
                found.is_there = True
                attempted(lambda: self._generated(Call(**call)))
        except UnresolvedError as error:
            found.is_there = True
            found.unresolved.append(unresolved("*", error, "", 1, ""))
        if found.is_there:
            ops, lost = self._part(_WRITTEN, lambda: _hand_written(self._files))
            found.ops = dict(ops) | found.ops
            found.unresolved += lost
            texts = self._part(_PATCHES, lambda: patches.texts(self._files))
            found.patches = patches.read(texts, found.ops).plain()
        if self._parts.is_news:
            self._parts.keep(_WHOLE, (), name, ())
            self._parts.folders = self._tree.opened()
            ids = sorted(each for _, each in self._parts.table)
            self._store.save(self._store.name(_PARTS, *ids), self._parts.plain())
        return found

    def _generated(self, call: Call) -> None:
        machine, fingerprint = self._part(_RULES, lambda: _plain_rules(self._files, call.folder))
        if fingerprint not in KNOWN:
            self._found.strange_generator = (f"{call.folder}/op_gen.py", fingerprint)
        rules_of = Rules(**machine)
        compats = Compats(self._part(call.compat, lambda: _compat(self._files, call)), rules_of)
        self._found.legacy = self._part(_LEGACY, lambda: _legacy(self._files, call))
        for path in call.files:
            items, lost = self._part(path, lambda: _items(self._files, path, call))  # noqa: B023 - called here
            self._found.unresolved += lost
            is_sparse = path in call.sparse or path in call.sparse_backward
            maker = Maker(
                compats=compats,
                rules=rules_of,
                dialect=call.dialect,
                suffix="sp" if rules_of.sparse_suffix and is_sparse else "",
                has_scalars=rules_of.sparse_scalars or path not in call.sparse,
            )
            for item in items:
                entry = Entry(*item)
                try:
                    self._take(attempted(lambda: maker.ops(entry, path)))  # noqa: B023 - called here
                except UnresolvedError as error:
                    name = f"{call.dialect}.{entry.name}"
                    self._found.unresolved.append(unresolved(name, error, path, entry.place[0], repr(item)))

    def _take(self, made: Iterable[Made]) -> None:
        for name, record, kernel_of in made:
            self._found.ops[name] = record
            if kernel_of is not None:
                self._found.kernels[name] = kernel_of

    def _part(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a part as it was before, where it holds, or else as it is made now."""
        outcome = self._check.find(name, ())
        if outcome is not None:
            return outcome
        self._files.looked_at = set()
        self._files.missed = set()
        outcome = make()
        if self._store is NO_STORE:
            return outcome
        self._parts.keep(name, (), outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome


def _plain_call(files: Files) -> dict[str, Any] | None:
    files.load(_AHEAD)
    call = calls.read(files.raw)
    return None if call is None else dict(vars(call))


def _plain_rules(files: Files, folder: str) -> tuple[dict[str, Any], str]:
    found, fingerprint = rules.read(files.raw, folder)
    return dict(vars(found)), fingerprint


def _compat(files: Files, call: Call) -> list[CompatRecord]:
    return [compat_record(each) for each in entries(_text(files, call.compat, call), call.compat)]


def _legacy(files: Files, call: Call) -> legacy.Plain:
    script = next((each for each in SCRIPTS if files.raw(each) is not None), SCRIPTS[0])
    of_sparse = sorted(call.sparse | call.sparse_backward)
    sparse = [name_of(each) for path in of_sparse for each in entries(_text(files, path, call), path)]
    added = legacy.Added(script=script, text=files.raw(script) or "", sparse=tuple(sparse))
    return legacy.read(call.compat, _text(files, call.compat, call), added)


def _items(files: Files, path: str, call: Call) -> tuple[list[EntryRecord], list[Unresolved]]:
    """Return the entries of a YAML file, and what of it is unresolved."""
    files.load(call.files)
    found: list[EntryRecord] = []
    lost: list[Unresolved] = []
    try:
        text = _text(files, path, call)
        source = YamlSource(path, text)
        seen: set[str] = set()
        for each in entries(text, path):
            try:
                if name_of(each) in seen:
                    raise UnresolvedError("the file has an entry of it before")  # noqa: TRY301 - as any other fault
                seen.add(name_of(each))
                found.append(attempted(lambda: entry_record(each, source)))  # noqa: B023 - called here
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


def _hand_written(files: Files) -> tuple[dict[str, OpRecord], list[Unresolved]]:
    files.load(path for pair in PLACES for path in pair)
    found: dict[str, OpRecord] = {}
    lost: list[Unresolved] = []
    for header, (name, record) in written(files.raw):
        if isinstance(record, UnresolvedError):
            lost.append(unresolved(name, record, header, 1, repr(record.reason)))
        else:
            found.setdefault(name, record)
    return found, lost
