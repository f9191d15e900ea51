"""The extraction of all ops of a source tree, with results per file that later revisions reuse.

The steps: select the files that may register ops (`candidates`), determine the builds that compile them (`bazel`),
evaluate each file for these builds (`registrations`), and merge the ops of all files (`gathering`).
"""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.files import CppFiles
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.tensorflow.extract.source import candidates, data_types, graph_versions, op_list_file
from opspec_lint.frameworks.tensorflow.extract.source.bazel import NAMES, BuildRules
from opspec_lint.frameworks.tensorflow.extract.source.builder import BuilderBehavior
from opspec_lint.frameworks.tensorflow.extract.source.builds import ALL, BUILDS, DEFINED, PUBLIC, macros_of_build
from opspec_lint.frameworks.tensorflow.extract.source.earlier_ops import EarlierOp, EarlierOps
from opspec_lint.frameworks.tensorflow.extract.source.gathering import GatheredOps
from opspec_lint.frameworks.tensorflow.extract.source.macros import registering_macros
from opspec_lint.frameworks.tensorflow.extract.source.names import Workspace
from opspec_lint.frameworks.tensorflow.extract.source.op_records import OPDEF, PLACE, to_record
from opspec_lint.frameworks.tensorflow.extract.source.registrations import Registrations
from opspec_lint.frameworks.tensorflow.extract.source.written_files import WrittenFiles
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.sources.cache import NO_STORE, digest
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.candidates import FileFacts
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
    from opspec_lint.frameworks.tensorflow.extract.source.registrations import Registration
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.parts import ChangedPart
    from opspec_lint.spec.model import GraphVersions
    from opspec_lint.spec.records import RemarkRecord

    InBuilds = tuple[list[str], list[tuple[str, OpRecord]], list[RemarkRecord], list[str]]
    """Some builds, the ops that a file registers in them, the remarks on those that cannot be evaluated, and the key of
    each op (`earlier_ops`), "" for none."""

_PARTS, _BAZEL, _MKL = "parts", "*.bazel", "if_mkl"
_BUILDER = "tensorflow/core/framework/op_def_builder.cc"
_REGISTRY = "tensorflow/core/framework/op.cc"
_MARKS_RESOURCES = "DT_RESOURCE"
_IGNORED_STATUS = pattern(r"^\s*wrapper\.builder\(\)\.Finalize\(", "m")
_MISSING = (
    "the tree has no such file, and other BUILD files depend on its package, so the builds of its source files that "
    "register ops ({count}) are unknown: every build counts as compiling them"
)
_CORE = "tensorflow/core"
_CORE_BUILD_FILES = tuple(f"{_CORE}/{name}" for name in NAMES)
_CORE_PACKAGES = (_CORE, "tensorflow/core/ops/compat")
"""The packages whose rules decide which libraries of core are part of a release, and of ops.pbtxt."""
_BATCH = 500
_PROGRESS_STEP = 20
_MAX_DIGEST = 32


class ExtractedOps(Record):
    """The ops that a tree registers, by name, remarks on unresolved ones, and the release that the tree states."""

    ops: dict[str, OpRecord]
    remarks: list[RemarkRecord]
    version: str | None
    graph_versions: GraphVersions | None


class Extractor:
    """Extracts the ops of one tree.

    Args:
        tree: the files of a revision.
        store: the cache of results for the next revision.
        progress: a callback with a line about the current step.
    """

    def __init__(self, tree: SourceTree, store: NoStore, progress: Callable[[str], None]) -> None:
        self._tree = tree
        self._store = store
        self._progress = progress
        self._files = CppFiles(tree, "", ())
        self._workspaces: dict[str, Workspace] = {}

    def run(self, build: str) -> ExtractedOps:
        """Return the ops that the tree registers in a build, or in every build (`PUBLIC`, `ALL`)."""
        self._progress("reading the sources")
        parts = self._parts = Parts(self._store.latest(_PARTS))
        written = WrittenFiles(self._tree, parts.facts)
        self._tree.folders.update(parts.folders)
        blobs = self._tree.blobs(("",))
        facts_by_path = self._read_facts(
            parts, {path: blob for path, blob in blobs.items() if candidates.is_source(path)}
        )
        headers = (macro for _, (_, macros) in facts_by_path for macro in macros)
        self._declaring = frozenset(registering_macros(headers))
        # Macros of headers and the behavior of the builder affect every file: they are part of each cache key.
        version, versions = graph_versions.read_release(self._files.raw)
        self._behavior = self._read_behavior()
        is_extension = version is None
        context = digest(repr((self._behavior, sorted(self._declaring), is_extension)).encode())
        self._check = Checker(parts, self._tree, blobs, self._files, context)
        paths = candidates.registering_sources(facts_by_path, self._declaring)
        compiled, with_mkl, remarks = self._load_or_make(
            _BAZEL, (digest(repr(paths).encode()),), lambda: self._compiled_files(paths)
        )
        is_core_unknown = any(remark["name"] in _CORE_BUILD_FILES for remark in remarks)
        self._workspaces = {
            name: Workspace(self._files, macros_of_build(name, with_mkl, is_extension=is_extension)) for name in BUILDS
        }
        gathered = GatheredOps()
        is_of_all = build in (PUBLIC, ALL)
        # Of ops with one name, the first file that registers it counts: core before contrib and others.
        for count, path in enumerate(sorted(compiled, key=lambda path: (not path.startswith(_CORE), path))):
            if not count % _PROGRESS_STEP:
                self._progress(f"evaluating the registrations: {count} of {len(compiled)} files")
            builds_of_file, is_exported, _ = compiled[path]
            if build == PUBLIC and not is_exported:
                continue
            where = (*builds_of_file, _MKL, *with_mkl)
            make = partial(self._evaluate, path, builds_of_file, where)
            results: list[InBuilds] = self._load_or_make(path, where, make)
            is_listed = build == PUBLIC and path.startswith(op_list_file.FOLDER)
            for builds, ops, unresolved, _ in results:
                if is_listed and BUILDS[0] not in builds:
                    continue  # TensorFlow writes ops.pbtxt with a build for the CPU
                for name, op in ops:
                    kept = gathered.add(name, op, BUILDS if is_listed else builds)
                    if kept is not None and (is_of_all or build in kept[1]):
                        remarks = [*remarks, _registered_twice_remark(name, op, kept[0])]
                remarks = [*remarks, *unresolved]
        together = gathered.merge_builds(is_public=build == PUBLIC) if is_of_all else gathered.select_build(build)
        # The build of core writes lists of its ops: no comparison if it is unknown which files this build compiles.
        if build == PUBLIC and not is_core_unknown:
            described = {path for path, (_, _, needs_api_defs) in compiled.items() if needs_api_defs}
            remarks = [*remarks, *written.remarks(together, version, described)]
        parts.facts |= written.facts_to_keep()
        parts.drop_stale()
        if parts.has_changed or written.has_new_facts:
            parts.folders = self._tree.read_folders()
            self._store.save(self._store.name(_PARTS, *sorted(blobs.values())), parts.plain())
        self._progress("")
        return ExtractedOps(ops=together, remarks=_distinct(remarks), version=version, graph_versions=versions)

    def _load_or_make(self, name: str, where: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """Return a cached part if the files that it depends on are unchanged, otherwise make and cache it."""
        outcome = self._check.find(name, where)
        if outcome is None:
            self._files.looked_at, self._files.missed = set(), set()
            outcome = make()
            if self._store is not NO_STORE:
                self._parts.keep(name, where, outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome

    def _read_facts(self, parts: Parts, sources: dict[str, str]) -> list[tuple[str, FileFacts]]:
        """Return the facts of each source file, by blob; new blobs are read in batches, which is faster in git."""
        known: dict[str, FileFacts] = parts.facts
        unseen = {blob: path for path, blob in sources.items() if blob not in known}
        paths = list(unseen.values())
        new: dict[str, FileFacts] = {}
        for start in range(0, len(paths), _BATCH):
            for path, data in self._tree.read(paths[start : start + _BATCH]).items():
                new[sources[path]] = candidates.registration_facts(data or b"")
        parts.facts = {blob: known.get(blob) or new[blob] for blob in sources.values()}
        return [(path, parts.facts[blob]) for path, blob in sources.items()]

    def _read_behavior(self) -> BuilderBehavior:
        """Return the behavior of the OpDefBuilder of the tree, by its C++; an extension is read as a new release."""
        builder = self._files.raw(_BUILDER)
        registry = self._files.raw(_REGISTRY) or ""
        return BuilderBehavior(
            types=data_types.read_types(self._preprocessed_text, self._files.raw),
            marks_resources=builder is None or _MARKS_RESOURCES in builder,
            refuses_faults=_IGNORED_STATUS.search(registry) is None,
        )

    def _preprocessed_text(self, path: str) -> str | None:
        code = self._files.code(path, DEFINED[BUILDS[0]])
        return None if code is None else code.text

    def _compiled_files(
        self, paths: list[str]
    ) -> tuple[dict[str, tuple[list[str], bool, bool]], list[str], list[RemarkRecord]]:
        """Return (builds, is_exported, needs_api_defs) by compiled file, builds with oneDNN, remarks on BUILD files."""
        more = _CORE_PACKAGES if any(path.startswith(f"{_CORE}/") for path in paths) else ()
        rules = BuildRules(paths, self._files.raw, more)
        compiled: dict[str, tuple[list[str], bool, bool]] = {}
        for path in paths:
            builds = rules.builds(path)
            if builds:
                is_exported = rules.is_exported(path) and not candidates.has_test_ops(path)
                own_builds = [build for build in BUILDS if build in builds]
                compiled[path] = own_builds, is_exported, rules.needs_api_defs(path)
        with_mkl = rules.condition(_CORE, _MKL)
        unread = [
            _build_file_remark(path, f"it is not Starlark that can be read: {reason}", line)
            for path, (reason, line) in rules.unread.items()
        ]
        unread += [
            _build_file_remark(f"{folder}/BUILD", _MISSING.format(count=len(files)))
            for folder, files in rules.missing.items()
        ]
        return compiled, [build for build in BUILDS if build in with_mkl], unread

    def _evaluate(self, path: str, builds: Iterable[str], where: tuple[str, ...]) -> list[InBuilds]:
        """Return the ops of a file by builds; builds in which the preprocessed text is the same are evaluated once."""
        by_code: dict[int, list[str]] = {}
        for build in builds:
            by_code.setdefault(id(self._workspaces[build].code(path)), []).append(build)
        changed = self._check.find_changed(path, where)
        results: list[InBuilds] = []
        for same in by_code.values():
            earlier = _earlier_ops(changed, same[0])
            results.append(self._evaluate_in(path, same, earlier))
            if changed is not None and earlier.has_used_macros:
                self._files.looked_at |= changed.dependencies
                self._files.missed |= changed.absent_texts
        return results

    def _evaluate_in(self, path: str, builds: list[str], earlier: EarlierOps) -> InBuilds:
        """Evaluate a file as the first of the builds compiles it; the others have the same text."""
        ops: list[tuple[str, OpRecord]] = []
        remarks: list[RemarkRecord] = []
        keys: list[str] = []
        for registration in Registrations(
            self._workspaces[builds[0]], path, self._behavior, self._declaring, earlier
        ).evaluate():
            if isinstance(registration, EarlierOp):
                ops.append((registration.name, registration.record))
                keys.append(registration.key)
            elif isinstance(registration.op, UnresolvedError):
                remarks.append(_unresolved_remark(registration, registration.op))
            else:
                ops.append((registration.name, to_record(registration.op, registration.place)))
                keys.append(registration.key)
        return builds, ops, remarks, keys


def _earlier_ops(changed: ChangedPart | None, build: str) -> EarlierOps:
    """Return the ops of the earlier revision of a file in a build."""
    if changed is None:
        return EarlierOps({}, are_includes_same=False)
    of_build: Iterable[InBuilds] = (result for result in changed.outcome if result[0][0] == build)
    ops = {key: op for _, ops, _, keys in of_build for key, op in zip(keys, ops, strict=True) if key}
    return EarlierOps(ops, are_includes_same=changed.are_others_same)


def _distinct(remarks: Iterable[RemarkRecord]) -> list[RemarkRecord]:
    """Return remarks without repetitions from other builds."""
    return list({(remark["name"], remark["place"], remark["digest"]): remark for remark in remarks}.values())


def _build_file_remark(path: str, reason: str, line: int = 1) -> RemarkRecord:
    """Return the remark that a BUILD file cannot be evaluated."""
    return {
        "event": "op_unresolved",
        "name": path,
        "op": None,
        "digest": "",
        "facts": {"reason": reason},
        "place": (path, line, None),
    }


def _registered_twice_remark(name: str, op: OpRecord, kept: OpRecord) -> RemarkRecord:
    """Return the remark that another declaration of an op counts."""
    file, line, _ = kept[PLACE]
    return {
        "event": "op_registered_twice",
        "name": name,
        "op": name,
        "digest": digest(op[OPDEF] + kept[OPDEF])[:_MAX_DIGEST],
        "facts": {"kept": f"{file}:{line}"},
        "place": op[PLACE],
    }


def _unresolved_remark(registration: Registration, error: UnresolvedError) -> RemarkRecord:
    """Return the remark that a registration cannot be evaluated."""
    file, line, _ = registration.place
    return {
        "event": "op_unresolved",
        "name": registration.name or file,
        "op": registration.name or None,
        "digest": digest(registration.text.encode("utf-8", "surrogatepass"))[:_MAX_DIGEST],
        "facts": {"reason": error.reason},
        "place": (error.file or file, error.line or line, None),
    }
