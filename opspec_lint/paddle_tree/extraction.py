"""Reads all that a tree declares of its ops, in one build or in all, as plain data."""

from __future__ import annotations

import re

from opspec_lint.paddle_tree import boilerplate, protos
from opspec_lint.paddle_tree.builds import ALL, BUILDS, ROOTS, special
from opspec_lint.paddle_tree.cmake import CMake
from opspec_lint.paddle_tree.faults import UnresolvedError
from opspec_lint.paddle_tree.files import Files
from opspec_lint.paddle_tree.protos import Protos
from opspec_lint.paddle_tree.units import attr_record, unit
from opspec_lint.paddle_tree.workspace import Workspace, facts
from opspec_lint.paddle_tree.yamlops import yaml_ops

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from opspec_lint.paddle_tree.builds import Build
    from opspec_lint.paddle_tree.tree import Tree
    from opspec_lint.paddle_tree.units import OpRecord, Unit, Unresolved
    from opspec_lint.paddle_tree.workspace import Facts

_TEST = re.compile(r"_test\.(?:cc|h)$|_tester\.|(?:^|/)tests?/")
_SOURCE = (".cc", ".h")
_DECLARES = re.compile(r"REGISTER_|Add(?:Input|Output|Attr|Checkpoint)|SetDefault|\.As[A-Z]|Maker|\bconst|\bdefine")
_EVERYWHERE = tuple(BUILDS)


class Extraction:
    """What a tree declares: all of it plain data.

    `ops` maps a name to its record and the builds that have it. An op that builds declare differently is there once
    more for each of them, as `NAME [BUILD]`. `histories` maps an op to the record of its history. `dropped` has the
    entries of op_version.yaml that match no op, `misspelt` the keys of op_compat.yaml that nothing reads.
    """

    def __init__(self) -> None:
        self.ops: dict[str, tuple[OpRecord, tuple[str, ...]]] = {}
        self.boilerplate: tuple[tuple[Any, ...], ...] = ()
        self.histories: dict[str, tuple[Any, ...]] = {}
        self.has_versions = False
        self.without: list[str] = []
        self.unresolved: list[Unresolved] = []
        self.dropped: list[tuple[str, str, int]] = []
        self.misspelt: list[tuple[str, str, str, int]] = []
        self.fingerprint: str | None = None
        self.fields: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return all of it as one mapping."""
        return dict(vars(self))


def is_source(path: str) -> bool:
    """Tell whether a file may declare ops: C++ that is no test."""
    return path.endswith(_SOURCE) and not _TEST.search(path)


def extract(tree: Tree, build: str, progress: Callable[[str], None] = lambda _: None) -> Extraction:
    """Return what a tree declares.

    Args:
        tree: the tree.
        build: the name of a build, or `ALL`.
        progress: is told what is being done.
    """
    return _Extractor(tree, build, progress).run()


class _Extractor:
    def __init__(self, tree: Tree, build: str, progress: Callable[[str], None]) -> None:
        self._tree = tree
        self._build = build
        self._progress = progress
        self._files = Files(tree)
        self._found = Extraction()
        self._workspaces: dict[str, Workspace] = {}
        self._about: dict[str, Facts] = {}
        self._protos = Protos("")

    def run(self) -> Extraction:
        found = self._found
        self._progress("reading the sources")
        blobs = self._tree.blobs(ROOTS)
        sources = sorted(path for path in blobs if is_source(path))
        cmake_files = [path for path in blobs if path.endswith(("CMakeLists.txt", ".cmake"))]
        headers = [f"{path[:-3]}.h" for path in boilerplate.PATHS]
        self._files.load([*sources, *cmake_files, *protos.PATHS, *boilerplate.PATHS, *headers])
        self._about = {path: facts(self._files.raw(path) or "") for path in sources}
        text = next((raw for path in protos.PATHS if (raw := self._files.raw(path)) is not None), "")
        self._protos = Protos(text)
        found.fields = tuple(field for field in ("extra", "quant") if self._protos.has_field("Var", field))
        base = BUILDS["cpu" if self._build == ALL else self._build]
        workspace = self._workspace(base)
        try:
            found.boilerplate = tuple(map(attr_record, boilerplate.boilerplate(workspace)))
        except UnresolvedError as error:
            found.unresolved.append(("*", error.file or "", error.line or 1, error.reason, ""))
        self._progress("evaluating the op makers")
        gathered = _Gathered()
        compiled = self._compiled(sources, base)
        for path in workspace.candidates():
            if self._build == ALL:
                self._all_builds(path, compiled, gathered)
            elif path in compiled[base.name]:
                gathered.add(self._unit(base, path), (base.name,))
        self._progress("reading the YAML files")
        yaml_ops(self._files, self._protos, gathered, found, _EVERYWHERE if self._build == ALL else (base.name,))
        gathered.settle(found)
        return found

    def _workspace(self, build: Build) -> Workspace:
        if build.name not in self._workspaces:
            self._workspaces[build.name] = Workspace(self._files, self._about, build.defined, self._protos)
        return self._workspaces[build.name]

    def _unit(self, build: Build, path: str) -> Unit:
        return unit(self._workspace(build), path)

    def _compiled(self, sources: list[str], base: Build) -> dict[str, set[str]]:
        """Return the files that each build compiles, those of every option of CMake among the builds if all count."""
        builds = list(BUILDS.values()) if self._build == ALL else [base]
        compiled, options = self._follow(sources, builds)
        if self._build == ALL:
            known = {option for build in builds for option in build.variables}
            more = [special(option[len("WITH_") :]) for option in sorted(options - known)]
            compiled |= self._follow(sources, more)[0]
        return compiled

    def _follow(self, sources: list[str], builds: list[Build]) -> tuple[dict[str, set[str]], set[str]]:
        compiled: dict[str, set[str]] = {}
        options: set[str] = set()
        for build in builds:
            cmake = CMake(self._files.raw, sources, build.variables)
            for root in ROOTS:
                cmake.follow(root)
            compiled[build.name] = cmake.compiled
            options |= cmake.options
        return compiled, options

    def _all_builds(self, path: str, compiled: Mapping[str, set[str]], gathered: _Gathered) -> None:
        """Evaluate a file in each build that compiles it; in the CPU's where none does, which belongs to no build."""
        ordinary = [name for name in BUILDS if path in compiled[name]]
        extraordinary = [name for name in compiled if name not in BUILDS and path in compiled[name]]
        self._files.looked_at = set()
        first = BUILDS[ordinary[0]] if ordinary else BUILDS["cpu"]
        if not ordinary and extraordinary:
            first = special(extraordinary[0].upper())
        done: list[tuple[Build, Unit, list[str]]] = [(first, self._unit(first, path), [])]
        looked_at = self._files.looked_at
        others = [BUILDS[name] for name in ordinary] if ordinary else [special(n.upper()) for n in extraordinary]
        for build in others:
            same = next((each for each in done if self._is_same(looked_at, each[0], build)), None)
            if same is None:
                same = (build, self._unit(build, path), [])
                done.append(same)
            same[2].append(build.name)
        for _, result, names in done:
            gathered.add(result, tuple(names))
        source = self._files.source(path)
        features = sorted(name for name in (source.tested() if source else ()) if name.startswith("PADDLE_WITH_"))
        for feature in features:
            build = special(feature[len("PADDLE_WITH_") :])
            known = any(feature in each.defined for each in BUILDS.values())
            if not known and not any(self._is_same({path}, each[0], build) for each in done):
                gathered.add_more(self._unit(build, path), build.name)

    def _is_same(self, paths: set[str], one: Build, other: Build) -> bool:
        """Tell whether two builds find the same declarations in files."""
        if one.name == other.name:
            return True
        for path in paths:
            source = self._files.source(path)
            if source is not None and not source.is_same(one.defined, other.defined):
                texts = source.difference(one.defined, other.defined)
                if any(_DECLARES.search(text) for text in texts):
                    return False
        return True


class _Gathered:
    """The ops of all files: each with the builds that have it in this form."""

    def __init__(self) -> None:
        self._ops: dict[str, list[tuple[OpRecord, list[str]]]] = {}
        self._without: dict[str, None] = {}
        self._unresolved: dict[Unresolved, None] = {}
        self._histories: dict[str, tuple[Any, ...]] = {}

    def add(self, this: Unit, builds: tuple[str, ...]) -> None:
        """Take in what a file registers in some builds."""
        ops, without, unresolved, histories = this
        for name, record in ops:
            self.add_op(name, record, builds)
        self._without |= dict.fromkeys(without)
        self._unresolved |= dict.fromkeys(unresolved)
        for history in histories:
            self._histories.setdefault(history[0], history)

    def add_more(self, this: Unit, build: str) -> None:
        """Take in what a file registers in a build that is not released, if it is another than in those that are."""
        for name, record in this[0]:
            if all(_declared(record) != _declared(other) for other, _ in self._ops.get(name, ())):
                self.add_op(name, record, (build,))

    def add_op(self, name: str, record: OpRecord, builds: tuple[str, ...]) -> None:
        """Take in an op."""
        for other, names in self._ops.setdefault(name, []):
            if _declared(other) == _declared(record):
                names += builds
                return
        self._ops[name].append((record, list(builds)))

    def add_unresolved(self, this: Unresolved) -> None:
        """Take in what cannot be evaluated."""
        self._unresolved[this] = None

    def add_history(self, history: tuple[Any, ...]) -> None:
        """Take in the history of an op."""
        self._histories.setdefault(history[0], history)

    def names(self) -> set[str]:
        """Return the names of the ops, and of those that are unresolved."""
        return {*self._ops, *(name for name, *_ in self._unresolved)}

    def settle(self, found: Extraction) -> None:
        """Hand over everything."""
        order = {name: index for index, name in enumerate(BUILDS)}
        for name in sorted(self._ops):
            forms = sorted(self._ops[name], key=lambda form: min((order.get(each, 9) for each in form[1]), default=10))
            record, builds = forms[0]
            found.ops[name] = (record, tuple(dict.fromkeys(builds)))
            taken = set(builds)
            for other, names in forms[1:]:
                clash = taken.intersection(names)
                if clash:
                    reason = f"it is declared differently in {record[0]} and {other[0]}, for the same build"
                    self.add_unresolved((name, other[0], other[1], reason, ""))
                    continue
                taken |= set(names)
                for build in dict.fromkeys(names or ("none",)):
                    found.ops[f"{name} [{build}]"] = (other, (build,))
        found.without = sorted(set(self._without) - set(self._ops))
        found.unresolved += self._unresolved
        found.histories = dict(sorted(self._histories.items()))


def _declared(record: OpRecord) -> tuple[Any, ...]:
    """Return what a record declares, wherever it stands."""
    return (
        tuple(argument[:2] for argument in record[3]),
        tuple(argument[:2] for argument in record[4]),
        tuple(repr(attr[:6]) for attr in record[5]),
    )
