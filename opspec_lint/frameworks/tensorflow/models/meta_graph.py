"""The model format MetaGraphDef, binary or text: the file NAME.meta of a checkpoint of TensorFlow 1."""

from __future__ import annotations

import re

from opspec_lint.frameworks.tensorflow.saved.graphs import recognition
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
    """Return whether a file looks like a MetaGraphDef: it has one meta info with an op list or a TensorFlow version."""
    if not candidate.is_file:
        return False
    if recognition.text_message_name(candidate.head) == "MetaGraphDef":
        return True
    # A MetaGraphDef has the fields 1 to 7, all of messages.
    fields = wire.leading_fields(candidate.view)
    if not fields or any(number > 7 or kind != wire.BYTES for number, kind in fields):
        return False
    # A SavedModel has a number in field 1, a GraphDef several nodes. Fields alone do not exclude other messages, so the
    # content of the meta info decides.
    if fields.count((1, wire.BYTES)) != 1 or recognition.is_graph(candidate.view):
        return False
    from opspec_lint.frameworks.tensorflow.saved.graphs import metas
    from opspec_lint.models.byte_source import ByteSource

    try:
        info = metas.meta_graph(ByteSource(candidate.view), candidate.path).meta_info_def
    except InputError:
        return False
    names = [op.name for op in info.stripped_op_list.op]
    is_of_ops = names and all(re.fullmatch(_OP, name) for name in names)
    return bool(is_of_ops or re.match(_VERSION, info.tensorflow_version))


def read(candidate: Candidate) -> Model[StoredMeta]:
    """Read a MetaGraphDef."""
    from opspec_lint.frameworks.tensorflow.saved.graphs import describe, metas, sizes
    from opspec_lint.models.byte_source import ByteSource, FileBytes
    from opspec_lint.models.model import Model

    path = candidate.path
    is_text = recognition.text_message_name(candidate.head) == "MetaGraphDef"
    stored = (
        ByteSource(recognition.text_to_binary("MetaGraphDef", candidate.data, path)) if is_text else FileBytes(path)
    )
    content, whole = metas.meta_graph(stored, path), file_size(path)
    meta = describe.describe_meta_graph(content)
    return Model(
        file=candidate.path,
        meta_graphs=(meta,),
        find_remarks=lambda: describe.denylist_remarks([meta]),
        measure=lambda: sizes.sizes([content.graph_def], whole),
        content=content,
    )


MODEL_FORMAT = ModelFormat(summary="TensorFlow's MetaGraphDef (NAME.meta), binary or text", claims=claims, read=read)
