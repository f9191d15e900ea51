"""The files of TensorFlow's tree that have to agree with its ops: op lists, their histories, and api_def files.

Each content, and each entry of a list, is parsed once: the next tree gets the results.
"""

from __future__ import annotations

from functools import partial

from opspec_lint.frameworks.tensorflow.extract.source import api_defs, op_list_file
from opspec_lint.frameworks.tensorflow.extract.source.op_records import PLACE
from opspec_lint.kit.text import source_text
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.api_defs import ApiDef, Fault
    from opspec_lint.frameworks.tensorflow.extract.source.op_list_file import Declared
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.records import RemarkRecord

_ENTRY, _LIST, _API, _FAULTS, _EXCLUDED = "entry", "list", "api_def", "api_def_faults", "excluded"
"""The kinds of facts."""


class WrittenFiles:
    """The op lists and api_def files of one tree.

    `facts` are the results that this tree needs; `has_new_facts` is true if the earlier tree did not have them all.

    Args:
        tree: the files of a revision.
        known: the facts of an earlier tree; keys without a blank are left to other modules.
    """

    def __init__(self, tree: SourceTree, known: Mapping[str, Any]) -> None:
        self._tree = tree
        self._known = known
        self.facts: dict[str, Any] = {}
        self.has_new_facts = False

    def remarks(
        self, ops: Mapping[str, OpRecord], version: str | None, described: Container[str]
    ) -> Iterator[RemarkRecord]:
        """Yield remarks on the files that do not agree with the ops.

        Args:
            ops: the ops of the tree.
            version: the release that the tree states.
            described: the files whose ops need api_def files.
        """
        listing = self._declared(self._identify([op_list_file.PATH]))
        if not listing:
            return
        names = {*listing, *(name for name, op in ops.items() if op_list_file.is_exported(name, op, listing))}
        history = op_list_file.HistoryFiles((version or "").partition(".")[0])
        blobs = self._tree.direct_files((history.folder, *api_defs.FOLDERS))
        of_history = {path: blobs[path] for path in history.of_ops(names) if path in blobs}
        of_history = of_history or self._identify([history.single])
        yield from op_list_file.stale_remarks({"ops.pbtxt": listing, "ops_history": self._declared(of_history)}, ops)
        needing = [name for name in names if name in ops and ops[name][PLACE][0] in described]
        yield from self._api_def_remarks(blobs, ops, needing)

    def _api_def_remarks(
        self, blobs: Mapping[str, str], ops: Mapping[str, OpRecord], needing: list[str]
    ) -> Iterator[RemarkRecord]:
        """Yield remarks on the api_def files among `blobs`; `needing` are the ops that need one."""
        api_def_blobs = {path: blob for path, blob in sorted(blobs.items()) if api_defs.is_api_def(path)}
        files = self._parsed(_API, api_def_blobs, lambda _, text: api_defs.parse_api_def(text))
        sources = self._identify(api_defs.EXCLUDED) if files else {}
        lists = self._parsed(_EXCLUDED, sources, lambda _, text: api_defs.excluded_ops(text))
        excluded = {name for listed in lists.values() for name in listed}

        def faults_of(path: str, opdef: bytes) -> list[Fault]:
            return self._api_def_faults(api_def_blobs[path], files[path], opdef)

        yield from api_defs.disagreements(files, excluded, ops, needing, faults_of)

    def facts_to_keep(self) -> dict[str, Any]:
        """Return the facts for the next tree: all earlier ones if no file of this tree was asked for."""
        return self.facts or {key: fact for key, fact in self._known.items() if " " in key}

    def _identify(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the ids of the contents of those files that exist, by path."""
        return {path: blob for path, blob in self._tree.identify(paths).items() if blob}

    def _api_def_faults(self, blob: str, api_def: ApiDef, opdef: bytes) -> list[Fault]:
        """Return the faults of an api_def, from the earlier tree if its op is the same."""
        key = f"{_FAULTS} {blob}"
        known = self._known.get(key)
        if known is None or known[0] != opdef:
            _, fields = api_def
            known = opdef, list(api_defs.faults(fields, opdef))
            self.has_new_facts = True
        self.facts[key] = known
        faults: list[Fault] = known[1]
        return faults

    def _declared(self, blobs: Mapping[str, str]) -> dict[str, Declared]:
        """Return the last declaration of each op in some lists; a file that is no op list has none."""
        declared: dict[str, Declared] = {}
        for path, entries in self._parsed(_LIST, blobs, self._parse_list).items():
            for name, line, entry in entries:
                declared[name] = (self._fact(_ENTRY, entry), path, line)
        return declared

    def _parse_list(self, path: str, text: str) -> tuple[tuple[str, int, str], ...]:
        """Return name, line, and id of the last entry of each op in a list; none if it is no op list."""
        last = {name: (line, entry) for name, line, entry in op_list_file.entries(text)}
        entries: list[tuple[str, int, str]] = []
        for name, (line, entry) in last.items():
            identity = digest(entry.encode("utf-8", "surrogatepass"))
            if self._fact(_ENTRY, identity, partial(op_list_file.parse_entry, entry, path)) is None:
                return ()
            entries.append((name, line, identity))
        return tuple(entries)

    def _parsed(self, kind: str, blobs: Mapping[str, str], parse: Callable[[str, str], Any]) -> dict[str, Any]:
        """Return the results of parsing some files by path; new contents are read at once."""
        unknown = [path for path, blob in blobs.items() if f"{kind} {blob}" not in self._known]
        data = self._tree.read(unknown)
        return {
            path: self._fact(kind, blob, lambda path=path: parse(path, source_text(data[path] or b"")))  # type: ignore[misc]
            for path, blob in blobs.items()
        }

    def _fact(self, kind: str, identity: str, make: Callable[[], Any] | None = None) -> Any:
        """Return a fact of this tree or of an earlier one, or else make it."""
        key = f"{kind} {identity}"
        if key not in self.facts:
            if key not in self._known and make is not None:
                self.facts[key] = make()
                self.has_new_facts = True
            else:
                self.facts[key] = self._known[key]
        return self.facts[key]
