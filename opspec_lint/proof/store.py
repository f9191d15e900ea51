"""A store: the models of each release, which a repository keeps, and every later release is tried on.

    STORE/FRAMEWORK-RELEASE/index.json     what stands there, and what the release made of each model
    STORE/FRAMEWORK-RELEASE/OP-DIGEST.pb   a model

A release has a model of each of its ops, and those that showed something about it. Files are named for their content,
so that writing a store again changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.proof.draw import smallest, usual
from opspec_lint.proof.naming import digest, file_of, folder_of
from opspec_lint.proof.sample import UnwritableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Any

    from opspec_lint.proof.trial import Trial
    from opspec_lint.proof.writer import Writer
    from opspec_lint.spec.model import Spec

INDEX = "index.json"
VERSION = 1
_MOST = 1 << 24
"""Bytes of a file of a store: an index, or a model."""


class Stored(Record):
    """A model of a store: the file that it stands in, its op and release, the loader that it was made for.

    `attrs` is what its own release takes the attrs of its op for, None where that was not asked.
    """

    file: str
    op: str
    release: str
    loader: str
    data: bytes
    attrs: Mapping[str, str] | None = None


def every_op(spec: Spec, writer: Writer) -> dict[bytes, str]:
    """Return a model of each op of a release, as savers write it and as short as can be; those that can be written."""
    found: dict[bytes, str] = {}
    for name in sorted(spec.ops):
        for make in (usual, smallest):
            with contextlib.suppress(UnwritableError):
                found.setdefault(writer.write(make(spec.ops[name], writer), spec), name)
    return found


def files_of(
    store: str, spec: Spec, loader: str, suffix: str, became: Mapping[bytes, tuple[str, Trial | None]]
) -> dict[str, str | bytes]:
    """Return the files that keep models of a release, each by its path.

    Args:
        store: the folder.
        spec: that of the release.
        loader: the name of the loader that the models are made for.
        suffix: that of the files.
        became: the op of each model, and what became of it under its own release, None where nobody asked; one that it
            does not take is left out.

    Raises:
        UsageError: the spec does not say which release it is of.
    """
    release = spec.provenance.version
    if release is None:
        raise UsageError(
            f"{spec.file} does not say which release it is of, so its models cannot be stored",
            advice="name the spec of a release as BASE",
        )
    folder = os.path.join(store, folder_of(spec.provenance.framework, release))
    kept = {
        file_of(op, data, suffix): (op, data, tried) for data, (op, tried) in became.items() if not tried or tried.loads
    }
    index = {
        "version": VERSION,
        "framework": spec.provenance.framework,
        "release": release,
        "loader": loader,
        "models": [
            {"file": file, "op": op, "sha256": digest(data), "attrs": None if tried is None else dict(tried.attrs)}
            for file, (op, data, tried) in sorted(kept.items())
        ],
    }
    files: dict[str, str | bytes] = {os.path.join(folder, file): data for file, (_, data, _) in kept.items()}
    return files | {os.path.join(folder, INDEX): json.dumps(index, indent=1, sort_keys=True) + "\n"}


def read(store: str, framework: str) -> list[Stored]:
    """Return the models of a store that are of a framework, oldest name first.

    Raises:
        InputError: there is none, or what stands there is not what its index says.
    """
    found: list[Stored] = []
    for folder in _folders(store):
        found += _of_release(folder, framework)
    if not found:
        raise InputError(store, f"has no models of {framework}", advice="make it with `prove --store DIR BASE HEAD`")
    return found


def frameworks(store: str) -> set[str]:
    """Return the frameworks of which a store has models.

    Raises:
        InputError: the store cannot be read.
    """
    from opspec_lint.documents.schema import load as schema_named

    return {_index(folder / INDEX, schema_named("store"))["framework"] for folder in _folders(store)}


def _folders(store: str) -> list[Path]:
    from pathlib import Path

    try:
        return sorted(each for each in Path(store).iterdir() if os.path.lexists(each / INDEX))
    except OSError as error:
        raise InputError(store, f"cannot be read: {error.strerror}", advice="name the folder of a store") from None


def _of_release(folder: Path, framework: str) -> Iterator[Stored]:
    from opspec_lint.documents.schema import load as schema_named

    index = folder / INDEX
    document = _index(index, schema_named("store"))
    if document["framework"] != framework:
        return
    for entry in document["models"]:
        path = folder / entry["file"]
        data = _bytes(path)
        if digest(data) != entry["sha256"]:
            raise InputError(str(path), f"is not the model that {index} names", advice="check out the store again")
        yield Stored(
            file=str(path),
            op=entry["op"],
            release=document["release"],
            loader=document["loader"],
            data=data,
            attrs=entry["attrs"],
        )


def _index(path: Path, schema: dict[str, Any]) -> dict[str, Any]:
    """Return an index.

    Raises:
        InputError: the file is no index.
    """
    from opspec_lint.documents.decode import decode
    from opspec_lint.documents.schema import faults

    document: dict[str, Any] = decode(_bytes(path), str(path)).value
    for fault in faults(document, schema):
        raise InputError(str(path), fault.problem, where=fault.where, advice=fault.advice)
    return document


def _bytes(path: Path) -> bytes:
    from opspec_lint.models.files import open_file

    try:
        with open_file(str(path)) as stream:
            data = stream.read(_MOST + 1)
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}", advice="check out the store again") from None
    if len(data) > _MOST:
        raise InputError(str(path), f"is larger than {_MOST} bytes", advice="check out the store again")
    return data
