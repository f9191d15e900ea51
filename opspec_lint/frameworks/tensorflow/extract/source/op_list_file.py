"""The comparison of the op lists that TensorFlow's build writes into its tree with the ops of the tree.

A program of the tree (ops/compat/update_ops_main.cc) writes `ops.pbtxt`, and appends ops that changed to the histories,
whose last declaration op_compatibility_test holds against the op. Documentation is left out of the comparison, as it
moved to api_def files in 1.5.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest

from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.frameworks.tensorflow.extract.source.op_records import FAULT, OPDEF, PLACE
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord
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
_START = pattern(r"^op\s*\{", "m")
_MAX_DIGEST = 32
_CACHED = 8192


class HistoryFiles:
    """The paths of the histories of a release: a folder with a file for each op since 2.3, one file before.

    `major` is the first number of the release.
    """

    def __init__(self, major: str) -> None:
        self.single = f"{_HISTORY}.v{major}.pbtxt"
        self.folder = f"{_HISTORY}_v{major}"

    def of_ops(self, names: Iterable[str]) -> list[str]:
        """Return the paths in the folder of the history for ops by name."""
        return [f"{self.folder}/{name}.pbtxt" for name in sorted(names)]


def entries(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield name, line and text of each entry of a list; none if it does not have the form that TensorFlow writes."""
    matches = list(_ENTRY.finditer(text))
    if len(matches) != len(_START.findall(text)):
        return
    line, before = 1, 0
    for match, following in zip_longest(matches, matches[1:]):
        end = following.start() if following else len(text)
        line += text.count("\n", before, match.start())
        before = match.start()
        yield match[1], line, text[before:end].strip()


def parse_entry(entry: str, path: str) -> bytes | None:
    """Return the serialized OpDef of an entry, without documentation; None if it is no OpDef."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    try:
        (opdef,) = op_lists.from_text(entry, path).op
    except (InputError, ValueError):
        return None
    return _without_documentation(opdef)


def stale_remarks(lists: Mapping[str, Mapping[str, Declared]], ops: Mapping[str, OpRecord]) -> Iterator[RemarkRecord]:
    """Yield a remark for each op that a list lacks, has in excess, or declares differently from the sources.

    `lists` are the lists by their names in messages; an empty one is not in the tree.
    """
    present = {file: declared for file, declared in lists.items() if declared}
    for name in sorted(set(ops).union(*present.values())):
        op = ops.get(name)
        if op is not None and op[FAULT] is not None:
            continue  # OpDefBuilder rejects the op, so there is nothing to compare
        files_by_reason: dict[str, list[str]] = {}
        for file, declared in present.items():
            reason = _difference(op, declared.get(name))
            if reason:
                files_by_reason.setdefault(reason, []).append(file)
        if files_by_reason:
            listed = [declared[name] for declared in present.values() if name in declared]
            place = op[PLACE] if op is not None else (*listed[0][1:], None)
            own = b"" if op is None else _own_declarations(op[OPDEF])[0]
            yield _stale_remark(name, files_by_reason, place, b"".join([own, *(entry[0] for entry in listed)]))


def is_exported(name: str, op: OpRecord, listing: Mapping[str, Declared]) -> bool:
    """Return whether TensorFlow's build has an op, by its file or by ops.pbtxt.

    Ops outside of `FOLDER` are in the list only if a library of that build exports them.
    """
    return name in listing or op[PLACE][0].startswith(FOLDER)


def _difference(op: OpRecord | None, declared: Declared | None) -> str:
    """Return the difference between an op and its entry in a list, "" if there is none."""
    if declared is None:
        return _LACKS if op is not None and op[PLACE][0].startswith(FOLDER) else ""
    if op is None:
        return _HAS_TOO_MANY
    if declared[0] == op[OPDEF] or declared[0] in _own_declarations(op[OPDEF]):
        return ""
    return _DIFFERS


@lru_cache(maxsize=_CACHED)
def _own_declarations(serialized: bytes) -> tuple[bytes, bytes]:
    """Return a serialized OpDef without documentation, with and without the reason why it is deprecated.

    The histories of some releases omit the reason. Cached, as most ops of successive revisions are the same.
    """
    opdef = message("OpDef").FromString(serialized)
    own = _without_documentation(opdef)
    if opdef.HasField("deprecation"):
        opdef.deprecation.ClearField("explanation")
    return own, _without_documentation(opdef)


def _without_documentation(own: Any) -> bytes:
    """Remove the documentation from an OpDef in place, and return it serialized."""
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
