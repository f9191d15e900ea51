"""Recognition of files with a GraphDef, MetaGraphDef or SavedModel, and conversion from protobuf's text format."""

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

_FIRST_FIELD = pattern(rb"(?:\s|#[^\n]*\n)*([a-z_]+)\s*[:{<]")
_MAX_DETAIL = 300
"""Characters of an error of protobuf that a message quotes."""
_MESSAGE_OF_FIELD = {
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
"""The message that a text in protobuf's text format has, by its first field."""


_GRAPH_FIELDS = {1: wire.BYTES, 2: wire.BYTES, 3: wire.VARINT, 4: wire.BYTES, 5: wire.BYTES}
"""The wire types of the fields of a GraphDef, by number."""
_OP = pattern(rb"[A-Za-z_][A-Za-z0-9_.>]*")
"""The op of a node. An OpList has the same wire types as a GraphDef, but an input (ArgDef) in the place of the op."""


def is_graph(data: bytes | memoryview) -> bool:
    """Return whether bytes look like a GraphDef: only its fields, and no first node without an op."""
    fields = wire.leading_fields(data)
    if not fields or any(_GRAPH_FIELDS.get(number) != kind for number, kind in fields):
        return False
    node = wire.first_payload(data, 1)
    return node is None or _OP.fullmatch(wire.first_payload(node, 2) or b"") is not None


def text_message_name(data: bytes) -> str | None:
    """Return the message whose text format begins like these bytes, such as "GraphDef"; None for other bytes."""
    match = _FIRST_FIELD.match(data[:4096])
    return None if match is None else _MESSAGE_OF_FIELD.get(match[1])


def text_to_binary(name: str, data: bytes, file: str) -> bytes:
    """Convert a message from protobuf's text format to the binary format; a malformed text is an InputError."""
    # Deterministic: maps have no order, and the same text must give the same bytes in each run.
    written: bytes = parse_text(name, data, file).SerializeToString(deterministic=True)
    return written


def parse_text(name: str, data: bytes, file: str) -> Any:
    """Parse a message in protobuf's text format; a malformed text is an InputError."""
    from google.protobuf import text_format

    try:
        return text_format.Parse(data.decode(), message(name)(), descriptor_pool=message(name).DESCRIPTOR.file.pool)
    except text_format.ParseError as error:
        detail = re.sub(r"^\d+:\d+ : ", "", str(error))
        line, column = error.GetLine(), error.GetColumn()
        where = "" if line is None else f"line {line}, column {column}"
        raise InputError(file, f"is no {name}: {one_line(shorten(detail, _MAX_DETAIL))}", where=where) from None
    except (ValueError, RecursionError) as error:
        # Not UTF-8, or nested deeper than Python's stack: protobuf's parser of text is recursive.
        detail = "it is nested too deep" if isinstance(error, RecursionError) else one_line(str(error))
        raise InputError(file, f"is no {name}: {shorten(detail, _MAX_DETAIL)}") from None
