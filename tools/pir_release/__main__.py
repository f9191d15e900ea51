"""Generator of the spec of the PIR ops of a released Paddle: `python -m tools.pir_release PYTHON FILE`.

PYTHON is an interpreter with the release, on Linux. The compiled library supplies the facts that the wheel lacks.
"""

from __future__ import annotations

import os
import sys

from opspec_lint.frameworks.paddle.extract.dialect import package, wheel
from opspec_lint.frameworks.paddle.extract.dialect.hand_written import PLACES
from opspec_lint.frameworks.paddle.extract.dialect.headers import op_classes
from opspec_lint.frameworks.paddle.sources import pir_wheel
from opspec_lint.kit.text import source_text
from opspec_lint.sources.reading import Reading
from opspec_lint.spec import canonical
from tools.pir_release.completion import with_library
from tools.pir_release.library import query

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.spec.model import Spec

_DIALECT = "paddle/fluid/pir/dialect/operator/"
"""Folder of the headers whose classes the library has information on."""
_HEADERS = (wheel.GENERATED, *(f"include/{header}" for header, _ in PLACES if header.startswith(_DIALECT)))
_MADE_BY = f"{pir_wheel.SCHEME}, and what it does not say the library of the wheel"


def main(python: str, output: str) -> None:
    text = canonical.dumps(released(python))
    with open(output, "w", encoding="utf-8") as stream:
        stream.write(text)


def released(python: str) -> Spec:
    """Return the spec of the PIR ops of an interpreter's Paddle."""
    spec = pir_wheel.extract(python, Reading(environment=os.environ))
    spec = with_library(spec, query(python), _class_names(python))
    return spec.replace(provenance=spec.provenance.replace(made_by=_MADE_BY))


def _class_names(python: str) -> dict[str, str]:
    """Return the names of the C++ classes by the names of their ops."""
    opened = package.open_package(pir_wheel.SCHEME, python, os.environ.get("PATH", ""), sys.prefix)
    texts = (source_text(opened.read(header) or b"") for header in _HEADERS)
    return {op_class.op: op_class.name for text in texts for op_class in op_classes(text)}


if __name__ == "__main__":
    main(*sys.argv[1:])
