"""A MetaGraphDef, binary or text: the `.meta` file beside a checkpoint of TensorFlow 1."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.graphs import describe, reading, sizes
from opspec_lint.kit.errors import InputError
from opspec_lint.models import wire
from opspec_lint.models.format import ModelFormat
from opspec_lint.models.model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.models.format import Candidate

NAME = "meta_graph"
_VERSION = re.compile(r"\d+\.\d+")
_OP = re.compile(r"[A-Za-z_][A-Za-z0-9_.>]*")


def claims(candidate: Candidate) -> bool:
    """Tell whether a file holds a MetaGraphDef: it begins with the list of its ops, or says who wrote it."""
    if not candidate.is_file:
        return False
    if reading.text_kind(candidate.head) == "MetaGraphDef":
        return True
    found = wire.kinds(candidate.view)
    if not found or any(number > 7 or kind != wire.BYTES for number, kind in found):
        return False
    if wire.first(candidate.view, 1) is None or reading.is_graph(candidate.view):
        return False
    try:
        info = reading.from_bytes("MetaGraphDef", candidate.data, candidate.path).meta_info_def
    except InputError:
        return False
    names = [each.name for each in info.stripped_op_list.op]
    return bool(_VERSION.match(info.tensorflow_version) or (names and all(map(_OP.fullmatch, names))))


def read(candidate: Candidate) -> Model:
    """Return the model of a MetaGraphDef.

    Raises:
        InputError: it cannot be read.
    """
    data = candidate.take()
    content, whole = reading.read("MetaGraphDef", data, candidate.path), len(data)
    meta = describe.of_meta_graph(content)
    return Model(
        file=candidate.path,
        framework="tensorflow",
        format=NAME,
        meta_graphs=(meta,),
        look=lambda: describe.denied([meta]),
        measure=lambda: sizes.sizes([content.graph_def], whole),
        content=content,
    )


MODEL_FORMAT = ModelFormat(
    name=NAME, summary="TensorFlow's MetaGraphDef (NAME.meta), binary or text", claims=claims, read=read
)
