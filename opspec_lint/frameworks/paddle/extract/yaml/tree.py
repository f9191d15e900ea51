"""The ops that Paddle's YAML files declare: which files those are, and what the companion files add."""

from __future__ import annotations

import re

from opspec_lint.cpp.enums import enumerators
from opspec_lint.cpp.expressions import NoNames
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import closing_brace, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import empty_file_declarations, remark, unresolved
from opspec_lint.frameworks.paddle.extract.yaml import generator
from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry, document, entries
from opspec_lint.frameworks.paddle.extract.yaml.faults import (
    missing_ops,
    of_compat,
    of_entry,
    of_file,
    of_version,
    quoted_words,
    unread,
)
from opspec_lint.frameworks.paddle.extract.yaml.names import OTHER_FILES, Names, aliases, arguments, without_underscore
from opspec_lint.frameworks.paddle.extract.yaml.op_versions import history_of
from opspec_lint.frameworks.paddle.extract.yaml.ops import Enums, YamlSource, declared, is_declared, name_of
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import TypedDict

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.frameworks.paddle.extract.declarations import Aliases, FileDeclarations
    from opspec_lint.frameworks.paddle.extract.fluid.protos import Protos
    from opspec_lint.frameworks.paddle.extract.yaml.faults import EntryFault
    from opspec_lint.frameworks.paddle.extract.yaml.generator import Generator, Step
    from opspec_lint.frameworks.paddle.extract.yaml.names import Arguments
    from opspec_lint.spec.records import LocatedOp, RemarkRecord

    class YamlFound(TypedDict):
        """What the YAML files of a tree declare.

        `dropped` are the entries of op_version.yaml that match no op, `misspelt` the keys of op_compat.yaml that
        nothing reads. `aliases` are by op. `cmake` is the file that calls the generator, and `fingerprint` tells which
        one it is, None for a tree without any.
        """

        declared: FileDeclarations
        has_versions: bool
        dropped: list[RemarkRecord]
        misspelt: list[RemarkRecord]
        faults: list[EntryFault]
        aliases: dict[str, Aliases]
        fingerprint: str | None
        cmake: str


_ENUM_FILES = {
    "DataLayout": ("paddle/common/layout.h", "paddle/phi/common/layout.h"),
    "AllocationType": ("paddle/phi/common/place.h",),
}
_READERS = ("parse_utils.py", "generate_op.py", "operator_utils.c.j2")
"""The parts of the generator that read the entries of ops, of op_compat.yaml and of op_version.yaml."""
_DECLARED, _FAULTLESS = BoundedCache(), BoundedCache()
"""What entries declare, and which have no fault of their own, by their texts: revisions in a row have much the same."""
_BACKWARD = pattern(r"^- backward_(?:op|api)\s*:\s*(\w+)", "m")


def yaml_ops(files: CppFiles, protos: Protos) -> YamlFound:
    """Return the ops of the YAML files of a tree, and the op versions that op_version.yaml has for them.

    Args:
        files: the files of the tree.
        protos: what framework.proto declares.
    """
    try:
        machine = generator.read(files.raw, files.load)
    except UnresolvedError as error:
        found = _nothing()
        found["declared"]["remarks"].append(unresolved("*", error, "", 1, ""))
        return found
    if machine is None:
        return _nothing()
    paths = {path for step in machine.steps for path in (step.ops, step.compat, step.versions, step.excluded) if path}
    files.load([*paths, *machine.entries, *OTHER_FILES, *(path for group in _ENUM_FILES.values() for path in group)])
    return _Reader(files, protos, machine).all()


def _nothing() -> YamlFound:
    """Return what no file declares."""
    return {
        "declared": empty_file_declarations(),
        "has_versions": False,
        "dropped": [],
        "misspelt": [],
        "faults": [],
        "aliases": {},
        "fingerprint": None,
        "cmake": "",
    }


class _Reader:
    def __init__(self, files: CppFiles, protos: Protos, machine: Generator) -> None:
        self._files = files
        self._machine = machine
        self._rules = repr(machine.rules)
        self._enums = Enums(protos.types(), self._enumerator)
        self._known: dict[str, list[YamlEntry]] = {}
        self._matched: set[str] = set()
        self._sources: dict[str, YamlSource] = {}
        self._found = _nothing()
        self._declared = self._found["declared"]

    def all(self) -> YamlFound:
        machine = self._machine
        for step in machine.steps:
            try:
                attempt(lambda: self._step(step))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - a file that is wrong does not hide the others
                text = self._files.raw(step.ops) or ""
                self._declared["remarks"].append(unresolved(step.ops, error, step.ops, 1, text))
        if not machine.steps:
            why = UnresolvedError("the calls of the YAML generator cannot be evaluated")
            self._declared["remarks"].append(unresolved(machine.cmake, why, machine.cmake, 1, ""))
        found = self._found
        found["misspelt"], found["faults"] = self._faults()
        found["dropped"] = list(self._dropped())
        found["fingerprint"] = generator.fingerprint(machine)
        found["cmake"] = machine.cmake
        return found

    def _step(self, step: Step) -> None:
        """Take in what one call of the generator makes."""
        rules = self._machine.rules
        text = self._files.raw(step.ops)
        if text is None:
            raise UnresolvedError("the file that the build names does not exist", self._machine.cmake, 1)
        source = YamlSource(step.ops, text)
        compat = self._compat(step)
        excluded = self._excluded(step)
        named: dict[str, str] = {}
        strips = rules.strips_sparse if step.sparse else rules.strips
        for entry in self._entries(step.ops):
            written = name_of(entry)
            if not written:
                raise UnresolvedError("an entry without its name", step.ops, entry.line)
            plain = written[:-1] if written.endswith("_") and strips else written
            key = f"sparse_{plain}" if step.sparse else plain
            if plain in excluded:
                continue
            if not is_declared(entry):
                self._declared["without"].append(key)
                continue
            companion = compat.get(plain)
            op = _program_name(companion, key)
            if rules.strips_compat and op.endswith("_"):
                op = op[:-1]
            named[plain] = op
            if companion is not None and step.compat is not None:
                self._found["aliases"][op] = aliases(companion, self._sources[step.compat])
            try:
                self._declared["ops"].append((op, self._op(entry, companion, source, op)))
            except UnresolvedError as error:
                text = repr((entry, companion))
                self._declared["remarks"].append(unresolved(op, error, step.ops, entry.line, text))
        if step.versions and not step.sparse:
            self._versions(step.versions, named)
        backward = self._files.raw(step.backward) if step.backward else None
        prefix = "sparse_" if step.sparse else ""
        self._declared["without"] += (f"{prefix}{name}" for name in _BACKWARD.findall(backward or ""))

    def _op(self, entry: YamlEntry, companion: YamlEntry | None, source: YamlSource, op: str) -> LocatedOp:
        """Return the op that an entry declares, as it was for the same text at the same place.

        Raises:
            UnresolvedError: the entry cannot be evaluated.
        """
        key = (self._rules, source.path, source.place(entry.start), entry.text, companion and companion.text, op)
        made: LocatedOp | None = _DECLARED.get(key)
        if made is None:
            asked = self._enums.asked
            found = attempt(lambda: declared(entry, companion, self._machine.rules, self._enums, source, op=op))
            made = found.to_op((source.path, *source.find(name_of(entry), entry.start, len(source.text))))
            if asked == self._enums.asked:  # what the tree says of an enum is no part of the key
                _DECLARED[key] = made
        return made

    def _dropped(self) -> Iterator[RemarkRecord]:
        """Yield the entries of op_version.yaml that matched no op of any file."""
        for path in dict.fromkeys(step.versions for step in self._machine.steps if step.versions and not step.sparse):
            for entry in self._known.get(path, ()):  # a file that is missing has been said to be
                name = name_of(entry)
                if name not in self._matched:
                    yield remark("op_version_dropped", name, name, (path, entry.line, None))

    def _faults(self) -> tuple[list[RemarkRecord], list[EntryFault]]:
        """Return the keys that nothing reads, and what else is wrong in the entries of all files."""
        misspelt: list[RemarkRecord] = []
        faults: list[EntryFault] = []
        steps = self._machine.steps
        quoted = {path.rpartition("/")[2]: quoted_words(text) for path, text in self._machine.parts.items()}
        parser, merger, template = (quoted.get(name, frozenset()) for name in _READERS)
        compats = dict.fromkeys(step.compat for step in steps if step.compat and not step.sparse)
        signed = {
            without_underscore(str(name))
            for path in compats
            for entry in self._known.get(path, ())
            for name in entry.get("manual_signature") or ()
        }
        sparse = {path for step in steps if step.sparse for path in (step.ops, step.backward)}
        names = Names(
            ("sparse_" if path in sparse else "", self._files.raw(path) or "")
            for path in (*self._machine.entries, *OTHER_FILES)
        )
        forward: dict[str, Arguments] = {}
        for path in self._machine.entries:
            makes_ops = any(step.ops == path and not step.sparse for step in steps)
            for entry in self._readable(path):
                faults += _of_entry(entry, self._sources[path], names, parser, signed)
                declared = arguments(entry)
                if declared is not None and makes_ops:
                    forward[without_underscore(name_of(entry))] = declared
        for path in compats:
            for entry in self._known.get(path, ()):
                misspelt += unread(entry, self._sources[path], merger)
                faults += of_compat(entry, self._sources[path], names, forward)
        versions = dict.fromkeys(step.versions for step in steps if step.versions and not step.sparse)
        for path in versions:
            for entry in self._known.get(path, ()):
                faults += of_version(entry, self._sources[path], template)
        for path in (*self._machine.entries, *compats, *versions):
            if path in self._sources:
                faults += of_file(self._known[path], self._sources[path])
        return misspelt, faults

    def _readable(self, path: str) -> list[YamlEntry]:
        """Return the entries of a file, none of one that cannot be read, which is said where it makes ops."""
        try:
            return self._entries(path)
        except UnresolvedError:
            return []

    def _versions(self, path: str, named: dict[str, str]) -> None:
        for entry in self._entries(path):
            name = name_of(entry)
            if name in named:
                self._matched.add(name)
                try:
                    self._declared["histories"].setdefault(named[name], history_of(entry, path))
                except UnresolvedError as error:
                    lost = unresolved(f"{name} (op version)", error, path, entry.line, repr(entry))
                    self._declared["remarks"].append(lost)
        self._found["has_versions"] = True

    def _compat(self, step: Step) -> dict[str, YamlEntry]:
        """Return the entries of op_compat.yaml by the name of the op in the YAML."""
        if step.compat is None or step.sparse:
            return {}
        found: dict[str, YamlEntry] = {}
        for entry in self._entries(step.compat):
            phi = name_of(entry).split("(")[0].strip()
            if self._machine.rules.strips_compat and phi.endswith("_"):
                phi = phi[:-1]
            if phi in found:
                merged = YamlEntry(found[phi] | entry)
                merged.line, merged.start, merged.text = entry.line, entry.start, found[phi].text + entry.text
                found[phi] = merged
            else:
                found[phi] = entry
        return found

    def _excluded(self, step: Step) -> frozenset[str]:
        text = self._files.raw(step.excluded) if step.excluded else None
        names = document(text, step.excluded or "") if text else None
        return frozenset(str(name).rstrip("_") for name in names) if isinstance(names, list) else frozenset()

    def _entries(self, path: str) -> list[YamlEntry]:
        if path not in self._known:
            text = self._files.raw(path)
            if text is None:
                raise UnresolvedError(f"the file {path} that the build names does not exist", self._machine.cmake, 1)
            self._known[path] = entries(text, path)
            self._sources[path] = YamlSource(path, text)
        return self._known[path]

    def _enumerator(self, enum: str, name: str) -> int | None:
        for path in _ENUM_FILES[enum]:
            raw = self._files.raw(path)
            code = None if raw is None else CppFile(path, raw).code({})
            match = None if code is None else re.search(rf"\benum\s+class\s+{enum}\b[^{{;]*\{{", code.bare)
            if code is not None and match is not None:
                words = tokenize(code.text, match.end(), closing_brace(code.bare, match.end() - 1))
                value = enumerators(words, NoNames(), "").get(name)
                if isinstance(value, UnresolvedError):
                    raise value
                if value is not None:
                    return int(value)
        return None


def _program_name(companion: YamlEntry | None, name: str) -> str:
    """Return the name of an op in programs: that in parentheses, where op_compat.yaml has `phi (fluid)`."""
    if companion is None:
        return name
    if isinstance(companion.get("op_name"), str):  # until September 2022
        return str(companion["op_name"])
    parts = name_of(companion).split("(")
    fluid = parts[1].split(")")[0].strip() if len(parts) > 1 else name
    return fluid or name


def _of_entry(
    entry: YamlEntry, source: YamlSource, names: Names, quoted: frozenset[str], signed: set[str]
) -> list[EntryFault]:
    """Return the faults of an entry that declares an op; of one that has none of its own, the ops that are missing."""
    key = entry.text, quoted, without_underscore(name_of(entry)) in signed
    if key in _FAULTLESS:
        return list(missing_ops(entry, source, names))
    found = list(of_entry(entry, source, names, quoted, signed))
    if len(found) == len(list(missing_ops(entry, source, names))):
        _FAULTLESS[key] = True
    return found
