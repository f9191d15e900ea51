"""The extraction of all ops of a source tree, with results per file that later revisions reuse.

The steps: select the files that may register ops (`candidates`), determine the builds that compile them
(`compiled_files`), evaluate each file for these builds (`registrations`), and merge the ops of all files (`gathering`).
"""

from __future__ import annotations

from functools import partial

from opspec_lint.cpp.files import CppFiles
from opspec_lint.cpp.splices import Splices
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.tensorflow.extract.source import candidates, graph_versions, op_list_file, remarks
from opspec_lint.frameworks.tensorflow.extract.source.behavior import behavior_from_plain, read_behavior
from opspec_lint.frameworks.tensorflow.extract.source.builds import ALL, BUILDS, DEFINED, PUBLIC, macros_of_build
from opspec_lint.frameworks.tensorflow.extract.source.compiled_files import CORE, MKL, find_compiled_files
from opspec_lint.frameworks.tensorflow.extract.source.earlier_ops import EarlierOp, EarlierOps
from opspec_lint.frameworks.tensorflow.extract.source.gathering import GatheredOps
from opspec_lint.frameworks.tensorflow.extract.source.macros import registering_macros
from opspec_lint.frameworks.tensorflow.extract.source.names import Workspace
from opspec_lint.frameworks.tensorflow.extract.source.op_records import to_record
from opspec_lint.frameworks.tensorflow.extract.source.registrations import Registrations
from opspec_lint.frameworks.tensorflow.extract.source.written_files import WrittenFiles
from opspec_lint.kit.record import Record
from opspec_lint.sources.cache import NO_STORE, digest
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypedDict

    from opspec_lint.frameworks.tensorflow.extract.source.candidates import FileFacts
    from opspec_lint.frameworks.tensorflow.extract.source.compiled_files import CompiledFile, CompiledFiles
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.sources.parts import ChangedPart
    from opspec_lint.spec.model import GraphVersions
    from opspec_lint.spec.records import RemarkRecord

    class FileOps(TypedDict):
        """The ops that a file registers in some builds.

        - `builds`: the builds, which compile the same text
        - `ops`: the ops with their names, in the order of the registrations
        - `keys`: the key of the registration of each op (`earlier_ops`), "" for none
        - `unresolved`: the remarks on registrations that cannot be evaluated
        """

        builds: list[str]
        ops: list[tuple[str, OpRecord]]
        keys: list[str]
        unresolved: list[RemarkRecord]


_PARTS, _BAZEL, _BEHAVIOR = "parts", "*.bazel", "*.behavior"
_BATCH = 500
_PROGRESS_STEP = 20


class ExtractedOps(Record):
    """The ops that a tree registers, by name, remarks on unresolved ones, and the release that the tree states.

    `uncompiled` are the files that would register ops, but that no build compiles. `build_files` maps a compiled file
    to its build file, "" for none.
    """

    ops: dict[str, OpRecord]
    remarks: list[RemarkRecord]
    version: str | None
    graph_versions: GraphVersions | None
    uncompiled: tuple[str, ...]
    build_files: dict[str, str]


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
        self._workspaces: dict[tuple[str, tuple[tuple[str, str], ...]], Workspace] = {}

    def run(self, build: str) -> ExtractedOps:
        """Return the ops that the tree registers in a build, or in every build (`PUBLIC`, `ALL`)."""
        self._progress("reading the sources")
        parts = self._parts = Parts(self._store.latest(_PARTS))
        written_files = WrittenFiles(self._tree, parts.facts)
        self._tree.folders.update(parts.folders)
        blobs = self._tree.blobs(("",))
        paths = self._registering_sources(blobs)
        # Macros of headers affect every file: they are part of each cache key.
        context = digest(repr(sorted(self._declaring)).encode())
        self._check = Checker(parts, self._tree, blobs, self._files, context)
        compiled: CompiledFiles = self._load_or_make(
            _BAZEL, (digest(repr(paths).encode()),), lambda: find_compiled_files(paths, self._files.raw, self._tree)
        )
        version, versions = graph_versions.read_release(self._files.raw)
        self._prepare_evaluation(compiled, is_extension=version is None)
        gathered, file_remarks = self._gather(build, compiled)
        ops = gathered.ops_of(build)
        # The build of core writes lists of its ops: no comparison if it is unknown which files this build compiles.
        if build == PUBLIC and not compiled["is_core_unknown"]:
            described = {path for path, file in compiled["files"].items() if file["needs_api_defs"]}
            file_remarks += written_files.remarks(ops, version, described)
        self._save_parts(blobs, written_files)
        self._progress("")
        links = (path for path in candidates.select_sources(self._tree.links) if path.endswith(candidates.SOURCES))
        file_remarks += [remarks.unread_link(path, self._tree.links[path]) for path in sorted(links)]
        file_remarks += [remarks.unread_file(path, reason, line) for path, line, reason in self._splices.unread]
        every = remarks.distinct([*compiled["remarks"], *file_remarks])
        uncompiled = tuple(path for path in paths if path not in compiled["files"])
        return ExtractedOps(
            ops=ops,
            remarks=every,
            version=version,
            graph_versions=versions,
            uncompiled=uncompiled,
            build_files=compiled["build_files"],
        )

    def _registering_sources(self, blobs: dict[str, str]) -> list[str]:
        """Return the source files that register ops, and store the macros of headers that register some.

        From here on, a file that includes registrations has their text, and `blobs` the id of this text.
        """
        facts_by_path = self._facts_by_path(blobs)
        self._splices = Splices(
            self._tree,
            {path: blobs[path] for path in candidates.select_sources(blobs)},
            candidates.registering_headers(facts_by_path, self._declaring, self._tree.read),
            candidates.with_lists(facts_by_path, self._declaring),
            [path for path in self._tree.links if path.endswith(candidates.SOURCES)],
        )
        if self._splices.files:
            self._tree = self._splices.tree()
            self._files = CppFiles(self._tree, "", ())
            blobs |= {path: file.identity for path, file in self._splices.files.items()}
            facts_by_path = self._facts_by_path(blobs)
        return candidates.registering_sources(facts_by_path, self._declaring)

    def _facts_by_path(self, blobs: Mapping[str, str]) -> dict[str, FileFacts]:
        """Return the facts of the files that have some, and store the macros of headers that register ops."""
        sources = {path: blobs[path] for path in candidates.select_sources(blobs)}
        known: dict[str, FileFacts] = self._parts.facts
        unseen = {blob: path for path, blob in sources.items() if blob not in known}
        new = self._read_facts(unseen)
        self._parts.facts = facts = {blob: known[blob] if blob in known else new[blob] for blob in sources.values()}
        facts_by_path = {path: facts[blob] for path, blob in sources.items() if facts[blob] != candidates.NO_FACTS}
        headers = (macro for _, macros, *_ in facts_by_path.values() for macro in macros)
        self._declaring = frozenset(registering_macros(headers))
        return facts_by_path

    def _read_facts(self, paths_by_blob: Mapping[str, str]) -> dict[str, FileFacts]:
        """Return the facts of files by blob; they are read in batches, which is faster in git."""
        blobs = {path: blob for blob, path in paths_by_blob.items()}
        paths = list(blobs)
        facts: dict[str, FileFacts] = {}
        for start in range(0, len(paths), _BATCH):
            for path, data in self._tree.read(paths[start : start + _BATCH]).items():
                facts[blobs[path]] = candidates.registration_facts(data or b"")
        return facts

    def _prepare_evaluation(self, compiled: CompiledFiles, *, is_extension: bool) -> None:
        """Determine what affects every file, apart from macros: the builds, and the behavior of OpDefBuilder."""
        plain = self._load_or_make(_BEHAVIOR, (), lambda: read_behavior(self._files.raw, self._preprocessed_text))
        self._behavior = behavior_from_plain(plain)
        with_mkl, with_onednn_3 = compiled["with_mkl"], compiled["with_onednn_3"]
        self._conditions = (digest(repr((plain, is_extension, with_onednn_3)).encode()), MKL, *with_mkl)
        self._macros = {
            build: macros_of_build(build, with_mkl, with_onednn_3, is_extension=is_extension) for build in BUILDS
        }

    def _workspace(self, path: str, build: str, defined: Mapping[str, Mapping[str, str]]) -> Workspace:
        """Return the workspace of a file in a build, with those macros of its rules that the file names."""
        text = self._files.raw(path) or "" if defined.get(build) else ""
        own = {name: value for name, value in defined.get(build, {}).items() if name in text}
        macros = {**self._macros[build], **own}
        key = build, tuple(sorted(macros.items()))
        if key not in self._workspaces:
            self._workspaces[key] = Workspace(self._files, macros)
        return self._workspaces[key]

    def _preprocessed_text(self, path: str) -> str | None:
        code = self._files.code(path, DEFINED[BUILDS[0]])
        return None if code is None else code.text

    def _gather(self, build: str, compiled: CompiledFiles) -> tuple[GatheredOps, list[RemarkRecord]]:
        """Return the ops of all files that a build compiles, and the remarks on their registrations."""
        gathered = GatheredOps()
        file_remarks: list[RemarkRecord] = []
        files = compiled["files"]
        # Of ops with one name, the first file that registers it counts: core before contrib and others.
        for count, path in enumerate(sorted(files, key=lambda path: (not path.startswith(CORE), path))):
            if not count % _PROGRESS_STEP:
                self._progress(f"evaluating the registrations: {count} of {len(files)} files")
            if build == PUBLIC and not files[path]["is_exported"]:
                continue
            is_listed = build == PUBLIC and path.startswith(op_list_file.FOLDER)
            for result in self._splices.located(path, self._results(path, files[path])):
                if is_listed and BUILDS[0] not in result["builds"]:
                    continue  # TensorFlow writes ops.pbtxt with a build for the CPU
                for name, op in result["ops"]:
                    kept = gathered.add(name, op, BUILDS if is_listed else result["builds"])
                    if kept is not None and (build in (PUBLIC, ALL) or build in kept[1]):
                        file_remarks.append(remarks.registered_twice(name, op, kept[0]))
                file_remarks += result["unresolved"]
                doubt = files[path]["doubt"]
                if doubt is not None and result["ops"]:
                    file_remarks.append(doubt)
        return gathered, file_remarks

    def _results(self, path: str, file: CompiledFile) -> list[FileOps]:
        """Return the ops of a file by builds, from the cache or by evaluation."""
        where = (*file["builds"], *self._conditions, digest(repr(file["macros"]).encode()))
        results: list[FileOps] = self._load_or_make(path, where, partial(self._evaluate, path, file, where))
        return results

    def _save_parts(self, blobs: Mapping[str, str], written_files: WrittenFiles) -> None:
        """Store the parts for the next revision, if any was made anew."""
        parts = self._parts
        parts.facts |= written_files.facts_to_keep()
        parts.drop_stale()
        if parts.has_changed or written_files.has_new_facts:
            parts.folders = self._tree.read_folders()
            self._store.save(self._store.name(_PARTS, *sorted(blobs.values())), parts.plain())

    def _load_or_make(self, name: str, where: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """Return a cached part if the files that it depends on are unchanged, otherwise make and cache it."""
        outcome = self._check.find(name, where)
        if outcome is None:
            self._files.looked_at, self._files.missed = set(), set()
            outcome = make()
            if self._store is not NO_STORE:
                self._parts.keep(name, where, outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome

    def _evaluate(self, path: str, file: CompiledFile, where: tuple[str, ...]) -> list[FileOps]:
        """Return the ops of a file by builds; builds in which the preprocessed text is the same are evaluated once."""
        by_code: dict[int, list[str]] = {}
        workspaces = {build: self._workspace(path, build, file["macros"]) for build in file["builds"]}
        for build, workspace in workspaces.items():
            by_code.setdefault(id(workspace.code(path)), []).append(build)
        changed = self._check.find_changed(path, where)
        results: list[FileOps] = []
        for same in by_code.values():
            earlier = _earlier_ops(changed, same[0])
            results.append(self._evaluate_in(path, same, workspaces[same[0]], earlier))
            if changed is not None and earlier.has_used_macros:
                self._files.looked_at |= changed.dependencies
                self._files.missed |= changed.absent_texts
        return results

    def _evaluate_in(self, path: str, builds: list[str], workspace: Workspace, earlier: EarlierOps) -> FileOps:
        """Evaluate a file as the first of the builds compiles it; the others have the same text."""
        ops: list[tuple[str, OpRecord]] = []
        unresolved: list[RemarkRecord] = []
        keys: list[str] = []
        for registration in Registrations(workspace, path, self._behavior, self._declaring, earlier).evaluate():
            if isinstance(registration, EarlierOp):
                ops.append((registration.name, registration.record))
                keys.append(registration.key)
            elif isinstance(registration.op, UnresolvedError):
                unresolved.append(remarks.unresolved(registration, registration.op))
            else:
                ops.append((registration.name, to_record(registration.op, registration.place)))
                keys.append(registration.key)
        return {"builds": builds, "ops": ops, "keys": keys, "unresolved": unresolved}


def _earlier_ops(changed: ChangedPart | None, build: str) -> EarlierOps:
    """Return the ops of the earlier revision of a file in a build."""
    if changed is None:
        return EarlierOps({}, are_includes_same=False)
    results: list[FileOps] = changed.outcome
    of_build = (result for result in results if result["builds"][0] == build)
    ops = {key: op for result in of_build for key, op in zip(result["keys"], result["ops"], strict=True) if key}
    return EarlierOps(ops, are_includes_same=changed.are_others_same)
