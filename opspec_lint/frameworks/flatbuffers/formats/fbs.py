"""The format of FlatBuffers schemas (`.fbs`), with the files that they include."""

from __future__ import annotations

import re

from opspec_lint.sources.format import Format, Raw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Spec

NAME = "fbs"
_BEGIN = (
    rb"(?:\xef\xbb\xbf)?(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*"
    rb'(?:(?:table|struct|enum|union|rpc_service)\s+\w+\s*[:({]|namespace(?:\s+[\w.]+)?\s*;|(?:native_)?include\s*["\']'
    rb'|attribute\s+["\'\w]|root_type\s+[\w.]+\s*;|file_(?:identifier|extension)\s*["\'])'
)
"""The beginning of a schema: comments, then a declaration."""


def claims(data: bytes) -> bool:
    """Return whether bytes begin like a schema."""
    return re.match(_BEGIN, data) is not None


def load(value: Any, file: str) -> Spec:
    """Return the spec of a schema.

    Raises:
        InputError: the file is no schema, or an include is not in its tree.
    """
    from opspec_lint.documents.fbs.resolve import read_schema
    from opspec_lint.sources.declared import spec_of

    raw: Raw = value
    schema = read_schema(raw.data, raw.around.path or file, raw.around)
    return spec_of(schema, file, "flatbuffers", NAME)


FORMAT = Format(
    summary="FlatBuffers schema (.fbs)",
    claims=claims,
    suffix=".fbs",
    load=load,
    includes=lambda data: b"include" in data,
)
