"""The model format of a PIR program: the `NAME.json` that Paddle 3 saves, or its folder. No parameters are read."""

from __future__ import annotations

import os
import re

from opspec_lint.frameworks.paddle.saved.folder import program_in
from opspec_lint.models.format import Candidate, ModelFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.frameworks.paddle.saved.pir.program import PirProgram
    from opspec_lint.models.model import Model

# A JSON file may begin with a byte order mark.
_BEGIN = (b"{", b"\xef\xbb\xbf{")
_HEADER = rb'"base_code"\s*:'


def claims(candidate: Candidate) -> bool:
    """Return whether a file is a PIR program: JSON whose beginning names the header, or a program with regions.

    A folder is one if its only program is such a file.
    """
    if candidate.is_folder:
        name = program_in(candidate, ".json")
        return name is not None and claims(Candidate(os.path.join(candidate.path, name)))
    head = candidate.head
    if not head.lstrip().startswith(_BEGIN):
        return False
    return re.search(_HEADER, head) is not None or (b'"program"' in head and b'"regions"' in head)


def read(candidate: Candidate) -> Model[PirProgram]:
    """Return the model of a PIR program; raise InputError for a file that cannot be read."""
    from opspec_lint.frameworks.paddle.saved.pir import describe, program
    from opspec_lint.models import json_file
    from opspec_lint.models.model import Model

    name = program_in(candidate, ".json") if candidate.is_folder else None
    if name is not None:
        return read(Candidate(os.path.join(candidate.path, name))).replace(file=candidate.path)
    path = candidate.path
    file_size = len(candidate.view)
    document = json_file.decode_json(candidate.take(), path, "PIR program")
    blocks = program.blocks(document, path)
    header = document.get("base_code")
    return Model(
        file=path,
        meta_graphs=(describe.describe_program(header if isinstance(header, dict) else {}, blocks),),
        measure=lambda: {"graph": file_size},
        content=program.PirProgram(header=header, blocks=blocks),
    )


MODEL_FORMAT = ModelFormat(summary="Paddle's PIR program (NAME.json)", claims=claims, read=read)
