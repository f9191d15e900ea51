"""The list of ops that TensorFlow's build writes into a tree, `ops.pbtxt`: whether it is of the ops of the tree.

A program of the tree writes it (ops/compat/update_ops_main.cc), and the test op_compatibility_test refuses a tree whose
list is of other ops. Documentation is left out of the comparison, as it moved to api_def files in 1.5.
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


def listed(text: str) -> dict[str, bytes] | None:
    """Return the OpDef of each op that the file lists, without documentation; None if it is no list of ops."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists

    try:
        oplist = op_lists.from_text(text, PATH)
    except InputError:
        return None
    return {opdef.name: _declared(opdef) for opdef in oplist.op}


def stale(listing: Mapping[str, bytes], ops: Mapping[str, OpRecord]) -> Iterator[RemarkRecord]:
    """Yield a remark for each op that the file lists otherwise than the sources register it.

    Args:
        listing: the ops of the file.
        ops: the ops that the sources register, of every build.
    """
    for name in sorted(listing.keys() | ops.keys()):
        op = ops.get(name)
        if op is None:
            yield _remark(name, "no source registers it any more", (PATH, None, None), listing[name])
            continue
        opdef, fault, place = op[0], op[1], op[5]
        if name not in listing and fault is None and place[0].startswith(FOLDER):
            yield _remark(name, "the file lacks it", place, opdef)
        elif name in listing and fault is None and opdef != listing[name]:
            own = _declared(message("OpDef").FromString(opdef))
            if own != listing[name]:
                yield _remark(name, "the file has another declaration of it", place, own + listing[name])


def _declared(opdef: object) -> bytes:
    """Return the serialized OpDef without documentation, which is taken off the message itself."""
    own = opdef if isinstance(opdef, message("OpDef")) else message("OpDef")()
    own.ClearField("summary")
    own.ClearField("description")
    for part in (*own.input_arg, *own.output_arg, *own.attr):
        part.ClearField("description")
    return bytes(own.SerializeToString(deterministic=True))


def _remark(name: str, reason: str, place: tuple[str, int | None, int | None], content: bytes) -> RemarkRecord:
    return {
        "event": "op_list_stale",
        "name": name,
        "op": name,
        "digest": digest(content)[:_MAX_DIGEST],
        "facts": {"reason": reason},
        "place": place,
    }
