"""Reads all that a tree declares of the ops of PIR's dialects, or uses parts of it again that hold."""

from __future__ import annotations

import posixpath

from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import remark, unresolved
from opspec_lint.frameworks.paddle.extract.dialect import (
    calls,
    compat,
    entry,
    legacy,
    patches,
    rules,
    special_names,
)
from opspec_lint.frameworks.paddle.extract.dialect.compat import Compats
from opspec_lint.frameworks.paddle.extract.dialect.completion import completed
from opspec_lint.frameworks.paddle.extract.dialect.folders import GENERATORS
from opspec_lint.frameworks.paddle.extract.dialect.hand_written import PLACES, written
from opspec_lint.frameworks.paddle.extract.dialect.known_generators import KNOWN
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import NO_TABLES
from opspec_lint.frameworks.paddle.extract.dialect.ops import OpMaker
from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction
from opspec_lint.frameworks.paddle.extract.dialect.rules import Rules
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.frameworks.paddle.extract.yaml.entries import parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource, entry_name
from opspec_lint.sources.cache import NO_STORE
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.frameworks.paddle.extract.dialect.calls import Call
    from opspec_lint.frameworks.paddle.extract.dialect.compat import CompatEntry
    from opspec_lint.frameworks.paddle.extract.dialect.entry import DialectEntry
    from opspec_lint.frameworks.paddle.extract.dialect.legacy import Legacy
    from opspec_lint.frameworks.paddle.extract.dialect.results import LocatedPirOp
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.spec.records import RemarkRecord

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
        self._files = paddle_cpp_files(tree)
        self._store = store
        self._tree = tree
        self._parts = Parts(store.latest(_PARTS))
        tree.folders.update(self._parts.folders)
        self._check = Checker(self._parts, tree, {}, self._files, "")
        self._ops: dict[str, LocatedPirOp] = {}
        self._lost: list[RemarkRecord] = []
        self._unknown_generator: tuple[RemarkRecord, ...] = ()
        self._legacy: Legacy = {"tables": NO_TABLES, "places": {}}

    def run(self, name: str | None) -> Extraction:
        """The declarations of the tree; `name` is that of the entry in which they will be kept, if it can be named."""
        whole = self._check.find(_WHOLE, ()) if self._check.is_unchanged else None
        known = None if whole is None else Extraction.restored(self._store.load(whole))
        if known is not None:
            return known
        found = Extraction()
        try:
            call = self._part(_CALL, lambda: _call(self._files))
            is_there = call is not None
            if is_there:
                attempt(lambda: self._generated(call))
        except UnresolvedError as error:
            is_there = True
            self._lost.append(unresolved("*", error, "", 1, ""))
        if is_there:
            by_hand, lost = self._part(_WRITTEN, lambda: _hand_written(self._files))
            ops = by_hand | self._ops
            of_ops = patches.read(self._part(_PATCHES, lambda: patches.texts(self._files)), ops)
            found = completed(ops, (*self._lost, *lost, *self._unknown_generator), of_ops, self._legacy)
        if self._parts.has_changed:
            self._parts.keep(_WHOLE, (), name, ())
            self._parts.folders = self._tree.opened()
            ids = sorted(each for _, each in self._parts.table)
            self._store.save(self._store.name(_PARTS, *ids), self._parts.plain())
        return found

    def _generated(self, call: Call) -> None:
        holding, fingerprint = self._part(_RULES, lambda: _rules(self._files, call))
        rules_of = Rules(**holding)
        if fingerprint not in KNOWN:
            place = (f"{call['folder']}/op_gen.py", 1, None)
            self._unknown_generator = (remark("yaml_generator_unknown", fingerprint, None, place, fingerprint),)
        compats = Compats(self._part(call["compat"], lambda: _compat(self._files, call)), rules_of)
        self._legacy = self._part(_LEGACY, lambda: _legacy(self._files, call))
        for path in call["files"]:
            items, lost = self._part(path, lambda: _entries(self._files, path, call))  # noqa: B023 - called here
            self._lost += lost
            is_sparse = path in call["sparse"] or path in call["sparse_backward"]
            maker = OpMaker(
                compats=compats,
                rules=rules_of,
                dialect=call["dialect"],
                suffix="sp" if rules_of.sparse_suffix and is_sparse else "",
                has_scalars=rules_of.sparse_scalars or path not in call["sparse"],
            )
            for each in items:
                try:
                    self._ops |= attempt(lambda: maker.ops(each, path))  # noqa: B023 - called here
                except UnresolvedError as error:  # noqa: PERF203 - an entry that is wrong does not hide the others
                    name = f"{call['dialect']}.{each['name']}"
                    self._lost.append(unresolved(name, error, path, each["line"], repr(each)))

    def _part(self, name: str, make: Callable[[], Any]) -> Any:
        """Return a part as it was before, where it holds, or else as it is made now."""
        outcome = self._check.find(name, ())
        if outcome is not None:
            return outcome
        self._files.looked_at = set()
        self._files.missed = set()
        outcome = make()
        if self._store is not NO_STORE:
            self._parts.keep(name, (), outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome


def _call(files: CppFiles) -> Call | None:
    files.load(_AHEAD)
    return calls.read(files.raw)


def _compat(files: CppFiles, call: Call) -> list[CompatEntry]:
    return [compat.read(each) for each in parse_entries(_text(files, call["compat"], call), call["compat"])]


def _rules(files: CppFiles, call: Call) -> tuple[dict[str, Any], str]:
    """Return the rules of the generator by name, and its fingerprint."""
    found, fingerprint = rules.read(files.raw, call["folder"])
    return found.__dict__, fingerprint


def _legacy(files: CppFiles, call: Call) -> Legacy:
    script = next((each for each in special_names.SCRIPTS if files.raw(each) is not None), special_names.SCRIPTS[0])
    of_sparse = sorted(call["sparse"] | call["sparse_backward"])
    sparse = [entry_name(each) for path in of_sparse for each in parse_entries(_text(files, path, call), path)]
    special = special_names.read(files.raw(script) or "", script)
    return legacy.read(call["compat"], _text(files, call["compat"], call), special, sparse)


def _entries(files: CppFiles, path: str, call: Call) -> tuple[list[DialectEntry], list[RemarkRecord]]:
    """Return the entries of a YAML file, and what of it is unresolved."""
    files.load(call["files"])
    found: list[DialectEntry] = []
    lost: list[RemarkRecord] = []
    try:
        text = _text(files, path, call)
        source = YamlSource(path, text)
        seen: set[str] = set()
        for each in parse_entries(text, path):
            try:
                if entry_name(each) in seen:
                    raise UnresolvedError("the file has an entry of it before")  # noqa: TRY301 - as any other fault
                seen.add(entry_name(each))
                found.append(attempt(lambda: entry.read(each, source)))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - an entry that is wrong does not hide the others
                name = f"{call['dialect']}.{entry_name(each)}"
                lost.append(unresolved(name, error, path, each.line, repr(each)))
    except UnresolvedError as error:
        lost.append(unresolved(path, error, path, 1, files.raw(path) or ""))
    return found, lost


def _text(files: CppFiles, path: str, call: Call) -> str:
    text = files.raw(path)
    if text is None:
        raise UnresolvedError(f"the file {path} that the build names does not exist", call["cmake"], 1)
    return text


def _hand_written(files: CppFiles) -> tuple[dict[str, LocatedPirOp], list[RemarkRecord]]:
    files.load(path for pair in PLACES for path in pair)
    found: dict[str, LocatedPirOp] = {}
    lost: list[RemarkRecord] = []
    for header, (name, made) in written(files.raw):
        if isinstance(made, UnresolvedError):
            lost.append(unresolved(name, made, header, 1, repr(made.reason)))
        else:
            found.setdefault(name, made)
    return found, lost
