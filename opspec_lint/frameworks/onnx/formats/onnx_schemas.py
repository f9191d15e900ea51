"""The format of a schema dump: `onnx.defs.get_all_schemas_with_history()` of one onnx release as JSON."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError
from opspec_lint.sources.format import SURELY, Format
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Spec

MADE_BY = "onnx-runtime"
"""The source that makes a dump: an interpreter with the release."""


def likeness(value: Any) -> int:
    """Return SURELY for a document in this format, else 0."""
    return SURELY if isinstance(value, dict) and value.keys() == {"info", "schemas"} else 0


def load(value: Any, file: str) -> Spec:
    """Return the spec in a document.

    Raises:
        InputError: the document is no dump of schemas.
    """
    from opspec_lint.frameworks.onnx.extract import schemas
    from opspec_lint.frameworks.onnx.identity import DEFAULT

    info = value["info"]
    if not isinstance(info, dict):
        raise InputError(file, "expected a mapping", where="info", advice="name a complete dump")
    for key, kind in (("onnx", str), ("ir_version", int), ("opset", int)):
        if type(info.get(key)) is not kind:
            advice = "a dump states the release, its IR version and its opset"
            raise InputError(file, f"expected a value of type {kind.__name__}", where=f"info.{key}", advice=advice)
    return schemas.spec_of(
        value["schemas"],
        Provenance(framework="onnx", version=info["onnx"], made_by=MADE_BY),
        file,
        ir_version=info["ir_version"],
        opsets={DEFAULT: info["opset"]},
    )


FORMAT = Format(summary="dump of the schemas of onnx.defs", likeness=likeness, load=load)
