"""The comparison of the op lists that TensorFlow's build writes into its tree with the ops of the tree.

A program of the tree (ops/compat/update_ops_main.cc) writes `ops.pbtxt`, and appends ops that changed to the histories,
whose last declaration op_compatibility_test holds against the op. Documentation is left out of the comparison, as it
moved to api_def files in 1.5.
"""

from __future__ import annotations

from itertools import zip_longest

from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import TypeAlias

    from opspec_lint.frameworks.tensorflow.extract.source.places import OpRecord
    from opspec_lint.spec.records import RemarkRecord

    Declared: TypeAlias = tuple[bytes, str, int]
    """The serialized OpDef of an op in a list, without documentation, and the path and line of its entry."""

PATH = "tensorflow/core/ops/ops.pbtxt"
FOLDER = "tensorflow/core/ops/"
_HISTORY = f"{FOLDER}compat/ops_history"
_ENTRY = pattern(r'^op\s*\{\s*name:\s*"([^"\n]*)"', "m")
_LACKS, _DIFFERS, _HAS_TOO_MANY = (
    "no entry of it in {}",
    "another declaration of it in {}",
    "no source registers it, and it is in {}",
)
_MAX_DIGEST = 32


class HistoryFiles:
    """The paths of the histories of a release: a folder with a file for each op since 2.3, one file before.

    `major` is the first number of the release.
    """

    def __init__(self, major: str) -> None:
        self.single = f"{_HISTORY}.v{major}.pbtxt"
        self._folder = f"{_HISTORY}_v{major}/"

    def of_ops(self, names: Iterable[str]) -> list[str]:
        """Return the paths in the folder of the history for ops by name."""
        return [f"{self._folder}{name}.pbtxt" for name in sorted(names)]


def parse_op_list(text: str, path: str = PATH) -> dict[str, Declared]:
    """Return what a list declares of each op, the last declaration where it has several; {} if it is no op list."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    try:
        oplist = op_lists.from_text(text, path)
    except InputError:
        return {}
    lines = {name: line for name, line, _ in _entries(text)}
    return {opdef.name: (_without_documentation(opdef), path, lines.get(opdef.name, 1)) for opdef in oplist.op}


def parse_histories(texts: Mapping[str, str], listing: str, listed: Mapping[str, Declared]) -> dict[str, Declared]:
    """Return the last declaration of each op in files of histories.

    Args:
        texts: the text of each file by its path.
        listing: the text of ops.pbtxt.
        listed: what ops.pbtxt declares. The same program writes both, so an entry with the same text is not parsed.
    """
    known = {entry: name for name, _, entry in _entries(listing)}
    histories: dict[str, Declared] = {}
    for path, text in texts.items():
        last = {name: (line, entry) for name, line, entry in _entries(text)}
        for name, (line, entry) in last.items():
            own = listed.get(known.get(entry, "")) or parse_op_list(entry).get(name)
            if own is not None:
                histories[name] = (own[0], path, line)
    return histories


def stale_remarks(lists: Mapping[str, Mapping[str, Declared]], ops: Mapping[str, OpRecord]) -> Iterator[RemarkRecord]:
    """Yield a remark for each op that a list lacks, has in excess, or declares differently from the sources.

    `lists` are the lists by their names in messages; an empty one is not in the tree.
    """
    present = {file: declared for file, declared in lists.items() if declared}
    for name in sorted(set(ops).union(*present.values())):
        op = ops.get(name)
        if op is not None and op[1] is not None:
            continue  # OpDefBuilder rejects the op, so there is nothing to compare
        own = _cached_declaration(op)
        files_by_reason: dict[str, list[str]] = {}
        for file, declared in present.items():
            reason = _difference(op, own, declared.get(name))
            if reason:
                files_by_reason.setdefault(reason, []).append(file)
        if files_by_reason:
            entries = [declared[name] for declared in present.values() if name in declared]
            place = op[5] if op is not None else (*entries[0][1:], None)
            yield _stale_remark(name, files_by_reason, place, b"".join([own(), *(entry[0] for entry in entries)]))


def is_exported(name: str, op: OpRecord, listing: Mapping[str, Declared]) -> bool:
    """Tell whether TensorFlow's build has an op, by its file or by ops.pbtxt.

    Ops outside of `FOLDER` are in the list only if a library of that build exports them.
    """
    return name in listing or op[5][0].startswith(FOLDER)


def _difference(op: OpRecord | None, own: Callable[[], bytes], declared: Declared | None) -> str:
    """Return the difference between an op and its entry in a list, "" if there is none."""
    if declared is None:
        return _LACKS if op is not None and op[5][0].startswith(FOLDER) else ""
    if op is None:
        return _HAS_TOO_MANY
    return _DIFFERS if declared[0] not in (op[0], own()) else ""


def _cached_declaration(op: OpRecord | None) -> Callable[[], bytes]:
    """Return a function that returns the OpDef of an op without documentation, b"" for None."""
    serialized: list[bytes] = []

    def own() -> bytes:
        if not serialized:
            serialized.append(b"" if op is None else _without_documentation(message("OpDef").FromString(op[0])))
        return serialized[0]

    return own


def _entries(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and text of each entry of a list."""
    matches = list(_ENTRY.finditer(text))
    line, before = 1, 0
    for match, following in zip_longest(matches, matches[1:]):
        end = following.start() if following else len(text)
        line += text.count("\n", before, match.start())
        before = match.start()
        yield match[1], line, text[before:end].strip()


def _without_documentation(opdef: object) -> bytes:
    """Remove the documentation from an OpDef in place, and return it serialized."""
    own = opdef if isinstance(opdef, message("OpDef")) else message("OpDef")()
    own.ClearField("summary")
    own.ClearField("description")
    for part in (*own.input_arg, *own.output_arg, *own.attr):
        part.ClearField("description")
    return bytes(own.SerializeToString(deterministic=True))


def _stale_remark(
    name: str, files_by_reason: Mapping[str, list[str]], place: tuple[str, int | None, int | None], content: bytes
) -> RemarkRecord:
    """Return the remark that lists do not agree with the source of an op."""
    reason = "; ".join(reason.format(" and ".join(files)) for reason, files in files_by_reason.items())
    return {
        "event": "op_list_stale",
        "name": name,
        "op": name,
        "digest": digest(content)[:_MAX_DIGEST],
        "facts": {"reason": reason},
        "place": place,
    }
