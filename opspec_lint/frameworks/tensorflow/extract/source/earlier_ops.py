"""Reuse of the ops of an earlier revision of a file, for registrations that are the same in the new revision.

A registration is *self-contained* if it names only methods of OpDefBuilder after the expansion of its macros, apart
from its shape function. Its op depends on its text alone; with macros, also on the directives before it and on the
included files. So it has a key for each of the two cases. Most are self-contained; the others are evaluated anew.
"""

from __future__ import annotations

from bisect import bisect_left

from opspec_lint.frameworks.tensorflow.extract.source.op_records import moved
from opspec_lint.kit.record import Record
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord

    OpsByKey = Mapping[str, tuple[str, OpRecord]]
    """The name and the record of an op by the key of its registration."""

_DIGEST = 32
_WITH_MACROS = "m"
"""Prefix of the keys of registrations with macros."""


class EarlierOp(Record):
    """An op whose registration is the same as in an earlier revision: its name, its record, and its key."""

    name: str
    record: OpRecord
    key: str


class EarlierOps:
    """The ops of an earlier revision of a file.

    Args:
        ops: the ops by the key of their registration.
        are_includes_same: none of the files that the file depends on has changed, apart from the file itself.
    """

    def __init__(self, ops: OpsByKey, *, are_includes_same: bool) -> None:
        self._ops = ops
        self._are_includes_same = are_includes_same
        self.has_used_macros = False

    def find(self, statement: Statement) -> EarlierOp | None:
        """Return the op of a registration at its new place, None if it has to be evaluated."""
        if not self._ops or not statement.has_key:
            return None
        key = statement.key(has_macros=False)
        if key not in self._ops and self._are_includes_same:
            key = statement.key(has_macros=True)
            self.has_used_macros = self.has_used_macros or key in self._ops
        if key not in self._ops:
            return None
        name, record = self._ops[key]
        return EarlierOp(name=name, record=moved(record, statement.line), key=key)


class Statement:
    """A statement of a file that registers an op, from `start` to the `;` at `end`.

    Args:
        code: the file.
        start: see above.
        end: see above.
        kept_names: the names that are never macros, unless the file defines them.
        defined: the names of the macros that the file defines.
    """

    def __init__(self, code: Code, start: int, end: int, kept_names: Collection[str], defined: Collection[str]) -> None:
        self._code = code
        self._start = start
        self._end = end
        self.line, self._column = code.place(start)
        # A directive inside makes the statement invalid, and a doubtful condition makes it depend on other files.
        self.has_key = (
            not any(name in kept_names for name in defined)
            and not any(since < end and start < until for since, until, _ in code.doubtful)
            and bisect_left(code.directives, start, key=_offset) == bisect_left(code.directives, end, key=_offset)
        )

    def key(self, *, has_macros: bool) -> str:
        """Return the key of the registration."""
        # The column is that of the first line; the columns of the others follow from the text.
        text = f"{self._column} {self._code.text[self._start : self._end]}"
        if not has_macros:
            return _digest(text)
        before = self._code.directives[: bisect_left(self._code.directives, self._start, key=_offset)]
        macros = [(kind, name, macro and (macro.parameters, macro.body)) for _, kind, name, macro in before]
        return f"{_WITH_MACROS}{_digest(repr((text, macros)))}"


def _offset(directive: tuple[int, object, object, object]) -> int:
    return directive[0]


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogatepass"))[:_DIGEST]
