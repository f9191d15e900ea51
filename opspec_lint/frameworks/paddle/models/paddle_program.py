"""The model format of a ProgramDesc: `NAME.pdmodel`, `__model__` of older releases, or a folder.

No parameters are read.
"""

from __future__ import annotations

import os

from opspec_lint.frameworks.paddle.saved.folder import program_in
from opspec_lint.kit.errors import InputError
from opspec_lint.models import wire
from opspec_lint.models.files import read_file
from opspec_lint.models.format import ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from google.protobuf.message import Message

    from opspec_lint.models.format import Candidate
    from opspec_lint.models.model import Model

_BLOCK = [(1, wire.VARINT), (2, wire.VARINT)]
"""The first fields of a serialized block: its index, and the index of the block around it."""


def claims(candidate: Candidate) -> bool:
    """Return whether a file begins with the first block of a program, or a folder has one program."""
    if candidate.is_folder:
        return program_in(candidate, ".pdmodel") is not None
    if not candidate.is_file:
        return False
    block = wire.first_payload(candidate.view, 1)
    return block is not None and (wire.leading_fields(block, 2) or [])[:2] == _BLOCK


def read(candidate: Candidate) -> Model[Message]:
    """Return the model of a program; raise InputError for a file that cannot be read."""
    from google.protobuf.message import DecodeError

    from opspec_lint.frameworks.paddle.saved.programs import attrs, describe
    from opspec_lint.frameworks.paddle.saved.programs.messages import message_class
    from opspec_lint.models.model import Model

    path = candidate.path
    name = program_in(candidate, ".pdmodel") if candidate.is_folder else None
    file = path if name is None else os.path.join(path, name)
    data = candidate.take() if name is None else read_file(file)
    try:
        program = message_class("ProgramDesc").FromString(data)
        # Attrs stay bytes in the parsed message (program.proto), so a damaged one would only show later.
        for block in program.blocks:
            for node in block.ops:
                attrs.check(node.attrs)
    except DecodeError:
        raise InputError(
            file, "is not a ProgramDesc: its bytes cannot be decoded", advice="it may be truncated: copy it again"
        ) from None
    if not program.blocks:
        raise InputError(file, "is not a ProgramDesc: it has no block", advice="it may be truncated: copy it again")
    return Model(file=path, meta_graphs=(describe.describe_program(program),), content=program)


def value_name(attr: str, value: object) -> str | None:
    """Return the name of a type of tensors, which attrs such as `dtype` and `out_dtype` have as a number."""
    from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES

    return VAR_TYPES.get(value) if isinstance(value, int) and (attr == "dtype" or attr.endswith("_dtype")) else None


MODEL_FORMAT = ModelFormat(
    summary="Paddle's ProgramDesc (NAME.pdmodel, __model__)",
    claims=claims,
    read=read,
    endings=(".pdmodel", "__model__"),
    value_name=value_name,
)
