"""The comparison of `ops.pbtxt`, the op list that TensorFlow's build writes into its tree, with the ops of the tree.

A program of the tree writes it (ops/compat/update_ops_main.cc), and the test op_compatibility_test refuses a tree whose
list differs. Documentation is left out of the comparison, as it moved to api_def files in 1.5.
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import message
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.cache import digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.tensorflow.extract.source.places import OpRecord
    from opspec_lint.spec.records import RemarkRecord

PATH = "tensorflow/core/ops/ops.pbtxt"
FOLDER = "tensorflow/core/ops/"
_MAX_DIGEST = 32


def parse_op_list(text: str) -> dict[str, bytes] | None:
    """Return the serialized OpDefs of ops.pbtxt by op, without documentation; None if the text is no op list."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    try:
        oplist = op_lists.from_text(text, PATH)
    except InputError:
        return None
    return {opdef.name: _without_documentation(opdef) for opdef in oplist.op}


def stale_remarks(listing: Mapping[str, bytes], ops: Mapping[str, OpRecord]) -> Iterator[RemarkRecord]:
    """Yield a remark for each op that ops.pbtxt lacks, has in excess, or declares differently from the sources."""
    for name in sorted(listing.keys() | ops.keys()):
        op = ops.get(name)
        if op is None:
            yield _stale_remark(name, "no source registers it any more", (PATH, None, None), listing[name])
            continue
        opdef, fault, place = op[0], op[1], op[5]
        # Ops outside of this folder are in the list only if a library of TensorFlow's build exports them.
        if name not in listing and fault is None and place[0].startswith(FOLDER):
            yield _stale_remark(name, "the file lacks it", place, opdef)
        elif name in listing and fault is None and opdef != listing[name]:
            own = _without_documentation(message("OpDef").FromString(opdef))
            if own != listing[name]:
                yield _stale_remark(name, "the file has another declaration of it", place, own + listing[name])


def _without_documentation(opdef: object) -> bytes:
    """Remove the documentation from an OpDef in place, and return it serialized."""
    own = opdef if isinstance(opdef, message("OpDef")) else message("OpDef")()
    own.ClearField("summary")
    own.ClearField("description")
    for part in (*own.input_arg, *own.output_arg, *own.attr):
        part.ClearField("description")
    return bytes(own.SerializeToString(deterministic=True))


def _stale_remark(name: str, reason: str, place: tuple[str, int | None, int | None], content: bytes) -> RemarkRecord:
    """Return the remark that ops.pbtxt does not agree with the source of an op."""
    return {
        "event": "op_list_stale",
        "name": name,
        "op": name,
        "digest": digest(content)[:_MAX_DIGEST],
        "facts": {"reason": reason},
        "place": place,
    }
