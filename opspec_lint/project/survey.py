"""Survey of a repository: its spec files, its source trees of frameworks, and its saved models."""

from __future__ import annotations

import os
import posixpath
import re

from opspec_lint.documents.file_context import of_tree
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import is_encodable, plural
from opspec_lint.project.spec_files import FOLDER, SUFFIXES, SpecSet
from opspec_lint.sources import recognise, references
from opspec_lint.sources.companion import companion_of
from opspec_lint.sources.source import SOURCES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.documents.decode import Document
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.models.format import ModelFormat
    from opspec_lint.sources.reading import Reading

_CANDIDATES = (*SUFFIXES, ".fbs", ".pb", ".pbtxt")
"""How a file that may be a spec ends; under specs/ any file may be one."""
_YAML = (".yaml", ".yml")
_YAML_BEGIN = 4096
"""Bytes of a YAML file in which a spec says that it is one: repositories are full of other YAML."""
_FOREIGN = pattern(r"(?:^|/)(?:\.[^/]*|tests?|testdata|third_party|node_modules|vendor)/")
"""Folders whose specs are not those of the project."""
_MAX_FILES = 5000
_MAX_FILE = 64 << 20
_MAX_BYTES = 256 << 20


class SurveyedSpec(Record):
    """A spec: the path of its file from the top of the repository or its source, and what it holds."""

    name: str
    framework: str | None
    ops: int

    def __str__(self) -> str:
        return f"{self.name} ({plural(self.ops, 'op')}{f' of {self.framework}' if self.framework else ''})"


class Survey(Record):
    """The contracts of a repository: its spec files, and the sources of its trees.

    `patterns` name the spec files, and are empty if the default does and there are no sources. `models` are the saved
    models by their frameworks. `remarks` are for people.
    """

    specs: tuple[SurveyedSpec, ...] = ()
    patterns: tuple[str, ...] = ()
    sources: tuple[SurveyedSpec, ...] = ()
    models: Mapping[str, tuple[str, ...]] = {}
    remarks: tuple[str, ...] = ()


def look(tree: Snapshot, reading: Reading) -> Survey:
    """Look at a work tree: under specs/, for source trees of frameworks, and if there are none, at all other files.

    Saved models are looked for in any case.

    Args:
        tree: the work tree.
        reading: how a source is to be read.

    Raises:
        InputError: git cannot list the files.
    """
    paths = [path for path in tree.files() if not path.endswith(".schema.json")]
    return _contracts(tree, paths, reading).replace(models=_models(tree, paths))


def _contracts(tree: Snapshot, paths: Sequence[str], reading: Reading) -> Survey:
    named = [path for path in paths if path.startswith(f"{FOLDER}/")]
    search = _Search(tree)
    trees = tuple(_source_trees(tree, paths, reading, search))
    contained = files_of_trees([surveyed.name for surveyed in trees], paths)
    found = tuple(search.specs(list(dict.fromkeys([*named, *contained]))))
    if found or trees:
        return _of_files(found, paths, search, trees)
    others = [path for path in paths if path.endswith(_CANDIDATES) and not path.startswith(f"{FOLDER}/")]
    own = [path for path in others if not _FOREIGN.search(path)]
    if len(own) > _MAX_FILES:
        search.remarks.append(f"looked at {_MAX_FILES} of {len(own)} files that may be specs")
    return _of_files(tuple(search.specs(own[:_MAX_FILES])), paths, search)


class _Search:
    """A search for specs among files, in bounded time; `remarks` gathers what it has to say, `others` op versions."""

    def __init__(self, tree: Snapshot) -> None:
        self.tree = tree
        self.remarks: list[str] = []
        self.others: set[str] = set()
        self._left = _MAX_BYTES

    def specs(self, paths: Sequence[str]) -> Iterator[SurveyedSpec]:
        """Yield those of some files that are a spec."""
        for path in paths:
            if self._left <= 0:
                self.remarks.append(f"looked at no more than {_MAX_BYTES >> 20} MiB of files that may be specs")
                return
            found = self._spec(path)
            if found is not None:
                yield found

    def _spec(self, path: str) -> SurveyedSpec | None:
        is_expected = path.startswith(f"{FOLDER}/") and path.endswith(SUFFIXES)
        try:
            decoded = self._decoded(path, is_expected=is_expected)
            if decoded is None:
                return None
            if companion_of(decoded.value):
                self.others.add(path)
                return None
            if not recognise.recognise(decoded).is_kept:
                return None
            spec = recognise.spec_of(decoded)
            ops = len(spec.ops)
        except InputError as error:
            if is_expected:
                self.remarks.append(f"{error.message}, so it is skipped")
            return None
        return SurveyedSpec(name=path, framework=spec.provenance.framework, ops=ops) if ops else None

    def _decoded(self, path: str, *, is_expected: bool) -> Document | None:
        if not is_encodable(path):
            if is_expected:
                self.remarks.append(f"{path}: its name is not UTF-8, so it is skipped")
            return None
        full = os.path.join(self.tree.repository.top, path)
        if not os.path.isfile(full) or os.path.getsize(full) > _MAX_FILE:
            return None
        data = self.tree.read(path)
        if data is None:
            return None
        self._left -= len(data)
        if not is_expected and path.endswith(_YAML) and b"opspec" not in data[:_YAML_BEGIN]:
            return None
        return recognise.document_of(data, path, None, lambda: of_tree(path, self.tree.read, str))


def _models(tree: Snapshot, paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the saved models whose names say what they are, by their frameworks."""
    from opspec_lint.models.format import MODEL_FORMATS

    found: dict[str, tuple[str, ...]] = {}
    formats = [MODEL_FORMATS.load(name) for name in MODEL_FORMATS.names()]
    for model_format in formats:
        own = [path for path in paths if path.endswith(model_format.endings) and not _FOREIGN.search(path)]
        files = [path for path in own[:_MAX_FILES] if _is_model(tree, path, model_format)]
        if files:
            found[model_format.framework] = (*found.get(model_format.framework, ()), *files)
    return found


def _is_model(tree: Snapshot, path: str, model_format: ModelFormat) -> bool:
    """Tell whether a file is a model of a format, or a pointer of git-lfs that stands for one."""
    from opspec_lint.kit import lfs_pointer
    from opspec_lint.models.format import Candidate

    candidate = Candidate(os.path.join(tree.repository.top, path))
    return candidate.is_file and (candidate.head.startswith(lfs_pointer.START) or model_format.claims(candidate))


def _of_files(
    found: tuple[SurveyedSpec, ...], paths: Sequence[str], search: _Search, trees: tuple[SurveyedSpec, ...] = ()
) -> Survey:
    names = {each.name for each in found}
    default = SpecSet(patterns=(), has_default=True)
    meant = {path for path in paths if path in default and default.is_surely_one(path)} - search.others
    patterns = () if names == meant and not trees else tuple(_patterns(sorted(names), paths))
    return Survey(specs=found, patterns=patterns, sources=trees, remarks=tuple(search.remarks))


def _patterns(names: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """Yield what names some files, and no others: a pattern for those that are alike, else the path."""
    covered: set[str] = set()
    for name in names:
        if name in covered:
            continue
        pattern = f"{posixpath.join(posixpath.dirname(name), '*')}{posixpath.splitext(name)[1]}"
        alike = SpecSet(patterns=(pattern,))
        matched = {path for path in paths if path in alike}
        if len(matched) > 1 and matched.issubset(names):
            covered |= matched
            yield pattern
        else:
            yield name


def _source_trees(tree: Snapshot, paths: Sequence[str], reading: Reading, search: _Search) -> list[SurveyedSpec]:
    """Return the source trees that lie highest, one for each kind of ops that they declare."""
    names = recognised_sources(tree, paths)
    return [surveyed for source in names if (surveyed := _tree_of(source, tree, reading, search)) is not None]


def recognised_sources(tree: Snapshot, paths: Sequence[str]) -> list[str]:
    """Return the sources whose trees a repository has, from its top, in a constant order; they may declare no ops.

    Args:
        tree: the files of the repository.
        paths: the paths of these files.
    """
    own = [path for path in paths if is_encodable(path)]
    sources = []
    for scheme in sorted(SOURCES.names(), key=lambda name: (name.count("-"), name)):
        source = SOURCES.load(scheme)
        if source.mark is None:
            continue
        is_mark = re.compile(source.mark)
        marked = [path for path in own if is_mark.match(path)]
        if source.mark_text is not None and marked:
            marked = sorted(set(marked).intersection(tree.repository.matching(source.mark_text, tree.revision)))
        top = _top(is_mark, marked)
        if top is not None:
            sources.append(f"{scheme}:{top.rstrip('/') or '.'}")
    return sources


def files_of_trees(sources: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return the spec files that source trees contain besides what their source reads, such as a schema.

    Args:
        sources: the sources of the trees.
        paths: the paths of all files.
    """
    schemes = dict.fromkeys(source.partition(":")[0] for source in sources)
    marks = [re.compile(mark) for scheme in schemes if (mark := SOURCES.load(scheme).contracts) is not None]
    files = [path for path in paths if any(mark.match(path) for mark in marks)] if marks else []
    return [path for path in files if not _FOREIGN.search(path)]


def source_tree(paths: Sequence[str]) -> str | None:
    """Return the source of a tree that has some files, as far as their paths tell; None if they are of none."""
    for scheme in sorted(SOURCES.names(), key=lambda name: (name.count("-"), name)):
        source = SOURCES.load(scheme)
        top = None if source.mark is None or source.mark_text else _top(re.compile(source.mark), paths)
        if top is not None:
            return f"{scheme}:{top.rstrip('/') or '.'}"
    return None


def _top(mark: re.Pattern[str], paths: Sequence[str]) -> str | None:
    """Return the root that lies highest of the trees that a mark is of, from the top, with a slash at its end."""
    tops = {found[1] for path in paths if (found := mark.match(path)) is not None}
    return min(
        (top for top in tops if not _FOREIGN.search(top)), key=lambda each: (each.count("/"), each), default=None
    )


def _tree_of(source: str, tree: Snapshot, reading: Reading, search: _Search) -> SurveyedSpec | None:
    """Return a source tree, None where it declares no ops."""
    try:
        there = references.source_at_revision(source, tree.revision, tree.repository.top)
        spec = references.resolve(there, reading).spec
    except InputError as error:
        search.remarks.append(f"{error.message}; {error.advice}" if error.advice else error.message)
        return None
    if not spec.ops:
        return None
    return SurveyedSpec(name=source, framework=spec.provenance.framework, ops=len(spec.ops))
