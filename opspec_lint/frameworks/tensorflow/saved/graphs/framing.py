"""Where the nodes of a GraphDef lie in its bytes, in spans of many, and what else it says.

A place where a node seems to begin is guessed. That it is one is seen when protobuf reads what stands before it to its
end, so that its own code finds the borders of the fields and not one step of Python for each.
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
"""Bytes of a node that is a span of its own: most of it are weights, which need not be read."""
_LEAST, _MOST = 2 * LARGE, 1 << 18
"""Bytes of a span: more at a time, as long as no node is large."""
_GUESSES = 64
_NODE = 1
_FIELD, _OP = b"\x0a", 0x12


class Span(Record):
    """Bytes of a graph from `begin` to `end`, and the number of `nodes` in them. `is_large`: one node, a large one."""

    begin: int
    end: int
    nodes: int
    is_large: bool = False


def framed(content: ByteSource, *, decodes_nodes: bool = False) -> tuple[list[Span], Any]:
    """Return where the nodes of a graph are, and a message of what it says besides.

    Args:
        content: the bytes of the graph.
        decodes_nodes: whether nodes are decoded, to see that each is one.

    Raises:
        DecodeError: the bytes are no GraphDef, or a node that is decoded is no NodeDef.
    """
    rest = message("RawGraphDef" if decodes_nodes else "FramedGraphDef")()
    spans: list[Span] = []
    at, length = 0, _LEAST
    while at < content.size:
        window = content.read(at, min(at + length, content.size))
        header = _header(window)
        if header is not None and header[2] > LARGE and at + header[2] <= content.size:
            number, kind, size = header
            length = _LEAST
            if number == _NODE and kind == wire.BYTES:
                if decodes_nodes:
                    message("RawNodeDef").FromString(large_node(content, at, at + size))
                spans.append(Span(begin=at, end=at + size, nodes=1, is_large=True))
            else:
                rest.MergeFromString(content.read(at, at + size))
        else:
            size, nodes = _taken(window, at + len(window) == content.size, rest) or _rest(content, at, rest)
            length = min(2 * length, _MOST)
            if nodes:
                spans.append(Span(begin=at, end=at + size, nodes=nodes))
        at += size
    return spans, rest


def large_node(content: ByteSource, begin: int, end: int) -> bytes:
    """Return the only node of a span, without the elements of long tensors."""
    field = content.view(begin, end)
    _, _, at, to = next(wire.fields(field))
    return attrs.short_node(field[at:to])


def _header(window: bytes) -> tuple[int, int, int] | None:
    """Return number, wire type and bytes of the field at the begin of a window; None where it is none of bytes."""
    try:
        tag, at = wire.varint(window, 0)
        length, at = wire.varint(window, at)
    except ValueError:
        return None
    return (tag >> 3, tag & 7, at + length) if tag & 7 == wire.BYTES else None


def _taken(window: bytes, is_last: bool, rest: Any) -> tuple[int, int] | None:
    """Return how many bytes and nodes of a window were read, None where no field is seen to end in it."""
    for find in (len if is_last else _guess, _walked):  # a wrong guess costs one failed parse
        cut = find(window)
        found = _parsed(window[:cut], type(rest)) if cut else None
        if found is not None:
            return cut, _moved(found, rest)
    return None


def _rest(content: ByteSource, at: int, rest: Any) -> tuple[int, int]:
    found = type(rest).FromString(content.read(at, content.size))
    return content.size - at, _moved(found, rest)


def _moved(found: Any, rest: Any) -> int:
    """Return how many nodes there are in a message, and add to another one what it says besides."""
    nodes = len(found.node)
    found.ClearField("node")
    rest.MergeFrom(found)
    return nodes


def _parsed(data: bytes, kind: Any) -> Any:
    from google.protobuf.message import DecodeError

    try:
        return kind.FromString(data)
    except DecodeError:
        return None


def _guess(window: bytes) -> int:
    """Return where the last node seems to begin that a window has the begin of, 0 for nowhere."""
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


def _walked(window: bytes) -> int:
    """Return where the last field of a window ends that is whole."""
    last = 0
    try:
        for _, _, _, end in wire.fields(window):
            last = end
    except ValueError:
        pass
    return last
