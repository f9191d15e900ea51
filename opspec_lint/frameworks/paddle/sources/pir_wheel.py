"""The PIR ops of a package of Paddle, installed or as a wheel file, which is neither imported nor run."""

from __future__ import annotations

import sys

from opspec_lint.kit.errors import NothingThereError
from opspec_lint.sources.source import Source
from opspec_lint.spec.model import Provenance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "paddle-pir-wheel"


def extract(argument: str, reading: Reading) -> Spec:
    """Return the spec of a package: an interpreter's, a folder's, or a wheel file's; "" is this interpreter's.

    Raises InputError for a file that cannot be read, and NothingThereError for a package without the headers of PIR
    ops.
    """
    from opspec_lint.frameworks.paddle.extract.dialect import package, wheel

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    opened = package.open_package(SCHEME, argument, reading.environment.get("PATH", ""), sys.prefix)
    reading.progress("reading the headers and the library")
    extracted = wheel.read(opened)
    reading.progress("")
    version, commit = package.read_version(opened)
    if extracted is None:
        problem = f"Paddle {version or ''} brings no header pd_op.h".replace("  ", " ")
        raise NothingThereError(file, problem, advice="wheels of Paddle 3.0.0 and later bring it")
    provenance = Provenance(framework="paddle-pir", version=version, commit=commit, made_by=SCHEME)
    return extracted.spec(file, provenance)


SOURCE = Source(
    summary="the PIR ops of an installed Paddle or of a wheel: paddle-pir-wheel:PYTHON or FILE",
    extract=extract,
    wheel=True,
)
"""Nothing is run: the files of the package are read."""
