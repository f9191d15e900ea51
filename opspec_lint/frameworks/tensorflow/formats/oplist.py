"""The spec format of TensorFlow's OpList in each form of protobuf: binary, text (.pbtxt) and JSON."""

from __future__ import annotations

import re

from opspec_lint.documents.decode import text_of
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import SURELY, Format, Raw, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.documents.decode import Document
    from opspec_lint.spec.model import Spec

NAME = "oplist"
_FOLDER = ".pbtxt"
"""Suffix of the files in a folder that is one op list: ops_history_v2 has a file per op, with all its versions."""
_TEXT_FORMAT = rb"(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n)*\w+\s*[{<]"
"""Start of protobuf's text format: comments, then a message field. With a colon it might be YAML."""


def claims(data: bytes) -> bool:
    """Return whether bytes look like an OpList, binary or in text format."""
    # The first byte of a binary OpList is the tag of the field `op`, 0x0a, which is a line break in a text.
    return (data[:1] == b"\n" and is_binary(data)) or _is_text(data)


def likeness(value: Any) -> int:
    """Return the likelihood that a decoded document has this format: 0 no, 2 certain."""
    return SURELY if isinstance(value, dict) and isinstance(value.get("op"), list) and "opspec" not in value else 0


def load(value: Any, file: str) -> Spec:
    """Return the spec of an OpList, given as bytes or as decoded JSON."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    if isinstance(value, Raw) and not _is_text(value.data):
        return op_lists.parse(value.data, file)
    return op_lists.parse(op_lists.to_bytes(_parse_message(value, file)), file)


def load_folder(documents: list[Document], folder: str) -> Spec:
    """Return the spec of all op lists in a folder, in the order of their file names."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    together = op_lists.empty()
    for document in documents:
        if not isinstance(document.value, Raw) and not likeness(document.value):
            raise InputError(document.file, "is not an OpList", advice=f"every file in {folder} must be one")
        together.MergeFrom(_parse_message(document.value, document.file))
    return op_lists.spec_of(together, folder)


def _parse_message(value: Any, file: str) -> Any:
    """Return the OpList message of a document in any form."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    if not isinstance(value, Raw):
        return op_lists.from_json(value, file)
    if _is_text(value.data):
        return op_lists.from_text(text_of(value.data, file), file)
    return op_lists.from_bytes(value.data, file)


def _is_text(data: bytes) -> bool:
    return re.match(_TEXT_FORMAT, data) is not None


FORMAT = Format(
    summary="TensorFlow's OpList, binary, text or JSON",
    likeness=likeness,
    claims=claims,
    usual_endings=(".pb", ".pbtxt", ".txt"),
    load=load,
    folder_suffix=_FOLDER,
    load_folder=load_folder,
)
