"""The ops of PIR's dialects in a package of Paddle, installed or as a wheel file: it is neither imported nor run.

See `opspec_lint.frameworks.paddle.extract.dialect.wheel`.
"""

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
    """Return the spec of a package.

    Args:
        argument: an interpreter, a folder that holds the package, or a wheel file; "" is the interpreter of this.
        reading: the environment that programs are looked for in.

    Raises:
        InputError: the file does not exist, or cannot be read.
        NothingThereError: the package has no Paddle, or one without the headers.
    """
    from opspec_lint.frameworks.paddle.extract.dialect import package, wheel

    file = f"{SCHEME}:{argument}" if argument else SCHEME
    opened = package.open_package(SCHEME, argument, reading.environment.get("PATH", ""), sys.prefix)
    reading.progress("reading the headers and the library")
    found = wheel.read(opened)
    reading.progress("")
    version, commit = package.read_version(opened)
    if found is None:
        problem = f"Paddle {version or ''} brings no header pd_op.h".replace("  ", " ")
        raise NothingThereError(file, problem, advice="wheels of Paddle 3.0.0 and later bring it")
    provenance = Provenance(framework="paddle-pir", version=version, commit=commit, made_by=SCHEME)
    return found.spec(file, provenance)


SOURCE = Source(
    summary="the PIR ops of an installed Paddle or of a wheel: paddle-pir-wheel:PYTHON or FILE",
    extract=extract,
    wheel=True,
)
"""Nothing is run: the files of the package are read."""
