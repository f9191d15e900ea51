"""The ops that the YAML files of a tree declare, with the changes of op_compat.yaml and op_version.yaml.

Each call of the generator in CMake is followed: its entries are matched with op_compat.yaml, excluded ops are left out,
and op versions are added. The faults of all entries are collected at the end, when all ops are known.
"""

from __future__ import annotations

import re
from contextlib import suppress

from opspec_lint.cpp.enums import enumerators
from opspec_lint.cpp.expressions import NoNames
from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import closing_brace, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import Declarations, empty_file_declarations, remark, unresolved
from opspec_lint.frameworks.paddle.extract.yaml import generator
from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry, parse_document, parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.enum_values import Enums
from opspec_lint.frameworks.paddle.extract.yaml.fault_search import FaultSearch
from opspec_lint.frameworks.paddle.extract.yaml.names import UNNAMED_FILES, read_aliases
from opspec_lint.frameworks.paddle.extract.yaml.op_versions import read_history
from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource, entry_name, makes_op, read_declarations
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
    from opspec_lint.frameworks.paddle.extract.yaml.generator import Generator, GeneratorCall
    from opspec_lint.spec.records import LocatedOp, RemarkRecord

    class YamlDeclarations(TypedDict):
        """The declarations in the YAML files of a tree.

        `dropped` are entries of op_version.yaml that match no op, `misspelt` keys of op_compat.yaml that nothing reads.
        `aliases` are by op. `cmake` is the file that calls the generator; `fingerprint` identifies the generator, None
        if there is none.
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
_DECLARED = BoundedCache()
"""The declarations of entries, by all that they depend on: the next revision has nearly the same."""
_BACKWARD = pattern(r"^- backward_(?:op|api)\s*:\s*(\w+)", "m")


def read_yaml_ops(files: CppFiles, protos: Protos, only: str | None = None) -> YamlDeclarations:
    """Return the ops in the YAML files of a tree, with their op versions.

    `only` is the only op that is needed, None for all: other ops have no arguments then, and faults are not searched.
    """
    try:
        build_generator = generator.read(files.raw, files.load)
    except UnresolvedError as error:
        nothing_read = _no_declarations()
        nothing_read["declared"]["remarks"].append(unresolved("*", error, "", 1, ""))
        return nothing_read
    if build_generator is None:
        return _no_declarations()
    paths = {
        path for step in build_generator.steps for path in (step.ops, step.compat, step.versions, step.excluded) if path
    }
    files.load(
        [*paths, *build_generator.entries, *UNNAMED_FILES, *(path for group in _ENUM_FILES.values() for path in group)]
    )
    return _TreeReader(files, protos, build_generator, only).read()


def _no_declarations() -> YamlDeclarations:
    """Return the declarations of a tree without YAML files."""
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


class _TreeReader:
    """The reading of one tree with the rules of its generator."""

    def __init__(self, files: CppFiles, protos: Protos, build_generator: Generator, only: str | None) -> None:
        self._files = files
        self._only = only
        self._generator = build_generator
        self._rules_text = repr(build_generator.rules)
        self._enums = Enums(protos.types(), self._enumerator)
        self._entries_by_path: dict[str, list[YamlEntry]] = {}
        self._versioned_names: set[str] = set()
        self._sources: dict[str, YamlSource] = {}
        self._result = _no_declarations()
        self._declared = self._result["declared"]

    def read(self) -> YamlDeclarations:
        """Return the declarations of all calls, and the faults of all entries."""
        build_generator = self._generator
        for step in build_generator.steps:
            try:
                attempt(lambda: self._add_ops_of_call(step))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - a file that is wrong does not hide the others
                text = self._files.raw(step.ops) or ""
                self._declared["remarks"].append(unresolved(step.ops, error, step.ops, 1, text))
        if not build_generator.steps:
            why = UnresolvedError("the calls of the YAML generator cannot be evaluated")
            self._declared["remarks"].append(unresolved(build_generator.cmake, why, build_generator.cmake, 1, ""))
        result = self._result
        if self._only is not None:
            return result
        result["misspelt"], result["faults"] = self._find_faults()
        result["dropped"] = list(self._unmatched_versions())
        result["fingerprint"] = generator.fingerprint(build_generator)
        result["cmake"] = build_generator.cmake
        return result

    def _add_ops_of_call(self, step: GeneratorCall) -> None:
        """Add the ops that one call of the generator makes.

        An op has up to three names: the one of its entry (`relu_`), the plain one (`relu`) that op_compat.yaml and the
        lists of excluded ops contain, and the name in programs (`sparse_relu`, or what op_compat.yaml states).
        """
        text = self._files.raw(step.ops)
        if text is None:
            raise UnresolvedError("the file that the build names does not exist", self._generator.cmake, 1)
        source = YamlSource(step.ops, text)
        compat = self._compat_entries(step)
        excluded = self._excluded_ops(step)
        prefix = "sparse_" if step.sparse else ""
        program_names: dict[str, str] = {}
        for entry in self._entries(step.ops):
            plain = self._plain_name(entry, step)
            # generate_sparse_op.py adds the prefix to the name of every op.
            name = f"{prefix}{plain}"
            if plain in excluded:
                continue
            if makes_op(entry):
                program_names[plain] = self._add_op(entry, compat.get(plain), source, name, step)
            else:
                self._declared["without"].append(name)
        if step.versions and not step.sparse:
            self._add_versions(step.versions, program_names)
        backward = self._files.raw(step.backward) if step.backward else None
        # Gradients have no OpProto: they are counted as ops without a maker, and not missed.
        self._declared["without"] += (f"{prefix}{name}" for name in _BACKWARD.findall(backward or ""))

    def _plain_name(self, entry: YamlEntry, step: GeneratorCall) -> str:
        """Return the plain name of an entry, `relu` for `relu_`; UnresolvedError for an entry without a name."""
        rules = self._generator.rules
        written = entry_name(entry)
        if not written:
            raise UnresolvedError("an entry without its name", step.ops, entry.line)
        strips = rules.strips_sparse if step.sparse else rules.strips
        return written[:-1] if written.endswith("_") and strips else written

    def _add_op(
        self, entry: YamlEntry, compat_entry: YamlEntry | None, source: YamlSource, name: str, step: GeneratorCall
    ) -> str:
        """Add the op of an entry, or a remark if it cannot be evaluated; return its name in programs."""
        op = _program_name(compat_entry, name)
        if self._generator.rules.strips_compat and op.endswith("_"):
            op = op[:-1]
        if self._only not in (None, op):
            place = (source.path, *source.find(entry_name(entry), entry.start, len(source.text)))
            self._declared["ops"].append((op, Declarations().to_op(place)))
            return op
        if compat_entry is not None and step.compat is not None:
            self._result["aliases"][op] = read_aliases(compat_entry, self._sources[step.compat])
        try:
            self._declared["ops"].append((op, self._located_op(entry, compat_entry, source, op)))
        except UnresolvedError as error:
            text = repr((entry, compat_entry))
            self._declared["remarks"].append(unresolved(op, error, step.ops, entry.line, text))
        return op

    def _located_op(self, entry: YamlEntry, compat_entry: YamlEntry | None, source: YamlSource, op: str) -> LocatedOp:
        """Return the op that an entry declares, cached by its text and place.

        Raises UnresolvedError for an entry that cannot be evaluated.
        """
        # The key has all that the result depends on, except for the enums of headers.
        compat_text = None if compat_entry is None else compat_entry.text
        key = (self._rules_text, source.path, source.place(entry.start), entry.text, compat_text, op)
        located_op: LocatedOp | None = _DECLARED.get(key)
        if located_op is None:
            lookups = self._enums.lookups
            declarations = attempt(
                lambda: read_declarations(entry, compat_entry, self._generator.rules, self._enums, source, op=op)
            )
            located_op = declarations.to_op(
                (source.path, *source.find(entry_name(entry), entry.start, len(source.text)))
            )
            # The headers with enums are no part of the key.
            if lookups == self._enums.lookups:
                _DECLARED[key] = located_op
        return located_op

    def _unmatched_versions(self) -> Iterator[RemarkRecord]:
        """Yield the entries of op_version.yaml that match no op of any file."""
        for path in dict.fromkeys(step.versions for step in self._generator.steps if step.versions and not step.sparse):
            # A missing file has been reported by the call that names it.
            for entry in self._entries_by_path.get(path, ()):
                name = entry_name(entry)
                if name not in self._versioned_names:
                    yield remark("op_version_dropped", name, name, (path, entry.line, None))

    def _find_faults(self) -> tuple[list[RemarkRecord], list[EntryFault]]:
        """Return remarks on unread keys of op_compat.yaml, and the faults of all entries."""
        for path in self._generator.entries:
            # A file that cannot be read is reported by the call that names it.
            with suppress(UnresolvedError):
                self._entries(path)
        op_texts = ((path, self._files.raw(path) or "") for path in (*self._generator.entries, *UNNAMED_FILES))
        search = FaultSearch(self._generator, self._entries_by_path, self._sources, op_texts)
        return list(search.unread_keys()), list(search.faults())

    def _add_versions(self, path: str, program_names: dict[str, str]) -> None:
        """Add the op versions of a file to the ops of a call, whose names in programs are given."""
        for entry in self._entries(path):
            name = entry_name(entry)
            if name in program_names and self._only in (None, program_names[name]):
                self._versioned_names.add(name)
                try:
                    self._declared["histories"].setdefault(program_names[name], read_history(entry, path))
                except UnresolvedError as error:
                    version_remark = unresolved(f"{name} (op version)", error, path, entry.line, repr(entry))
                    self._declared["remarks"].append(version_remark)
        self._result["has_versions"] = True

    def _compat_entries(self, step: GeneratorCall) -> dict[str, YamlEntry]:
        """Return the entries of op_compat.yaml by the name of the op in YAML; none for sparse ops."""
        if step.compat is None or step.sparse:
            return {}
        entries_by_op: dict[str, YamlEntry] = {}
        for entry in self._entries(step.compat):
            phi = entry_name(entry).split("(")[0].strip()
            if self._generator.rules.strips_compat and phi.endswith("_"):
                phi = phi[:-1]
            # The generator applies all entries of an op; of a repeated key, the last one counts.
            if phi in entries_by_op:
                merged = YamlEntry(entries_by_op[phi] | entry)
                merged.line, merged.start, merged.text = entry.line, entry.start, entries_by_op[phi].text + entry.text
                entries_by_op[phi] = merged
            else:
                entries_by_op[phi] = entry
        return entries_by_op

    def _excluded_ops(self, step: GeneratorCall) -> frozenset[str]:
        """Return the ops that a call leaves out (`ops_exclude.yaml`)."""
        text = self._files.raw(step.excluded) if step.excluded else None
        names = parse_document(text, step.excluded or "") if text else None
        return frozenset(str(name).rstrip("_") for name in names) if isinstance(names, list) else frozenset()

    def _entries(self, path: str) -> list[YamlEntry]:
        """Return the entries of a file, parsed once."""
        if path not in self._entries_by_path:
            text = self._files.raw(path)
            if text is None:
                raise UnresolvedError(f"the file {path} that the build names does not exist", self._generator.cmake, 1)
            self._entries_by_path[path] = parse_entries(text, path)
            self._sources[path] = YamlSource(path, text)
        return self._entries_by_path[path]

    def _enumerator(self, enum: str, name: str) -> int | None:
        """Return the number of an enumerator of an enum class in the tree's headers; None for a missing one."""
        for path in _ENUM_FILES[enum]:
            raw = self._files.raw(path)
            if raw is None:
                continue
            code = CppFile(path, raw).code({})
            match = re.search(rf"\benum\s+class\s+{enum}\b[^{{;]*\{{", code.bare)
            if match is None:
                continue
            tokens = tokenize(code.text, match.end(), closing_brace(code.bare, match.end() - 1))
            value = enumerators(tokens, NoNames(), "").get(name)
            if isinstance(value, UnresolvedError):
                raise value
            if value is not None:
                return int(value)
        return None


def _program_name(compat_entry: YamlEntry | None, name: str) -> str:
    """Return the name of an op in programs: `elementwise_add` of `add (elementwise_add)` in op_compat.yaml."""
    if compat_entry is None:
        return name
    # The form of op_compat.yaml until September 2022.
    if isinstance(compat_entry.get("op_name"), str):
        return str(compat_entry["op_name"])
    parts = entry_name(compat_entry).split("(")
    fluid = parts[1].split(")")[0].strip() if len(parts) > 1 else name
    return fluid or name
