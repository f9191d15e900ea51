"""Message classes for TensorFlow's graphs, saved models and checkpoints, built from `graph.proto` at run time."""

from __future__ import annotations

import os
from functools import cache

from opspec_lint.frameworks.tensorflow.extract.messages import opdef_proto
from opspec_lint.kit.protobuf import PACKAGE, descriptor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@cache
def message(name: str) -> Any:
    """Return the message class with this name in `graph.proto` or `opdef.proto`, such as "RawGraphDef"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


def parse_or_empty(name: str, data: bytes) -> Any:
    """Parse bytes as the named message; return an empty message if they cannot be decoded."""
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(data)
    except DecodeError:
        return message(name)()


@cache
def _pool() -> Any:
    """Return the descriptors of the messages in graph.proto."""
    from google.protobuf import descriptor_pool

    # A second pool beside that of `extract.messages`: comparing specs needs opdef.proto alone, and graph.proto has
    # many more messages to build.
    with open(os.path.join(os.path.dirname(__file__), "graph.proto"), encoding="utf-8") as stream:
        graph_proto = stream.read()
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor(opdef_proto() + graph_proto, "graph.proto"))
    return pool
