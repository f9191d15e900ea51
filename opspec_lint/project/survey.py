"""Survey of a repository for `init`: its spec files, its source trees of frameworks, and its saved models.

A `Survey` is what `init` prints and writes a configuration for. It is bounded: of large repositories, the first files
are read.
"""

from __future__ import annotations

import os
import posixpath

from opspec_lint.documents.file_context import context_in_tree
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import is_encodable, plural
from opspec_lint.project.recognition import FOREIGN, files_of_trees, recognised_sources, source_tree
from opspec_lint.project.spec_files import FOLDER, SUFFIXES, SpecSet
from opspec_lint.sources import recognise, references
from opspec_lint.sources.companion import companion_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.documents.decode import Document
    from opspec_lint.git.snapshot import Snapshot
    from opspec_lint.models.format import ModelFormat
    from opspec_lint.sources.reading import Reading

_CANDIDATES = (*SUFFIXES, ".fbs", ".pb", ".pbtxt")
"""Extensions of files that may be specs; under specs/ any file may be one."""
_YAML = (".yaml", ".yml")
_YAML_BEGIN = 4096
"""Bytes of a YAML file in which a spec must have the key `opspec`: repositories are full of other YAML."""
# Limits on the work of `init` in repositories of any size; what is skipped is reported.
_MAX_FILES = 5000
_MAX_FILE = 64 << 20
_MAX_BYTES = 256 << 20


class SurveyedSpec(Record):
    """A spec that was found: its path or source, its framework and its number of ops."""

    name: str
    framework: str | None
    ops: int

    def __str__(self) -> str:
        return f"{self.name} ({plural(self.ops, 'op')}{f' of {self.framework}' if self.framework else ''})"


class Survey(Record):
    """The contracts of a repository: its spec files, and the sources of its trees.

    `patterns` name the spec files, and are empty if the default suffices and there are no sources. `models` are the
    saved models by framework. `unreadable` are the errors of source trees that cannot be read, such as one of a sparse
    checkout. `remarks` are for the user.
    """

    specs: tuple[SurveyedSpec, ...] = ()
    patterns: tuple[str, ...] = ()
    sources: tuple[SurveyedSpec, ...] = ()
    models: Mapping[str, tuple[str, ...]] = {}
    unreadable: tuple[InputError, ...] = ()
    remarks: tuple[str, ...] = ()


def survey_repository(tree: Snapshot, reading: Reading) -> Survey:
    """Survey a work tree: specs/ and source trees, or all other files if there are neither; also saved models.

    Raises InputError if git cannot list the files.
    """
    paths = [path for path in tree.files() if not path.endswith(".schema.json")]
    return _contracts(tree, paths, reading).replace(models=_models(tree, paths))


def _contracts(tree: Snapshot, paths: Sequence[str], reading: Reading) -> Survey:
    """Return the specs under specs/ and the source trees of a repository, or else all other files that are specs."""
    named = [path for path in paths if path.startswith(f"{FOLDER}/")]
    search = _Search(tree)
    trees = tuple(_source_trees(tree, paths, reading, search))
    contained = files_of_trees([surveyed.name for surveyed in trees], paths)
    specs = tuple(search.specs(list(dict.fromkeys([*named, *contained]))))
    if specs or trees:
        return _survey_from_specs(specs, paths, search, trees)
    others = [path for path in paths if path.endswith(_CANDIDATES) and not path.startswith(f"{FOLDER}/")]
    own = [path for path in others if not FOREIGN.search(path)]
    if len(own) > _MAX_FILES:
        search.remarks.append(f"looked at {_MAX_FILES} of {len(own)} files that may be specs")
    return _survey_from_specs(tuple(search.specs(own[:_MAX_FILES])), paths, search)


def ignored_contract(tree: Snapshot) -> str:
    """Return the first spec file under specs/, or else the source tree, among the files that git ignores; "" for none.

    Raises InputError if git cannot list the files.
    """
    paths = [path for path in tree.repository.ignored_files() if is_encodable(path)]
    named = (path for path in paths if path.startswith(f"{FOLDER}/") and path.endswith(SUFFIXES))
    return next(named, None) or source_tree(paths) or ""


class _Search:
    """A search for specs among files, of bounded size.

    Gathers `remarks`, the errors of `unreadable` source trees, and the files of op versions in `others`.
    """

    def __init__(self, tree: Snapshot) -> None:
        self.tree = tree
        self.remarks: list[str] = []
        self.unreadable: list[InputError] = []
        self.others: set[str] = set()
        self._left = _MAX_BYTES

    def specs(self, paths: Sequence[str]) -> Iterator[SurveyedSpec]:
        """Yield the files that are specs."""
        for path in paths:
            if self._left <= 0:
                self.remarks.append(f"looked at no more than {_MAX_BYTES >> 20} MiB of files that may be specs")
                return
            spec = self._read_spec(path)
            if spec is not None:
                yield spec

    def _read_spec(self, path: str) -> SurveyedSpec | None:
        """Return the spec in a file with its number of ops, None if it is no spec; a faulty one gets a remark."""
        is_expected = path.startswith(f"{FOLDER}/") and path.endswith(SUFFIXES)
        try:
            decoded = self._decode(path, is_expected=is_expected)
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

    def _decode(self, path: str, *, is_expected: bool) -> Document | None:
        """Return the decoded file, None if it is too large, cannot be read, or is certainly no spec."""
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
        # Decoding YAML is slow, and most YAML files are no specs.
        if not is_expected and path.endswith(_YAML) and b"opspec" not in data[:_YAML_BEGIN]:
            return None
        return recognise.document_of(data, path, None, lambda: context_in_tree(path, self.tree.read, str))


def _models(tree: Snapshot, paths: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the saved models that have the extension of their format, by framework."""
    from opspec_lint.models.format import MODEL_FORMATS

    models: dict[str, tuple[str, ...]] = {}
    formats = [MODEL_FORMATS.load(name) for name in MODEL_FORMATS.names()]
    for model_format in formats:
        own = [path for path in paths if path.endswith(model_format.endings) and not FOREIGN.search(path)]
        files = [path for path in own[:_MAX_FILES] if _is_model(tree, path, model_format)]
        if files:
            models[model_format.framework] = (*models.get(model_format.framework, ()), *files)
    return models


def _is_model(tree: Snapshot, path: str, model_format: ModelFormat) -> bool:
    """Return whether a file is a model of a format, or the git-lfs pointer of one."""
    from opspec_lint.kit import lfs_pointer
    from opspec_lint.models.format import Candidate

    candidate = Candidate(os.path.join(tree.repository.top, path))
    return candidate.is_file and (candidate.head.startswith(lfs_pointer.START) or model_format.claims(candidate))


def _survey_from_specs(
    specs: tuple[SurveyedSpec, ...], paths: Sequence[str], search: _Search, trees: tuple[SurveyedSpec, ...] = ()
) -> Survey:
    """Return the survey of some specs, with the patterns that a configuration needs to name them."""
    names = {spec.name for spec in specs}
    default = SpecSet(patterns=(), has_default=True)
    meant = {path for path in paths if path in default and default.must_be_spec(path)} - search.others
    patterns = () if names == meant and not trees else tuple(_patterns(sorted(names), paths))
    return Survey(
        specs=specs,
        patterns=patterns,
        sources=trees,
        unreadable=tuple(search.unreadable),
        remarks=tuple(search.remarks),
    )


def _patterns(names: Sequence[str], paths: Sequence[str]) -> Iterator[str]:
    """Yield patterns or paths that name exactly the given files: a pattern if it matches no other file."""
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
    """Return the topmost source tree of each kind that declares ops."""
    names = recognised_sources(tree, paths)
    return [surveyed for source in names if (surveyed := _survey_tree(source, tree, reading, search)) is not None]


def _survey_tree(source: str, tree: Snapshot, reading: Reading, search: _Search) -> SurveyedSpec | None:
    """Return a source tree as a spec, None if it declares no ops."""
    try:
        reference = references.source_at_revision(source, tree.revision, tree.repository.top)
        spec = references.resolve(reference, reading).spec
    except InputError as error:
        search.unreadable.append(error)
        return None
    if not spec.ops:
        return None
    return SurveyedSpec(name=source, framework=spec.provenance.framework, ops=len(spec.ops))
