"""The source `pytorch-wheel`: the native_functions.yaml in a wheel of PyTorch. Nothing is installed or run."""

from __future__ import annotations

import re

from opspec_lint.kit.errors import InputError, NothingThereError
from opspec_lint.sources.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zipfile import ZipFile

    from opspec_lint.sources.reading import Reading
    from opspec_lint.spec.model import Spec

SCHEME = "pytorch-wheel"
_PACKAGED = "torchgen/packaged/ATen/native/native_functions.yaml"
_VERSION = "torch/version.py"
_HEADERS = {"caffe2/serialize/versions.h": "torch/include/caffe2/serialize/versions.h"}
"""The places in a wheel of files that have another path in the source tree."""
_MAX_BYTES = 16 << 20
"""Bytes of an entry that are read."""


def extract(argument: str, reading: Reading) -> Spec:  # noqa: ARG001
    """Return the spec of a wheel file.

    Raises:
        InputError: there is no such file, or it cannot be read.
        NothingThereError: the file is no wheel of PyTorch, or brings no native_functions.yaml.
    """
    import zipfile
    import zlib

    from opspec_lint.frameworks.pytorch.extract import limits, native
    from opspec_lint.frameworks.pytorch.schemas.table import spec_of
    from opspec_lint.kit.named_file import open_named
    from opspec_lint.spec.model import Provenance

    file = f"{SCHEME}:{argument}"
    if not argument:
        raise InputError(SCHEME, "names no wheel", advice=f"write {SCHEME}:FILE.whl")
    try:
        with open_named(argument) as stream, zipfile.ZipFile(stream) as archive:
            text, version_file = (_read_entry(archive, name, file) for name in (_PACKAGED, _VERSION))
            stated = {name: _read_entry(archive, _HEADERS.get(name, name), file) for name in limits.FILES}
    except FileNotFoundError:
        raise InputError(file, f"there is no file {argument!r}") from None
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        # zipfile raises RuntimeError for an encrypted entry, and NotImplementedError for a compression that it lacks.
        raise InputError(file, f"is not a wheel: {error}", advice="it may be truncated: copy it again") from None
    if text is None:
        advice = "name a wheel of torch 1.13 or later"
        raise NothingThereError(file, f"it has no {_PACKAGED}", advice=advice)
    version = re.search(r"^__version__ = ['\"]([^'\"\n]+)", version_file or "", re.MULTILINE)
    provenance = Provenance(framework="pytorch", version=version[1] if version else None, made_by=SCHEME)
    return spec_of(native.read(text, _PACKAGED), file, provenance, loading=limits.read_limits(stated))


def _read_entry(archive: ZipFile, name: str, file: str) -> str | None:
    """Return the text of an entry, None where there is none."""
    if name not in archive.namelist():
        return None
    with archive.open(name) as stream:
        # One byte more shows that the entry is too long; the size that the archive states may be wrong.
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise InputError(file, f"{name} is larger than {_MAX_BYTES >> 20} MiB, as no such file of PyTorch is")
    return data.decode("utf-8", "replace")


SOURCE = Source(
    summary="the ops of a wheel of PyTorch, without installing it: pytorch-wheel:FILE",
    extract=extract,
    wheel=True,
)
