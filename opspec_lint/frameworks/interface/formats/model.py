"""The format of any saved model, read as its interface without its weights."""

from __future__ import annotations

import os
import re

from opspec_lint.kit import lfs_pointer
from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import HEAD, SURELY, Format, Raw, is_binary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.models.format import Candidate
    from opspec_lint.spec.model import Spec

NAME = "model"
_SAVED_MODEL = "saved_model.pb"
_FOLDER_FILES = (_SAVED_MODEL, "saved_model.pbtxt", "__model__")
"""The files that make a folder a model; each is a model without the others, too."""
_TEXT = rb"(?:\s|#[^\n]*\n)*(?:node|library|versions|meta_graphs|saved_model_schema_version)\s*[:{<]"
"""The beginning of a GraphDef or SavedModel in text format."""


def claims(data: bytes) -> bool:
    """Return True if bytes are a model, or a pointer of git-lfs in the place of one."""
    head = data[:HEAD]
    if not (is_binary(head) or re.match(_TEXT, head) or head.startswith(lfs_pointer.START)):
        return False
    from opspec_lint.models.format import Candidate

    return _is_model(Candidate(_recognisable_name(data, NAME), data))


def likeness(value: Any) -> int:
    """Return SURELY for a decoded document that is a PIR program of Paddle, else 0."""
    if not isinstance(value, dict) or "opspec" in value:
        return 0
    program = value.get("program")
    is_program = "base_code" in value or (isinstance(program, dict) and "regions" in program)
    return SURELY if is_program else 0


def load(value: Any, file: str) -> Spec:
    """Return the interface of a model that exists only in memory, such as one from another revision.

    Raises InputError if the model cannot be read, or contains only weights.
    """
    import json

    from opspec_lint.kit import scratch

    data = value.data if isinstance(value, Raw) else json.dumps(value).encode()
    # Readers of models need a path: some formats are recognised by the name of the file.
    with scratch.folder() as folder:
        path = folder / _recognisable_name(data, os.path.basename(file.rpartition(":")[2]) or NAME)
        path.write_bytes(data)
        return _interface(str(path), file)


def open_path(path: str) -> Spec | None:
    """Return the interface of a saved model, None if the path is no model.

    Raises:
        LfsPointerError: the file is a pointer of git-lfs.
        InputError: the model cannot be read, or holds weights alone.
    """
    from opspec_lint.models.format import Candidate

    return _interface(path, path) if _is_model(Candidate(path)) else None


def _is_model(candidate: Candidate) -> bool:
    """Return True if a format claims the candidate, or if it is a pointer of git-lfs."""
    from opspec_lint.models.files import LfsPointerError
    from opspec_lint.models.recognise import format_of

    try:
        return format_of(candidate) is not None
    except LfsPointerError:
        return True


def _interface(path: str, file: str) -> Spec:
    """Return the interface of the model at `path`; errors name `file` instead."""
    from opspec_lint.frameworks.interface import declare
    from opspec_lint.models.recognise import read_model

    try:
        return declare.spec_of(read_model(path)).replace(file=file)
    except InputError as error:
        if path == file:
            raise
        raise type(error)(file, error.problem, where=error.where, advice=error.advice) from None


def _recognisable_name(data: bytes, name: str) -> str:
    """Return the file name that bytes need to be recognised, or `name` if any name will do."""
    return _SAVED_MODEL if _is_saved_model(data) else name


def _is_saved_model(data: bytes) -> bool:
    """Return True if bytes look like a SavedModel: a version and meta graphs, and nothing else."""
    from opspec_lint.models import wire

    # The fields of SavedModel: 1 saved_model_schema_version, 2 meta_graphs.
    version, meta_graph = (1, wire.VARINT), (2, wire.BYTES)
    leading = wire.leading_fields(data)
    if not leading or not {meta_graph} <= set(leading) <= {version, meta_graph}:
        return False
    return wire.leading_fields(wire.first_payload(data, 2) or b"") is not None


FORMAT = Format(
    summary="saved model of any framework, of which the interface is compared",
    likeness=likeness,
    claims=claims,
    load=load,
    open=open_path,
    folder_files=_FOLDER_FILES,
    is_kept=False,
)
