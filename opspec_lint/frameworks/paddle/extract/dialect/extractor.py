"""The extraction of the PIR ops of a tree, part by part; unchanged parts are loaded from the cache.

1. Find the call of op_gen.py in CMake, and the rules of that generator.
2. Make ops of the entries in its YAML files.
3. Read the ops with hand-written classes.
4. Report the gradients that an entry names and that no file declares.
5. Add patches, and names in ProgramDescs.
"""

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
from opspec_lint.frameworks.paddle.extract.dialect.compat import CompatEntries
from opspec_lint.frameworks.paddle.extract.dialect.completion import complete
from opspec_lint.frameworks.paddle.extract.dialect.folders import GENERATORS
from opspec_lint.frameworks.paddle.extract.dialect.hand_written import PLACES, hand_written_ops
from opspec_lint.frameworks.paddle.extract.dialect.known_generators import KNOWN
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import NO_TABLES
from opspec_lint.frameworks.paddle.extract.dialect.ops import OpMaker
from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction
from opspec_lint.frameworks.paddle.extract.dialect.rules import DialectRules
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.frameworks.paddle.extract.yaml.entries import parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.faults import missing_ops
from opspec_lint.frameworks.paddle.extract.yaml.generator import CMAKE as PARSERS
from opspec_lint.frameworks.paddle.extract.yaml.names import UNNAMED_FILES, OpIndex, without_underscore
from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource, entry_name
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.sources.cache import NO_STORE
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from typing_extensions import TypedDict

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.frameworks.paddle.extract.dialect.calls import Call
    from opspec_lint.frameworks.paddle.extract.dialect.compat import CompatEntry
    from opspec_lint.frameworks.paddle.extract.dialect.entry import DialectEntry
    from opspec_lint.frameworks.paddle.extract.dialect.legacy import Legacy
    from opspec_lint.frameworks.paddle.extract.dialect.results import LocatedPirOp
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.faults import EntryFault
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.spec.records import RemarkRecord

    class FileEntries(TypedDict):
        """The entries of a YAML file.

        `names` are the ops of all entries, `contents` the entries that can be evaluated, and `lost` remarks on the
        others. `references` are faults for the gradients that entries name, as if no file declared them.
        """

        names: list[str]
        contents: list[DialectEntry]
        lost: list[RemarkRecord]
        references: list[EntryFault]


_SCRIPTS = tuple(f"{posixpath.dirname(GENERATORS[0])}/{name}" for name in rules.SCRIPTS)
_READ_AHEAD = (calls.CMAKE[0], PARSERS[0], *_SCRIPTS, *rules.PARSER_SCRIPTS)
"""Files of a current tree that are read first, in one go."""
_PARTS = "dialect-parts"
_CALL, _RULES, _WRITTEN, _LEGACY, _PATCHES = "*.call", "*.rules", "*.written", "*.legacy", "*.patches"
_UNNAMED = "*.unnamed"
"""The names of the parts that belong to no single file."""
_WHOLE = "*.whole"
"""The name of a part that holds the cache entry of the whole result; it is valid while all other parts are."""
_CONTENTS = BoundedCache(most=5_000)
"""The contents of YAML entries, by their text and place: the next revision has nearly the same."""


class Extractor:
    """The extraction of one tree."""

    def __init__(self, tree: SourceTree, store: NoStore) -> None:
        self._files = paddle_cpp_files(tree)
        self._store = store
        self._tree = tree
        self._parts = Parts(store.latest(_PARTS))
        tree.folders.update(self._parts.folders)
        self._check = Checker(self._parts, tree, {}, self._files, "")
        self._ops: dict[str, LocatedPirOp] = {}
        self._lost: list[RemarkRecord] = []
        self._names: set[str] = set()
        self._references: list[EntryFault] = []
        self._unknown_generator: tuple[RemarkRecord, ...] = ()
        self._read_legacy: Legacy = {"tables": NO_TABLES, "places": {}}

    def run(self, name: str | None) -> Extraction:
        """Return the declarations; `name` is the cache entry in which they will be stored, None for none."""
        entry = self._check.find(_WHOLE, ()) if self._check.is_unchanged else None
        cached = None if entry is None else Extraction.restored(self._store.load(entry))
        if cached is not None:
            return cached
        extraction = Extraction()
        try:
            call = self._load_or_make(_CALL, lambda: _read_call(self._files))
            has_dialect = call is not None
            if has_dialect:
                attempt(lambda: self._add_generated_ops(call))
        except UnresolvedError as error:
            # A tree whose call is not understood has the dialect too, and its hand-written ops can be read.
            has_dialect = True
            self._lost.append(unresolved("*", error, "", 1, ""))
        if has_dialect:
            hand_written_ops, lost = self._load_or_make(_WRITTEN, lambda: _read_hand_written(self._files))
            ops = hand_written_ops | self._ops
            self._lost += self._missing_gradients(hand_written_ops)
            tree_patches = patches.read(self._load_or_make(_PATCHES, lambda: patches.read_texts(self._files)), ops)
            extraction = complete(ops, (*self._lost, *lost, *self._unknown_generator), tree_patches, self._read_legacy)
        if self._parts.has_changed:
            self._parts.keep(_WHOLE, (), name, ())
            self._parts.folders = self._tree.read_folders()
            ids = sorted(dependency_id for _, dependency_id in self._parts.table)
            self._store.save(self._store.name(_PARTS, *ids), self._parts.plain())
        return extraction

    def _add_generated_ops(self, call: Call) -> None:
        """Add the ops that the call of op_gen.py makes."""
        rule_values, fingerprint = self._load_or_make(_RULES, lambda: _read_rules(self._files, call))
        generator_rules = DialectRules(**rule_values)
        rules_text = repr(generator_rules)
        if fingerprint not in KNOWN:
            place = (f"{call['folder']}/op_gen.py", 1, None)
            self._unknown_generator = (remark("yaml_generator_unknown", fingerprint, None, place, fingerprint),)
        compats = CompatEntries(
            self._load_or_make(call["compat"], lambda: _read_compat(self._files, call)), generator_rules
        )
        self._read_legacy = self._load_or_make(_LEGACY, lambda: _read_legacy(self._files, call))
        for path in call["files"]:
            entries: FileEntries = self._load_or_make(path, lambda: _read_entries(self._files, path, call))  # noqa: B023 - called here
            self._lost += entries["lost"]
            self._names.update(map(without_underscore, entries["names"]))
            self._references += entries["references"]
            is_sparse = path in call["sparse"] or path in call["sparse_backward"]
            maker = OpMaker(
                compats=compats,
                rules=generator_rules,
                rules_text=rules_text,
                dialect=call["dialect"],
                suffix="sp" if generator_rules.sparse_suffix and is_sparse else "",
                has_scalars=generator_rules.sparse_scalars or path not in call["sparse"],
            )
            for item in entries["contents"]:
                try:
                    self._ops |= attempt(lambda: maker.ops(item, path))  # noqa: B023 - called here
                except UnresolvedError as error:  # noqa: PERF203 - an entry that is wrong does not hide the others
                    name = f"{call['dialect']}.{item['name']}"
                    self._lost.append(unresolved(name, error, path, item["line"], repr(item)))

    def _missing_gradients(self, hand_written_ops: Mapping[str, LocatedPirOp]) -> Iterator[RemarkRecord]:
        """Return a remark for each gradient that an entry names and that neither a file nor a class declares."""
        known = self._names.union(without_underscore(name.partition(".")[2]) for name in hand_written_ops)
        missing = [(record, names) for record, names in self._references if known.isdisjoint(names)]
        # The files that only the build of the op makers names are read if a gradient is missing without them: most
        # trees need none.
        unnamed = set(self._load_or_make(_UNNAMED, lambda: _unnamed_ops(self._files))) if missing else set()
        return (record for record, names in missing if unnamed.isdisjoint(names))

    def _load_or_make(self, name: str, make: Callable[[], Any]) -> Any:
        """Return the stored result of a part if its dependencies are unchanged, or else make and store it."""
        outcome = self._check.find(name, ())
        if outcome is not None:
            return outcome
        self._files.looked_at = set()
        self._files.missed = set()
        outcome = make()
        if self._store is not NO_STORE:
            self._parts.keep(name, (), outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome


def _read_call(files: CppFiles) -> Call | None:
    """Return the call of op_gen.py."""
    files.load(_READ_AHEAD)
    return calls.read(files.raw)


def _read_compat(files: CppFiles, call: Call) -> list[CompatEntry]:
    """Return the entries of op_compat.yaml."""
    return [
        compat.read_entry(yaml_entry)
        for yaml_entry in parse_entries(_required_text(files, call["compat"], call), call["compat"])
    ]


def _read_rules(files: CppFiles, call: Call) -> tuple[dict[str, Any], str]:
    """Return the rules of the generator by name, and its fingerprint."""
    generator_rules, fingerprint = rules.read(files.raw, call["folder"])
    return generator_rules.__dict__, fingerprint


def _read_legacy(files: CppFiles, call: Call) -> Legacy:
    """Return the names in ProgramDescs: by op_compat.yaml, by its script, and of sparse ops."""
    script = next(
        (script_path for script_path in special_names.SCRIPTS if files.raw(script_path) is not None),
        special_names.SCRIPTS[0],
    )
    of_sparse = sorted(call["sparse"] | call["sparse_backward"])
    sparse = [
        entry_name(yaml_entry)
        for path in of_sparse
        for yaml_entry in parse_entries(_required_text(files, path, call), path)
    ]
    special = special_names.read(files.raw(script) or "", script)
    return legacy.read(call["compat"], _required_text(files, call["compat"], call), special, sparse)


def _read_entries(files: CppFiles, path: str, call: Call) -> FileEntries:
    """Return the entries of a YAML file."""
    files.load(call["files"])
    entries: FileEntries = {"names": [], "contents": [], "lost": [], "references": []}
    try:
        text = _required_text(files, path, call)
        source = YamlSource(path, text)
        for yaml_entry in parse_entries(text, path):
            name = entry_name(yaml_entry)
            try:
                if name in entries["names"]:
                    raise UnresolvedError("the file has an entry of it before")  # noqa: TRY301 - as any other fault
                entries["names"].append(name)
                entries["references"] += missing_ops(yaml_entry, source, ())
                entries["contents"].append(_read_entry(yaml_entry, source))
            except UnresolvedError as error:
                op = f"{call['dialect']}.{name}"
                entries["lost"].append(unresolved(op, error, path, yaml_entry.line, repr(yaml_entry)))
    except UnresolvedError as error:
        entries["lost"].append(unresolved(path, error, path, 1, files.raw(path) or ""))
    return entries


def _read_entry(yaml_entry: YamlEntry, source: YamlSource) -> DialectEntry:
    """Return the content of an entry, cached by its text and place; raise UnresolvedError for another form."""
    key = source.path, source.place(yaml_entry.start), yaml_entry.text
    content: DialectEntry | None = _CONTENTS.get(key)
    if content is None:
        content = _CONTENTS[key] = attempt(lambda: entry.read_entry(yaml_entry, source))
    return content


def _unnamed_ops(files: CppFiles) -> list[str]:
    """Return the ops of the files that the build of the dialect does not name."""
    files.load(UNNAMED_FILES)
    return sorted(OpIndex(("", files.raw(path) or "") for path in UNNAMED_FILES).names)


def _required_text(files: CppFiles, path: str, call: Call) -> str:
    """Return the text of a file that the build names."""
    text = files.raw(path)
    if text is None:
        raise UnresolvedError(f"the file {path} that the build names does not exist", call["cmake"], 1)
    return text


def _read_hand_written(files: CppFiles) -> tuple[dict[str, LocatedPirOp], list[RemarkRecord]]:
    """Return the ops with hand-written classes, and remarks on unresolved ones."""
    files.load(path for pair in PLACES for path in pair)
    ops: dict[str, LocatedPirOp] = {}
    lost: list[RemarkRecord] = []
    for header, (name, op_or_error) in hand_written_ops(files.raw):
        if isinstance(op_or_error, UnresolvedError):
            lost.append(unresolved(name, op_or_error, header, 1, repr(op_or_error.reason)))
        else:
            ops.setdefault(name, op_or_error)
    return ops, lost
