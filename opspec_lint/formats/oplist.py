"""TensorFlow's OpList, in any of the forms that protobuf has: binary, text (.pbtxt) and JSON."""

from __future__ import annotations

from opspec_lint.document import Messages
from opspec_lint.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.document import Document
    from opspec_lint.model import Spec
    from opspec_lint.schema import Fault

NAME = "oplist"
SUMMARY = "TensorFlow's OpList, binary, text or JSON"
FOLDER = ".pbtxt"
"""How the files of a folder end that are one op list: ops_history_v2 has one for each op, with all its versions."""


def likeness(value: Any) -> int:
    """Tell how surely a decoded document is of this format: 0 not, 1 perhaps, 2 surely."""
    if isinstance(value, Messages):
        return 2
    return 2 if isinstance(value, dict) and isinstance(value.get("op"), list) and "opspec" not in value else 0


def count_keys(value: Any) -> int:
    """Return how many keys the objects of a document have; whether it is well-formed, `load` finds out."""
    return 0 if isinstance(value, Messages) else _count_keys(value)


def faults(value: Any, file: str) -> Iterator[Fault]:
    """Yield the first fault of a document."""
    from opspec_lint.schema import Fault

    try:
        load(value, file)
    except InputError as error:
        yield Fault(where=error.where, problem=error.problem, advice=error.advice)


def load(value: Any, file: str) -> Spec:
    """Return the spec of a document.

    Raises:
        InputError: it is no OpList.
    """
    from opspec_lint.tensorflow import oplists

    if isinstance(value, Messages) and value.text is None:
        return oplists.parse(value.binary, file)
    return oplists.spec_of(_message(value, file), file)


def load_folder(documents: list[Document], folder: str) -> Spec:
    """Return the spec of a folder of op lists, in the order of their names.

    Raises:
        InputError: one of them is no OpList.
    """
    from opspec_lint.tensorflow import oplists

    together = oplists.empty()
    for each in documents:
        if not likeness(each.value):
            raise InputError(each.file, "is no OpList", advice=f"every file in {folder} is taken to be one")
        together.MergeFrom(_message(each.value, each.file))
    return oplists.spec_of(together, folder)


def _message(value: Any, file: str) -> Any:
    from opspec_lint.tensorflow import oplists

    if not isinstance(value, Messages):
        return oplists.from_json(value, file)
    return oplists.from_bytes(value.binary, file) if value.text is None else oplists.from_text(value.text, file)


def _count_keys(value: Any) -> int:
    if isinstance(value, dict):
        return len(value) + sum(map(_count_keys, value.values()))
    return sum(map(_count_keys, value)) if isinstance(value, list) else 0
