"""A MetaGraphDef, binary or text: the `.meta` file beside a checkpoint of TensorFlow 1."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.saved.graphs import reading
from opspec_lint.kit.errors import InputError
from opspec_lint.models import wire
from opspec_lint.models.files import file_size
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.tensorflow.saved.graphs.metas import StoredMeta
    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_VERSION = r"\d+\.\d+"
_OP = r"[A-Za-z_][A-Za-z0-9_.>]*"


def claims(candidate: Candidate) -> bool:
    """Tell whether a file holds a MetaGraphDef: it has the list of its ops, or says who wrote it, once."""
    if not candidate.is_file:
        return False
    if reading.text_kind(candidate.head) == "MetaGraphDef":
        return True
    found = wire.leading_fields(candidate.view)
    if not found or any(number > 7 or kind != wire.BYTES for number, kind in found):
        return False
    if found.count((1, wire.BYTES)) != 1 or reading.is_graph(candidate.view):
        return False
    from opspec_lint.frameworks.tensorflow.saved.graphs import metas
    from opspec_lint.models.byte_source import ByteSource

    try:
        info = metas.meta_graph(ByteSource(candidate.view), candidate.path).meta_info_def
    except InputError:
        return False
    names = [each.name for each in info.stripped_op_list.op]
    is_of_ops = names and all(re.fullmatch(_OP, name) for name in names)
    return bool(is_of_ops or re.match(_VERSION, info.tensorflow_version))


def read(candidate: Candidate) -> Model[StoredMeta]:
    """Return the model of a MetaGraphDef.

    Raises:
        InputError: the file cannot be read.
    """
    from opspec_lint.frameworks.tensorflow.saved.graphs import describe, metas, sizes
    from opspec_lint.models.byte_source import ByteSource, FileBytes
    from opspec_lint.models.model import Model

    path = candidate.path
    is_text = reading.text_kind(candidate.head) == "MetaGraphDef"
    stored = ByteSource(reading.as_bytes("MetaGraphDef", candidate.data, path)) if is_text else FileBytes(path)
    content, whole = metas.meta_graph(stored, path), file_size(path)
    meta = describe.of_meta_graph(content)
    return Model(
        file=candidate.path,
        meta_graphs=(meta,),
        look=lambda: describe.denied([meta]),
        measure=lambda: sizes.sizes([content.graph_def], whole),
        content=content,
    )


MODEL_FORMAT = ModelFormat(summary="TensorFlow's MetaGraphDef (NAME.meta), binary or text", claims=claims, read=read)
