"""Kinds of files and folders that users often mistake for models that an audit reads, with the next step for each."""

from __future__ import annotations

import re
import shlex

from opspec_lint.kit.record import Record
from opspec_lint.models.files import NoModelError, UnknownKindError, is_link
from opspec_lint.models.format import Candidate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from opspec_lint.kit.errors import InputError

_ZIP = b"PK\x03\x04"
_MAX_ENTRIES = 1000
"""Entries of a folder that are examined."""
_MAX_NAMED = 3
"""Models of a folder that a message names."""


class UnreadKind(Record):
    """A kind of file that no audit reads.

    `title` completes "the file is ...", `remedy` is the next step. `claims` recognises the kind by the first bytes and
    the path of a file.
    """

    title: str
    remedy: str
    claims: Callable[[bytes, str], bool]


def _has_identifier(identifier: bytes) -> Callable[[bytes, str], bool]:
    """Return a test for the file identifier of a FlatBuffer, which is a pattern."""
    return lambda head, _: re.match(identifier, head[4:8], re.DOTALL) is not None


def _has_ending(*endings: str) -> Callable[[bytes, str], bool]:
    """Return a test for the ending of a path."""
    return lambda _, path: path.endswith(endings)


KINDS = (
    UnreadKind(
        title="a Keras archive (.keras)",
        remedy="audit the SavedModel that `keras.models.load_model(FILE).export(FOLDER)` writes",
        claims=lambda head, path: (
            head.startswith(_ZIP) and (path.endswith(".keras") or (b"metadata.json" in head and b"config.json" in head))
        ),
    ),
    UnreadKind(
        title="an HDF5 file, a model or weights of Keras (.h5)",
        remedy="audit the SavedModel that `keras.models.load_model(FILE).export(FOLDER)` writes",
        claims=lambda head, _: head.startswith(b"\x89HDF\r\n\x1a\n"),
    ),
    UnreadKind(
        title="a program of ExecuTorch (.pte)",
        remedy="audit the program of torch.export that it was made from, saved as .pt2",
        claims=_has_identifier(rb"ET\d\d"),
    ),
    UnreadKind(
        title="a model in ONNX Runtime's own format (.ort)",
        remedy="audit the .onnx file that it was converted from",
        claims=_has_identifier(rb"ORTM"),
    ),
    UnreadKind(
        title="OpenVINO's IR (.xml)",
        remedy="audit the model that it was converted from",
        claims=lambda head, _: re.match(rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>)?\s*<net\s", head) is not None,
    ),
    UnreadKind(
        title="an engine of TensorRT, which only the version that built it can load",
        remedy="audit the .onnx file that it was built from",
        claims=lambda head, path: head[:4] in (b"ptrt", b"ftrt") or path.endswith((".engine", ".plan", ".trt")),
    ),
    UnreadKind(
        title="weights without a graph (.safetensors)",
        remedy="audit an export of the whole model, such as .onnx or .pt2",
        # A safetensors file begins with the size of its JSON header, 8 bytes in little endian.
        claims=lambda head, _: head[8:10] == b'{"' and 0 < int.from_bytes(head[:8], "little") < 1 << 30,
    ),
    UnreadKind(
        title="weights without a graph (.gguf)",
        remedy="audit an export of the whole model, such as .onnx or .pt2",
        claims=lambda head, _: head.startswith(b"GGUF"),
    ),
    UnreadKind(
        title="a model of TensorFlow.js",
        remedy="audit the SavedModel that it was converted from",
        claims=lambda head, _: re.match(rb'\s*\{.*"(graph|layers)-model"', head, re.DOTALL) is not None,
    ),
    UnreadKind(
        title="a Core ML model (.mlmodel)",
        remedy="audit the model that coremltools converted",
        claims=_has_ending(".mlmodel"),
    ),
    UnreadKind(
        title="the weights of a Paddle model",
        remedy="name the .pdmodel or .json file beside it",
        claims=_has_ending(".pdiparams", ".pdparams"),
    ),
    UnreadKind(
        title="an archive",
        remedy="unpack it, or audit all models in it: `opspec-lint audit FILE --results models.sqlite`",
        claims=lambda head, path: head.startswith(_ZIP) or path.endswith((".tar", ".tar.gz", ".tgz", ".tar.bz2")),
    ),
)
"""The kinds, those with the most specific test first."""


def unknown_kind_error(candidate: Candidate, is_model: Callable[[Candidate], bool]) -> InputError:
    """Return the error for a path that no format claims, with the kind of file and the next step in one line.

    `is_model` returns True for a candidate that a format claims.
    """
    path = candidate.path
    if candidate.is_folder:
        return _folder_error(candidate, is_model)
    head = candidate.head
    if not head:
        return UnknownKindError(path, "is empty, so its kind is unknown", advice="write the model again")
    kind = next((kind for kind in KINDS if kind.claims(head, path)), None)
    if kind is not None:
        remedy = kind.remedy.replace("FILE", shlex.quote(path))
        return UnknownKindError(path, f"is {kind.title}, which is not read here", advice=remedy)
    advice = "name a model of a kind that `opspec-lint audit --help` lists"
    return UnknownKindError(path, "is not a saved model of a known kind", advice=advice)


def _folder_error(candidate: Candidate, is_model: Callable[[Candidate], bool]) -> NoModelError:
    """Return the error for a folder that is no model, naming the models in it."""
    path = candidate.path
    if path.rstrip("/").endswith(".mlpackage"):
        remedy = "audit the model that coremltools converted"
        return NoModelError(path, "is a Core ML package (.mlpackage), which is not read here", advice=remedy)
    inner = [Candidate(f"{path.rstrip('/')}/{name}") for name in sorted(candidate.entries)[:_MAX_ENTRIES]]
    models = [file.path for file in inner if file.is_file and not is_link(file.path) and is_model(file)]
    search = f"`opspec-lint audit {shlex.quote(path)} --results models.sqlite`"
    if not models:
        advice = f"name the file of a model, or search the folders in it: {search}"
        return NoModelError(path, "is a folder, and holds no model of a known kind", advice=advice)
    named = ", ".join(model.rpartition("/")[2] for model in models[:_MAX_NAMED])
    more = f" and {len(models) - _MAX_NAMED} more" if len(models) > _MAX_NAMED else ""
    advice = f"name {models[0]}" if len(models) == 1 else f"name one of them, or audit all: {search}"
    return NoModelError(path, f"is a folder, and not itself a model; it holds {named}{more}", advice=advice)
