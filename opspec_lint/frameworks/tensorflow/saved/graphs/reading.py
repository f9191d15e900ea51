"""Graphs, meta graphs and saved models: which of them a file is, and the bytes of those in text format."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import one_line, shorten
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEXT = pattern(rb"(?:\s|#[^\n]*\n)*([a-z_]+)\s*[:{<]")
_WORDS = 300
"""Characters of protobuf's own words in a message."""
_TOP = {
    b"node": "GraphDef",
    b"library": "GraphDef",
    b"versions": "GraphDef",
    b"meta_info_def": "MetaGraphDef",
    b"graph_def": "MetaGraphDef",
    b"saver_def": "MetaGraphDef",
    b"saved_model_schema_version": "SavedModel",
    b"meta_graphs": "SavedModel",
    b"model_checkpoint_path": "CheckpointState",
}
"""Which message a text is that begins with a field."""


_FIELDS = {1: wire.BYTES, 2: wire.BYTES, 3: wire.VARINT, 4: wire.BYTES, 5: wire.BYTES}
"""The fields of a GraphDef, and how they are written."""
_OP = pattern(rb"[A-Za-z_][A-Za-z0-9_.>]*")
"""How the op of a node is spelled; where it stands, an OpList has the message of an input."""


def is_graph(data: bytes | memoryview) -> bool:
    """Tell whether bytes are like a GraphDef: its first node has an op."""
    found = wire.leading_fields(data)
    if not found or any(_FIELDS.get(number) != kind for number, kind in found):
        return False
    node = wire.first_payload(data, 1)
    return node is None or _OP.fullmatch(wire.first_payload(node, 2) or b"") is not None


def text_kind(data: bytes) -> str | None:
    """Return the name of the message that a text begins like, None for what is no such text."""
    found = _TEXT.match(data[:4096])
    return None if found is None else _TOP.get(found[1])


def as_bytes(name: str, data: bytes, file: str) -> bytes:
    """Return a message in protobuf's text format in the binary one.

    Raises:
        InputError: the bytes are no such message.
    """
    written: bytes = whole_of_text(name, data, file).SerializeToString(deterministic=True)
    return written


def whole_of_text(name: str, data: bytes, file: str) -> Any:
    """Return the message of a text in protobuf's text format, with all that is in it decoded.

    Raises:
        InputError: the text is no such message.
    """
    from google.protobuf import text_format

    try:
        return text_format.Parse(data.decode(), message(name)(), descriptor_pool=message(name).DESCRIPTOR.file.pool)
    except text_format.ParseError as error:
        words = re.sub(r"^\d+:\d+ : ", "", str(error))
        line, column = error.GetLine(), error.GetColumn()
        where = "" if line is None else f"line {line}, column {column}"
        raise InputError(file, f"is no {name}: {one_line(shorten(words, _WORDS))}", where=where) from None
    except (ValueError, RecursionError) as error:
        words = "it is nested too deep" if isinstance(error, RecursionError) else one_line(str(error))
        raise InputError(file, f"is no {name}: {shorten(words, _WORDS)}") from None
