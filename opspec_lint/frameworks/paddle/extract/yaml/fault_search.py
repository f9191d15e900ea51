"""The search for faults in all YAML files of a tree, once all are read: an entry may name an op of any file."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.yaml.faults import (
    compat_faults,
    duplicate_entries,
    entry_faults,
    missing_ops,
    quoted_identifiers,
    unread_keys,
    version_faults,
)
from opspec_lint.frameworks.paddle.extract.yaml.names import OpIndex, declared_arguments, without_underscore
from opspec_lint.frameworks.paddle.extract.yaml.ops import entry_name
from opspec_lint.kit.bounded_cache import BoundedCache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.extract.yaml.faults import EntryFault
    from opspec_lint.frameworks.paddle.extract.yaml.generator import Generator
    from opspec_lint.frameworks.paddle.extract.yaml.names import Arguments
    from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource
    from opspec_lint.spec.records import RemarkRecord

_ENTRY_READERS = ("parse_utils.py", "generate_op.py", "operator_utils.c.j2")
"""The parts of the generator that read the entries of ops, of op_compat.yaml and of op_version.yaml."""
_FAULTLESS = BoundedCache()
"""The entries whose only faults can be missing ops, by their text: the next revision has nearly the same."""


class FaultSearch:
    """The faults of the entries of one tree.

    Args:
        generator: what the tree's build reads, and with which scripts.
        entries: the entries of each file that can be read.
        sources: the text of each such file.
        op_texts: the path and the text of each file that names ops.
    """

    def __init__(
        self,
        generator: Generator,
        entries: Mapping[str, list[YamlEntry]],
        sources: Mapping[str, YamlSource],
        op_texts: Iterable[tuple[str, str]],
    ) -> None:
        self._generator = generator
        self._entries = entries
        self._sources = sources
        steps = generator.steps
        quoted = {path.rpartition("/")[2]: quoted_identifiers(text) for path, text in generator.parts.items()}
        self._op_keys, self._compat_keys, self._version_keys = (
            quoted.get(name, frozenset()) for name in _ENTRY_READERS
        )
        # Calls for sparse ops use neither op_compat.yaml nor op_version.yaml.
        self._compat_files = tuple(dict.fromkeys(step.compat for step in steps if step.compat and not step.sparse))
        self._version_files = tuple(dict.fromkeys(step.versions for step in steps if step.versions and not step.sparse))
        sparse = {path for step in steps if step.sparse for path in (step.ops, step.backward)}
        self._ops = OpIndex(("sparse_" if path in sparse else "", text) for path, text in op_texts)

    def unread_keys(self) -> Iterator[RemarkRecord]:
        """Yield remarks on keys of op_compat.yaml that the generator does not read."""
        for entry, source in self._entries_of(self._compat_files):
            yield from unread_keys(entry, source, self._compat_keys)

    def faults(self) -> Iterator[EntryFault]:
        """Yield the faults of ops, of op_compat.yaml and of op_version.yaml, and entries that occur twice."""
        yield from self._op_faults()
        arguments = self._declared_arguments()
        for entry, source in self._entries_of(self._compat_files):
            yield from compat_faults(entry, source, self._ops, arguments)
        for entry, source in self._entries_of(self._version_files):
            yield from version_faults(entry, source, self._version_keys)
        for path in (*self._generator.entries, *self._compat_files, *self._version_files):
            if path in self._sources:
                yield from duplicate_entries(self._entries[path], self._sources[path])

    def _entries_of(self, paths: Iterable[str]) -> Iterator[tuple[YamlEntry, YamlSource]]:
        """Yield the entries of some files, each with the text of its file."""
        for path in paths:
            for entry in self._entries.get(path, ()):
                yield entry, self._sources[path]

    def _op_faults(self) -> Iterator[EntryFault]:
        """Yield the faults of the entries of ops."""
        ops_with_signature = {
            without_underscore(str(name))
            for entry, _ in self._entries_of(self._compat_files)
            for name in entry.get("manual_signature") or ()
        }
        for entry, source in self._entries_of(self._generator.entries):
            key = entry.text, self._op_keys, without_underscore(entry_name(entry)) in ops_with_signature
            if key in _FAULTLESS:
                # Missing ops are no part of what is cached: they depend on all entries of the tree.
                yield from missing_ops(entry, source, self._ops)
                continue
            faults = list(entry_faults(entry, source, self._ops, self._op_keys, ops_with_signature))
            if not faults or len(faults) == len(list(missing_ops(entry, source, self._ops))):
                _FAULTLESS[key] = True
            yield from faults

    def _declared_arguments(self) -> dict[str, Arguments]:
        """Return the arguments of the ops that are made from entries, by the name of the op; no sparse ops."""
        files_with_makers = {step.ops for step in self._generator.steps if not step.sparse}
        arguments_by_op: dict[str, Arguments] = {}
        for entry, _ in self._entries_of(path for path in self._generator.entries if path in files_with_makers):
            arguments = declared_arguments(entry)
            if arguments is not None:
                arguments_by_op[without_underscore(entry_name(entry))] = arguments
        return arguments_by_op
