"""Reads all that a tree declares of its ops; what a file came to is used again where it may not have changed."""

from __future__ import annotations

from functools import cache

from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.build.builds import ALL, BUILDS, ROOTS, special
from opspec_lint.frameworks.paddle.extract.declarations import remark, unresolved
from opspec_lint.frameworks.paddle.extract.fluid import protos
from opspec_lint.frameworks.paddle.extract.fluid.protos import Protos
from opspec_lint.frameworks.paddle.extract.fluid.workspace import FileFacts, Workspace, index_file
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.frameworks.paddle.extract.tree.found import LATE, Extraction
from opspec_lint.frameworks.paddle.extract.tree.translators import read_translators, with_translators
from opspec_lint.frameworks.paddle.extract.yaml.known_generators import KNOWN
from opspec_lint.kit.limits import MAX_SOURCE
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.cache import NO_STORE, digest
from opspec_lint.sources.parts import Checker, Parts
from opspec_lint.spec.identity import NO_BUILD, variant
from opspec_lint.spec.records import same_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.build.builds import Build
    from opspec_lint.frameworks.paddle.extract.build.cmake import Lists
    from opspec_lint.frameworks.paddle.extract.declarations import FileDeclarations, History
    from opspec_lint.frameworks.paddle.extract.tree.translators import Translator
    from opspec_lint.frameworks.paddle.extract.yaml.tree import YamlFound
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.sources.cache import NoStore
    from opspec_lint.spec.records import LocatedAttr, LocatedOp, RemarkRecord

    class InBuilds(TypedDict):
        """What a file declares in some builds; an op of special ones counts only if other builds have another."""

        declared: FileDeclarations
        builds: list[str]
        is_special: bool


_TEST = pattern(r"_test\.(?:cc|h)$|_tester\.|(?:^|/)tests?/")
_SOURCE = (".cc", ".h")
_DECLARES = pattern(
    r"REGISTER_(?:OP_WITH_KERNEL|(?!\w*KERNEL))|Add(?:Input|Output|Attr|Checkpoint)|SetDefault|\.As[A-Z]|Maker"
    r"|\bconst(?:expr)?\b[^(){};]*[={]|#[ \t]*define"
)
"""What may decide a declaration, in text that only one of two builds compiles."""
_OFTEN = 25  # files between two words of progress
_YAML, _CMAKE, _BOILERPLATE, _TRANSLATORS = "*.yaml", "*.cmake", "*.boilerplate", "*.translators"
"""The names of the parts that are no file."""


def is_source(path: str) -> bool:
    """Tell whether a file may declare ops: C++ that is no test."""
    return path.endswith(_SOURCE) and not ("test" in path and _TEST.search(path))


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))


class Extractor:
    """Reads a tree.

    Args:
        tree: the tree.
        build: the name of a build, or `ALL`.
        store: where results are kept.
        progress: is told what is being done.
    """

    def __init__(self, tree: SourceTree, build: str, store: NoStore, progress: Callable[[str], None]) -> None:
        self._tree = tree
        self._build = build
        self._store = store
        self._progress = progress
        self._files = paddle_cpp_files(tree)
        self._workspaces: dict[str, Workspace] = {}
        self._about: dict[str, FileFacts] = {}
        self._protos = Protos("")

    def run(self) -> Extraction:
        """The declarations of the tree."""
        self._progress("reading the sources")
        parts = self._parts = Parts(self._store.latest(f"parts.{self._build}"))
        self._tree.folders.update(parts.folders)
        blobs = self._tree.blobs(ROOTS)
        sources = sorted(path for path in blobs if is_source(path))
        unread = self._read(sources, blobs)
        lost = [*unread, *self._links()]
        text = next((raw for path in protos.PATHS if (raw := self._files.raw(path)) is not None), "")
        self._protos = Protos(text)
        base = BUILDS["cpu" if self._build == ALL else self._build]
        workspace = self._workspace(base)
        missing = {each["name"] for each in unread}
        known = parts.facts
        parts.facts = {
            blobs[path]: known.get(blobs[path]) or tuple(self._about[path]) for path in sources if path not in missing
        }
        context = f"{_digest(text)} {workspace.macro_context()}"
        self._check = Checker(parts, self._tree, blobs, workspace, context)
        boilerplate, problems = self._part(_BOILERPLATE, (), lambda: self._boilerplate(workspace))
        lost += problems
        gathered = _Gathered(tuple(BUILDS) if self._build == ALL else (self._build,))
        compiled, problems = self._part(_CMAKE, (), lambda: self._compiled(workspace, base))
        lost += problems
        candidates = workspace.registering_files()
        for count, path in enumerate(candidates):
            if not count % _OFTEN:
                self._progress(f"evaluating the op makers: {count} of {len(candidates)} files")
            where = compiled.get(path, ())
            if self._build != ALL and not where:
                continue
            for each in self._part(path, where, lambda: self._evaluate(path, where)):  # noqa: B023 - called here
                gathered.add(each["declared"], each["builds"], is_special=each["is_special"])
        self._progress("reading the YAML files")
        yaml: YamlFound = self._part(_YAML, (), self._yaml)
        translators: dict[str, Translator] | None = self._part(
            _TRANSLATORS, (), lambda: read_translators(self._files, base.defined)
        )
        in_cpp = gathered.names()
        gathered.add(yaml["declared"], gathered.everywhere)
        ops = gathered.merged() if translators is None else with_translators(gathered.merged(), translators)
        parts.drop_stale()
        if parts.has_changed:
            parts.folders = self._tree.opened()
            self._store.save(self._store.name(f"parts.{self._build}", *sorted(blobs.values())), parts.plain())
        self._progress("")
        return Extraction(
            ops=ops,
            boilerplate=boilerplate,
            histories=gathered.histories(),
            has_versions=yaml["has_versions"],
            without=gathered.without(),
            remarks=(*lost, *gathered.remarks(), *self._of_yaml(yaml, in_cpp)),
            aliases=yaml["aliases"],
            translators=None if translators is None else {op: place for op, (_, place) in translators.items()},
            flags=tuple(flag for flag, message in LATE.items() if self._protos.has_field(message, flag)),
        )

    def _of_yaml(self, yaml: YamlFound, in_cpp: set[str]) -> Iterator[RemarkRecord]:
        """Yield the remarks on YAML files, those on ops that C++ registers left out."""
        yield from (*yaml["dropped"], *yaml["misspelt"])
        for fault, registered in yaml["faults"]:
            if not registered or self._is_missing(registered, in_cpp):
                yield fault
        name = yaml["fingerprint"]
        if name is not None and name not in KNOWN:
            yield remark("yaml_generator_unknown", name, None, (yaml["cmake"], 1, None), digest=name)

    def _part(self, name: str, where: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """Return a part as it was before, where it holds, or else as it is made now."""
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

    def _boilerplate(self, workspace: Workspace) -> tuple[list[LocatedAttr], list[RemarkRecord]]:
        """Return the attrs of every op, and what keeps them from being told."""
        from opspec_lint.frameworks.paddle.extract.fluid import boilerplate

        try:
            return attempt(lambda: boilerplate.framework_attrs(workspace)), []
        except UnresolvedError as error:
            return [], [unresolved("*", error, "", 1, "")]

    def _read(self, sources: list[str], blobs: Mapping[str, str]) -> list[RemarkRecord]:
        """Read what is needed of the sources: all of those that were not seen before; return what cannot be read."""
        known = self._parts.facts
        unseen = [path for path in sources if blobs[path] not in known]
        more = [] if self._parts.parts else [path for path in blobs if path.endswith("CMakeLists.txt")]
        self._files.load([*unseen, *more, *protos.PATHS])
        lost: list[RemarkRecord] = []
        for path in sources:
            seen = known.get(blobs[path])
            raw = self._files.raw(path) if seen is None else ""
            self._about[path] = index_file(raw or "") if seen is None else FileFacts(seen)
            if raw is None:
                reason = f"the file is larger than {MAX_SOURCE >> 20} MiB, and was not read"
                lost.append(unresolved(path, UnresolvedError(reason), path, 1, blobs[path]))
        return lost

    def _links(self) -> list[RemarkRecord]:
        """Return the symbolic links that a build might follow to op sources."""
        why = UnresolvedError("it is a symbolic link, and links are not followed")
        return [
            unresolved(path, why, path, 1, target)
            for path, target in sorted(self._tree.links.items())
            if is_source(path) or path.endswith("/CMakeLists.txt") or "." not in path.rpartition("/")[2]
        ]

    def _is_missing(self, names: tuple[str, ...], in_cpp: set[str]) -> bool:
        """Tell whether C++ registers none of some ops in any build; of one build alone that is not known."""
        return self._build == ALL and in_cpp.isdisjoint(names)

    def _workspace(self, build: Build) -> Workspace:
        if build.name not in self._workspaces:
            self._workspaces[build.name] = Workspace(self._files, self._about, build.defined, self._protos)
        return self._workspaces[build.name]

    def _in_builds(self, build: Build, path: str) -> InBuilds:
        """Return what a file declares in a build, and perhaps in others as well, which are to be added."""
        from opspec_lint.frameworks.paddle.extract.fluid.registrations import declarations

        return {"declared": declarations(self._workspace(build), path), "builds": [], "is_special": False}

    def _yaml(self) -> YamlFound:
        from opspec_lint.frameworks.paddle.extract.yaml.tree import yaml_ops

        return yaml_ops(self._files, self._protos)

    def _compiled(self, workspace: Workspace, base: Build) -> tuple[dict[str, tuple[str, ...]], list[RemarkRecord]]:
        """Return the builds that compile each file, and what keeps that from being told.

        Every option of CMake counts as a build if all builds do.
        """
        from opspec_lint.frameworks.paddle.extract.build.cmake import Lists

        builds = list(BUILDS.values()) if self._build == ALL else [base]
        lists = Lists(self._files.raw, workspace.source_names)
        compiled, options, problem = self._follow(lists, builds)
        if self._build == ALL:
            known = {option for build in builds for option in build.variables}
            more = [special(option[len("WITH_") :]) for option in sorted(options - known)]
            of_options, _, in_options = self._follow(lists, more)
            compiled |= of_options
            problem = problem or in_options
        found: dict[str, list[str]] = {}
        for name, paths in compiled.items():
            for path in paths:
                found.setdefault(path, []).append(name)
        problems = [] if problem is None else [unresolved("*", problem, "", 1, "")]
        return {path: tuple(names) for path, names in found.items()}, problems

    def _follow(
        self, lists: Lists, builds: list[Build]
    ) -> tuple[dict[str, set[str]], set[str], UnresolvedError | None]:
        from opspec_lint.frameworks.paddle.extract.build.cmake import CMake

        compiled: dict[str, set[str]] = {}
        options: set[str] = set()
        problem = None
        for build in builds:
            cmake = CMake(lists, build.variables)
            for root in ROOTS:
                cmake.follow(root)
            compiled[build.name] = cmake.compiled
            options |= cmake.options
            problem = problem or cmake.problem
        return compiled, options, problem

    def _evaluate(self, path: str, where: tuple[str, ...]) -> list[InBuilds]:
        """Return what a file declares: in each build that compiles it, and in the CPU's where none does."""
        if self._build != ALL:
            return [{**self._in_builds(BUILDS[self._build], path), "builds": [self._build]}]
        ordinary = [name for name in BUILDS if name in where]
        extraordinary = [name for name in where if name not in BUILDS]
        builds = [BUILDS[name] for name in ordinary] or [special(name.upper()) for name in extraordinary]
        first = builds[0] if builds else BUILDS["cpu"]
        done: list[tuple[Build, InBuilds]] = [(first, self._in_builds(first, path))]
        for build in builds:
            same = next((each for each in done if self._is_same(each[0], build)), None)
            if same is None:
                same = (build, self._in_builds(build, path))
                done.append(same)
            same[1]["builds"].append(build.name)
        outcome = [found for _, found in done]
        source = self._files.source(path)
        features = sorted(name for name in (source.tested() if source else ()) if name.startswith("PADDLE_WITH_"))
        for feature in features:
            build = special(feature[len("PADDLE_WITH_") :])
            known = any(feature in each.defined for each in BUILDS.values())
            if not known and not any(self._is_same(each[0], build, {path}) for each in done):
                found = self._in_builds(build, path)
                outcome.append({**found, "builds": [build.name], "is_special": True})
        return outcome

    def _is_same(self, one: Build, other: Build, paths: set[str] | None = None) -> bool:
        """Tell whether two builds find the same declarations in files: in all that were compiled, or in some."""
        if one.name == other.name:
            return True
        for path in set(self._files.compiled) if paths is None else paths:
            source = self._files.source(path)
            if source is not None and source.differs(one.defined, other.defined, _DECLARES):
                return False
        return True


def _order(build: str) -> int:
    return list(BUILDS).index(build) if build in BUILDS else len(BUILDS)


@cache
def _in_order(builds: tuple[str, ...]) -> tuple[str, ...]:
    """Return builds in their order, each once: most ops have the same."""
    return tuple(sorted(dict.fromkeys(builds), key=_order))


class _Gathered:
    """The ops of all files: each with the builds that have it in this form.

    Args:
        everywhere: all builds that are looked at.
    """

    def __init__(self, everywhere: tuple[str, ...]) -> None:
        self.everywhere = everywhere
        self._ops: dict[str, list[tuple[LocatedOp, list[str]]]] = {}
        self._without: dict[str, None] = {}
        self._remarks: dict[tuple[Any, ...], RemarkRecord] = {}
        self._histories: dict[str, History] = {}

    def add(self, declared: FileDeclarations, builds: Sequence[str], *, is_special: bool = False) -> None:
        """Take in what a file declares in some builds."""
        for name, op in declared["ops"]:
            known = self._ops.setdefault(name, [])
            same = next((others for other, others in known if same_record(other[0], op[0])), None)
            if same is None:
                known.append((op, list(builds)))
            elif not is_special:
                same.extend(builds)
        if is_special:
            return
        self._without |= dict.fromkeys(declared["without"])
        for each in declared["remarks"]:
            self._remark(each)
        for name, history in declared["histories"].items():
            self._histories.setdefault(name, history)

    def _remark(self, this: RemarkRecord) -> None:
        self._remarks.setdefault((this["name"], this["place"], this["digest"], *this["facts"].values()), this)

    def names(self) -> set[str]:
        """Return the names of all ops, those without a proto or that cannot be evaluated included."""
        return {*self._ops, *self._without, *(each["name"] for each in self._remarks.values())}

    def without(self) -> tuple[str, ...]:
        """Return the names of the ops that nothing declares."""
        return tuple(sorted(self._without.keys() - self._ops.keys()))

    def remarks(self) -> Iterable[RemarkRecord]:
        """Return the remarks on what cannot be evaluated, those of `merged` included."""
        return self._remarks.values()

    def histories(self) -> dict[str, History]:
        """Return the history of each op."""
        return dict(sorted(self._histories.items()))

    def merged(self) -> dict[str, LocatedOp]:
        """Return the ops by name; one that not all builds have says which have it."""
        ops: dict[str, LocatedOp] = {}
        for name in sorted(self._ops):
            forms = self._ops[name]
            if len(forms) > 1:
                forms = sorted(forms, key=lambda form: min(map(_order, form[1]), default=10))
            first, names = forms[0]
            own = _in_order(tuple(names))
            ops[name] = first if own == self.everywhere else _in_builds(first, own or (NO_BUILD,))
            taken = set(names)
            for other, names in forms[1:]:
                if taken.intersection(names):
                    self._clash(name, first, other)
                    continue
                taken |= set(names)
                for build in dict.fromkeys(names or (NO_BUILD,)):
                    ops[variant(name, build)] = _in_builds(other, (build,))
        return ops

    def _clash(self, name: str, one: LocatedOp, other: LocatedOp) -> None:
        (here, _, _), (there, line, _) = one[1]["op"], other[1]["op"]
        error = UnresolvedError(f"it is declared differently in {here} and {there}, for the same build")
        self._remark(unresolved(name, error, there, line or 1, ""))


def _in_builds(op: LocatedOp, builds: tuple[str, ...]) -> LocatedOp:
    record, places = op
    return {**record, "builds": builds}, places
