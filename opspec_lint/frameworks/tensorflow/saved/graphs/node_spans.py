"""Location of the nodes of a GraphDef in its bytes, without decoding them: spans of many nodes, or of one large node.

A file is read in windows. A step of Python per node would be slow, so protobuf finds the borders of the nodes:

1. A node that is larger than 8 KB at the start of a window becomes a separate span; only its op and inputs are needed.
2. Otherwise, guess where the last node of the window begins, by the bytes that a node begins with.
3. Have protobuf parse all before the guess. If it succeeds, that is a span, and the next window starts at the guess.
4. If it fails, walk the fields in Python; if no field ends in the window, parse the rest of the file.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.frameworks.tensorflow.saved.graphs import attrs
from opspec_lint.kit.record import Record
from opspec_lint.models import wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.models.byte_source import ByteSource

LARGE = 1 << 13
"""Size in bytes above which a node at the start of a window is a separate span: most of it are weights."""
_LEAST, _MOST = 2 * LARGE, 1 << 18
"""Bytes of the first window, and the most of one: windows double while no node is large."""
_GUESSES = 64
"""Occurrences of the byte 0x0a that are tried as the start of a node."""
_NODE = 1
"""The number of the field `node` of a GraphDef."""
_FIELD, _OP = b"\x0a", 0x12
"""The tag of field 1, which a node in a graph and its name both have, and the tag of the op that follows the name."""


class Span(Record):
    """A range of bytes of a GraphDef with `nodes` nodes; `is_large` if it has a single large one."""

    begin: int
    end: int
    nodes: int
    is_large: bool = False


def find_spans(content: ByteSource, *, decodes_nodes: bool = False) -> tuple[list[Span], Any]:
    """Return the spans of the nodes of a graph, and a message with its other fields (library and versions).

    With `decodes_nodes`, nodes are decoded as well, and a malformed one raises DecodeError at once.
    """
    rest = message("RawGraphDef" if decodes_nodes else "FramedGraphDef")()
    spans: list[Span] = []
    at, length = 0, _LEAST
    while at < content.size:
        window = content.read(at, min(at + length, content.size))
        number, kind, size = _field_header(window)
        if size > LARGE and at + size <= content.size:
            length = _LEAST
            if number == _NODE and kind == wire.BYTES:
                if decodes_nodes:
                    message("RawNodeDef").FromString(read_large_node(content, at, at + size))
                spans.append(Span(begin=at, end=at + size, nodes=1, is_large=True))
            else:
                rest.MergeFromString(content.read(at, at + size))
        else:
            is_last = at + len(window) == content.size
            size, nodes = _read_prefix(window, is_last, rest) or _read_to_end(content, at, rest)
            length = min(2 * length, _MOST)
            if nodes:
                spans.append(Span(begin=at, end=at + size, nodes=nodes))
        at += size
    return spans, rest


def read_large_node(content: ByteSource, begin: int, end: int) -> bytes:
    """Return the node of a span with a single large node, without the elements of its tensors."""
    field = content.view(begin, end)
    _, _, at, to = next(wire.fields(field))
    return attrs.strip_node(field[at:to])


def _field_header(window: bytes) -> tuple[int, int, int]:
    """Return number, wire type and total size of the field at the start of a window; 0 each if it holds no bytes."""
    try:
        tag, at = wire.varint(window, 0)
        length, at = wire.varint(window, at)
    except ValueError:
        return 0, 0, 0
    return (tag >> 3, tag & 7, at + length) if tag & 7 == wire.BYTES else (0, 0, 0)


def _read_prefix(window: bytes, is_last: bool, rest: Any) -> tuple[int, int] | None:
    """Parse as many whole fields of a window as possible; return their bytes and nodes, None if there are none."""
    # A wrong guess costs one failed parse; walking the fields is always right, and slow.
    for find in (len if is_last else _guess_last_node, _end_of_last_field):
        cut = find(window)
        parsed = _try_parse(window[:cut], type(rest)) if cut else None
        if parsed is not None:
            return cut, _merge_rest(parsed, rest)
    return None


def _read_to_end(content: ByteSource, at: int, rest: Any) -> tuple[int, int]:
    """Parse all bytes after `at`; return their number and the number of nodes."""
    parsed = type(rest).FromString(content.read(at, content.size))
    return content.size - at, _merge_rest(parsed, rest)


def _merge_rest(parsed: Any, rest: Any) -> int:
    """Add the fields of a message except its nodes to `rest`, and return the number of nodes."""
    nodes = len(parsed.node)
    parsed.ClearField("node")
    rest.MergeFrom(parsed)
    return nodes


def _try_parse(data: bytes, kind: Any) -> Any:
    """Parse bytes as a message of the class `kind`, None if they are none."""
    from google.protobuf.message import DecodeError

    try:
        return kind.FromString(data)
    except DecodeError:
        return None


def _guess_last_node(window: bytes) -> int:
    """Guess the offset at which the last node of a window begins, by the tags of its name and op; 0 for none."""
    at = len(window)
    for _ in range(_GUESSES):
        at = window.rfind(_FIELD, 0, at)
        if at <= 0:
            return 0
        try:
            _, name = wire.varint(window, at + 1)
            length, begin = wire.varint(window, name + 1)
            if window[name] == _FIELD[0] and window[begin + length] == _OP:
                return at
        except (ValueError, IndexError):
            continue
    return 0


def _end_of_last_field(window: bytes) -> int:
    """Return the offset at which the last complete field of a window ends, by walking all fields."""
    last = 0
    try:
        for _, _, _, end in wire.fields(window):
            last = end
    except ValueError:
        pass  # the last field is cut off by the end of the window
    return last
