"""The extraction of all ops of a source tree, file by file; unchanged files reuse their earlier result.

1. Index the text of each op source: macros, invocations, classes.
2. Follow CMake, to know which builds compile which file.
3. Evaluate the registrations of each file in each build that sees it differently.
4. Read the YAML files and the handlers of the translation to PIR.
5. Merge the declarations of all files and builds.

The result of each step for a file is a part (`sources/parts.py`), stored with its dependencies: files and questions.
"""

from __future__ import annotations

from opspec_lint.cpp.mentions import mentioning
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.build.builds import ALL, BUILDS, ROOTS, special_build
from opspec_lint.frameworks.paddle.extract.declarations import remark, unresolved
from opspec_lint.frameworks.paddle.extract.fluid import protos
from opspec_lint.frameworks.paddle.extract.fluid.protos import Protos
from opspec_lint.frameworks.paddle.extract.fluid.workspace import FileFacts, Workspace, index_file
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.frameworks.paddle.extract.tree.included import splices
from opspec_lint.frameworks.paddle.extract.tree.merged_builds import MergedBuilds
from opspec_lint.frameworks.paddle.extract.tree.results import Extraction, known_flags
from opspec_lint.frameworks.paddle.extract.tree.translators import add_translators, read_translators
from opspec_lint.frameworks.paddle.extract.yaml.known_generators import KNOWN
from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import source_text
from opspec_lint.sources.cache import NO_STORE, digest
from opspec_lint.sources.parts import Checker, Parts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.build.builds import Build
    from opspec_lint.frameworks.paddle.extract.declarations import FileDeclarations
    from opspec_lint.frameworks.paddle.extract.tree.translators import Translator
    from opspec_lint.frameworks.paddle.extract.yaml.tree import YamlDeclarations
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.spec.records import LocatedAttr, RemarkRecord

    _T = TypeVar("_T")

    class BuildDeclarations(TypedDict):
        """The declarations of a file in some builds; special builds only count if they declare something else."""

        declared: FileDeclarations
        builds: list[str]
        is_special: bool


_TEST = pattern(r"_test\.(?:cc|h)$|_tester\.|(?:^|/)tests?/")
_SOURCE = (".cc", ".h", ".inc", ".def")
_DECLARES = pattern(
    r"REGISTER_(?:OP_WITH_KERNEL|(?!\w*KERNEL))|Add(?:Input|Output|Attr|Checkpoint)|SetDefault|\.As[A-Z]|Maker"
    r"|\bconst(?:expr)?\b[^(){};]*[={]|#[ \t]*define"
)
"""Text that may decide a declaration. Two builds that compile the same such text declare the same ops."""
_PROGRESS_STEP = 25  # files between two words of progress
_YAML, _CMAKE, _BOILERPLATE, _TRANSLATORS = "*.yaml", "*.cmake", "*.boilerplate", "*.translators"
"""The names of the parts that belong to no single file."""


def is_source(path: str) -> bool:
    """Return whether a file may declare ops: C++ that is no test."""
    # The tests of Paddle register fake ops, such as paddle/fluid/framework/ir/graph_test.cc.
    return path.endswith(_SOURCE) and not ("test" in path and _TEST.search(path))


class Extractor:
    """The extraction of one tree.

    `build` is the name of a build, or `ALL`. `only` is the only op that is needed, None for all: then files that cannot
    declare it are not evaluated, and other ops in YAML files have no arguments.
    """

    def __init__(
        self, tree: SourceTree, build: str, store: NoStore, progress: Callable[[str], None], only: str | None = None
    ) -> None:
        self._tree = tree
        self._build = build
        self._only = only
        self._store = store
        self._progress = progress
        self._files = paddle_cpp_files(tree)
        self._workspaces: dict[str, Workspace] = {}
        self._facts_by_path: dict[str, FileFacts] = {}
        self._kind = f"parts.{build}" if only is None else f"parts.{build}.{only}"
        # The parts of all ops are valid parts for one op, but not the other way round.
        self._parts = Parts(store.latest(self._kind) or store.latest(f"parts.{build}"))
        tree.folders.update(self._parts.folders)
        # What cannot be read, followed or evaluated.
        self._remarks: list[RemarkRecord] = []

    def run(self) -> Extraction:
        """Return the declarations of the tree."""
        self._progress("reading the sources")
        blobs = self._tree.blobs(ROOTS)
        self._index_sources(blobs)
        self._splice_included(blobs)
        self._remark_links()
        base = BUILDS["cpu" if self._build == ALL else self._build]
        workspace = self._workspace(base)
        self._find_changed_parts(blobs, workspace)
        boilerplate = self._load_or_make_with_remarks(_BOILERPLATE, lambda: self._framework_attrs(workspace))
        compiled = self._load_or_make_with_remarks(_CMAKE, lambda: self._compiling_builds(workspace, base))
        merged_builds = MergedBuilds(tuple(BUILDS) if self._build == ALL else (self._build,))
        registering, waiting = self._files_to_evaluate(workspace, blobs)
        self._evaluate_files(registering, compiled, merged_builds)
        self._progress("reading the YAML files")
        yaml: YamlDeclarations = self._load_or_make(_YAML, (), self._read_yaml)
        translators: dict[str, Translator] | None = self._load_or_make(
            _TRANSLATORS, (), lambda: read_translators(self._files, base.defined)
        )
        in_cpp = merged_builds.names()
        merged_builds.add(yaml["declared"], merged_builds.everywhere)
        self._find_any_op(waiting, compiled, merged_builds)
        ops = merged_builds.merge() if translators is None else add_translators(merged_builds.merge(), translators)
        self._save_parts(blobs)
        self._progress("")
        return Extraction(
            ops=ops,
            boilerplate=boilerplate,
            histories=merged_builds.histories(),
            has_versions=yaml["has_versions"],
            without=merged_builds.without(),
            remarks=(*self._remarks, *merged_builds.remarks(), *self._yaml_remarks(yaml, in_cpp)),
            aliases=yaml["aliases"],
            translators=None if translators is None else {op: place for op, (_, place) in translators.items()},
            flags=known_flags(self._protos.has_field),
        )

    def _find_changed_parts(self, blobs: Mapping[str, str], workspace: Workspace) -> None:
        """Find out which parts of the last extraction are still valid for these files."""
        context = f"{self._protos_digest} {workspace.macro_context()}"
        self._check = Checker(self._parts, self._tree, blobs, workspace, context)

    def _files_to_evaluate(self, workspace: Workspace, blobs: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Return the files to evaluate, and files that only show whether the tree has ops.

        For a single op, the former have its name, or a macro of the tree, which may make the name.
        """
        registering = workspace.registering_files()
        if self._only is None:
            return registering, []
        names = workspace.tree_macros | {self._only}
        needed = mentioning(self._files, blobs, registering, names)
        return [path for path in registering if path in needed], [path for path in registering if path not in needed]

    def _evaluate_files(
        self, paths: list[str], compiled: Mapping[str, tuple[str, ...]], merged_builds: MergedBuilds
    ) -> None:
        """Add the declarations of files that register ops, in the builds that compile each."""
        for count, path in enumerate(paths):
            if not count % _PROGRESS_STEP:
                self._progress(f"evaluating the op makers: {count} of {len(paths)} files")
            where = compiled.get(path, ())
            if self._build != ALL and not where:
                continue
            rows = self._load_or_make(path, where, lambda: self._evaluate(path, where))  # noqa: B023 - called here
            for row in self._splices.located(path, rows):
                merged_builds.add(row["declared"], row["builds"], is_special=row["is_special"])

    def _find_any_op(
        self, paths: list[str], compiled: Mapping[str, tuple[str, ...]], merged_builds: MergedBuilds
    ) -> None:
        """Evaluate files until one of the tree declares an op: a tree without ops is no tree of Paddle."""
        for path in paths:
            if merged_builds.declares_ops:
                return
            self._evaluate_files([path], compiled, merged_builds)

    def _save_parts(self, blobs: Mapping[str, str]) -> None:
        """Store the parts for the next revision, if any was made anew."""
        parts = self._parts
        parts.drop_stale()
        if parts.has_changed:
            parts.folders = self._tree.read_folders()
            self._store.save(self._store.name(self._kind, *sorted(blobs.values())), parts.plain())

    def _yaml_remarks(self, yaml: YamlDeclarations, in_cpp: set[str]) -> Iterator[RemarkRecord]:
        """Yield the remarks on YAML files, except for ops that C++ registers."""
        yield from (*yaml["dropped"], *yaml["misspelt"])
        for fault, registered in yaml["faults"]:
            if not registered or self._is_missing(registered, in_cpp):
                yield fault
        name = yaml["fingerprint"]
        if name is not None and name not in KNOWN:
            yield remark("yaml_generator_unknown", name, None, (yaml["cmake"], 1, None), digest=name)

    def _load_or_make(self, name: str, where: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """Return the stored result of a part if its dependencies are unchanged, or else make and store it."""
        outcome = self._check.find(name, where)
        if outcome is not None:
            return outcome
        self._files.looked_at = set()
        self._files.missed = set()
        self._files.compiled = set()
        outcome = make()
        if self._store is not NO_STORE:
            self._parts.keep(name, where, outcome, self._check.ids(self._files.looked_at), self._files.missed)
        return outcome

    def _load_or_make_with_remarks(self, name: str, make: Callable[[], tuple[_T, list[RemarkRecord]]]) -> _T:
        """Return the result of a part of the whole tree, and add its remarks to the remarks of the tree."""
        result: _T
        result, remarks = self._load_or_make(name, (), make)
        self._remarks += remarks
        return result

    def _compiling_builds(
        self, workspace: Workspace, base: Build
    ) -> tuple[dict[str, tuple[str, ...]], list[RemarkRecord]]:
        """Return the builds that compile each file, and a remark if CMake could not be followed."""
        from opspec_lint.frameworks.paddle.extract.build.cmake import CMakeLists
        from opspec_lint.frameworks.paddle.extract.tree.compiled_files import compiling_builds

        builds = list(BUILDS.values()) if self._build == ALL else [base]
        lists = CMakeLists(self._files.raw, workspace.source_names)
        compiled, problem = compiling_builds(lists, builds, with_options=self._build == ALL)
        return compiled, [] if problem is None else [unresolved("*", problem, "", 1, "")]

    def _framework_attrs(self, workspace: Workspace) -> tuple[list[LocatedAttr], list[RemarkRecord]]:
        """Return the attrs that every op has, and a remark if they cannot be evaluated."""
        from opspec_lint.frameworks.paddle.extract.fluid import boilerplate

        try:
            return attempt(lambda: boilerplate.framework_attrs(workspace)), []
        except UnresolvedError as error:
            return [], [unresolved("*", error, "", 1, "")]

    def _index_sources(self, blobs: Mapping[str, str]) -> None:
        """Index the sources whose contents are new, and remark those that cannot be read.

        Which macros declare ops depends on all sources, so all are indexed before the first is evaluated.
        """
        known = self._parts.facts
        sources = sorted(path for path in blobs if is_source(path))
        unseen = [path for path in sources if blobs[path] not in known]
        # The first extraction follows all CMake files; later ones mostly reuse the stored result.
        more = [] if self._parts.parts else [path for path in blobs if path.endswith("CMakeLists.txt")]
        self._files.load([*unseen, *more, *protos.PATHS])
        unread: set[str] = set()
        for path in sources:
            seen = known.get(blobs[path])
            raw = self._files.raw(path) if seen is None else ""
            self._facts_by_path[path] = index_file(raw or "") if seen is None else FileFacts(seen)
            if raw is None:
                unread.add(path)
                reason = f"the file is larger than {MAX_SOURCE >> 20} MiB, and was not read"
                self._remarks.append(unresolved(path, UnresolvedError(reason), path, 1, blobs[path]))
        self._parts.facts = {
            blobs[path]: known.get(blobs[path]) or tuple(self._facts_by_path[path])
            for path in sources
            if path not in unread
        }
        proto_texts = map(self._files.raw, protos.PATHS)
        proto_text = next((text for text in proto_texts if text is not None), "")
        self._protos = Protos(proto_text)
        self._protos_digest = digest(proto_text.encode("utf-8", "surrogatepass"))

    def _splice_included(self, blobs: dict[str, str]) -> None:
        """Give the sources the registrations that they include, and index these texts; `blobs` gets their ids."""
        links = [path for path in self._tree.links if is_source(path)]
        self._splices = splices(self._tree, blobs, self._facts_by_path, links)
        for path, line, reason in self._splices.unread:
            self._remarks.append(unresolved(path, UnresolvedError(reason), path, line, ""))
        if not self._splices.files:
            return
        self._tree = self._splices.tree()
        self._files = paddle_cpp_files(self._tree)
        for path, splice in self._splices.files.items():
            blobs[path] = splice.identity
            self._facts_by_path[path] = index_file(source_text(splice.data))

    def _remark_links(self) -> None:
        """Remark the symbolic links that a build might follow to op sources."""
        why = UnresolvedError("it is a symbolic link, and only those to op sources of the tree are followed")
        for path, target in sorted(self._tree.links.items()):
            if is_source(path) or path.endswith("/CMakeLists.txt") or "." not in path.rpartition("/")[2]:
                self._remarks.append(unresolved(path, why, path, 1, target))

    def _is_missing(self, names: tuple[str, ...], in_cpp: set[str]) -> bool:
        """Return whether C++ registers none of some ops in any build; unknown (False) for a single build."""
        return self._build == ALL and in_cpp.isdisjoint(names)

    def _workspace(self, build: Build) -> Workspace:
        """Return the workspace of a build."""
        if build.name not in self._workspaces:
            self._workspaces[build.name] = Workspace(self._files, self._facts_by_path, build.defined, self._protos)
        return self._workspaces[build.name]

    def _declarations_in_build(self, build: Build, path: str) -> BuildDeclarations:
        """Return the declarations of a file in one build; the caller adds further builds with the same."""
        from opspec_lint.frameworks.paddle.extract.fluid.registrations import declarations

        return {"declared": declarations(self._workspace(build), path), "builds": [], "is_special": False}

    def _read_yaml(self) -> YamlDeclarations:
        """Return the declarations of the YAML files."""
        from opspec_lint.frameworks.paddle.extract.yaml.tree import read_yaml_ops

        return read_yaml_ops(self._files, self._protos, self._only)

    def _evaluate(self, path: str, where: tuple[str, ...]) -> list[BuildDeclarations]:
        """Return the declarations of a file in each build that compiles it; in the CPU build if none does."""
        if self._build != ALL:
            return [{**self._declarations_in_build(BUILDS[self._build], path), "builds": [self._build]}]
        released = [build for name, build in BUILDS.items() if name in where]
        special = [special_build(name.upper()) for name in where if name not in BUILDS]
        compiling = released or special
        evaluated: list[tuple[Build, BuildDeclarations]] = []
        for build in compiling or [BUILDS["cpu"]]:
            outcome = next((outcome for known, outcome in evaluated if self._is_same(known, build)), None)
            if outcome is None:
                outcome = self._declarations_in_build(build, path)
                evaluated.append((build, outcome))
            if compiling:
                outcome["builds"].append(build.name)
        known_builds = [build for build, _ in evaluated]
        return [*(outcome for _, outcome in evaluated), *self._evaluate_features(path, known_builds)]

    def _evaluate_features(self, path: str, known_builds: Sequence[Build]) -> Iterator[BuildDeclarations]:
        """Yield the declarations of a file under each feature that it tests and no released build has.

        A user can build such a feature. A feature under which the file declares the same as in a known build is left
        out.
        """
        source = self._files.source(path)
        features = sorted(name for name in (source.tested_names() if source else ()) if name.startswith("PADDLE_WITH_"))
        for feature in features:
            if any(feature in released.defined for released in BUILDS.values()):
                continue
            build = special_build(feature[len("PADDLE_WITH_") :])
            if not any(self._is_same(known, build, {path}) for known in known_builds):
                yield {**self._declarations_in_build(build, path), "builds": [build.name], "is_special": True}

    def _is_same(self, first: Build, second: Build, paths: set[str] | None = None) -> bool:
        """Return whether two builds find the same declarations in `paths`, by default the files compiled so far."""
        if first.name == second.name:
            return True
        for path in set(self._files.compiled) if paths is None else paths:
            source = self._files.source(path)
            if source is not None and source.differs(first.defined, second.defined, _DECLARES):
                return False
        return True
