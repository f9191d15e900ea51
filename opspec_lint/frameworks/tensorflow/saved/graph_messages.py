"""TensorFlow's graphs, saved models and checkpoints as protobuf messages: the classes are made of `graph.proto`.

They have a descriptor pool of their own beside that of the op lists, so that a check of specs never pays for them.
"""

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
    """Return the class of a message of `graph.proto` or `opdef.proto`, such as "RawGraphDef"."""
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"{PACKAGE}.{name}"))


def decoded(name: str, data: bytes) -> Any:
    """Return the message of some bytes; one without any field where they cannot be decoded."""
    from google.protobuf.message import DecodeError

    try:
        return message(name).FromString(data)
    except DecodeError:
        return message(name)()


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pool

    with open(os.path.join(os.path.dirname(__file__), "graph.proto"), encoding="utf-8") as stream:
        graph_proto = stream.read()
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(descriptor(opdef_proto() + graph_proto, "graph.proto"))
    return pool
