"""A store of models in a repository: generated models of each release, on which later releases are tested.

    STORE/FRAMEWORK-RELEASE/index.json     the files, and the attrs that the release read from each model
    STORE/FRAMEWORK-RELEASE/OP-DIGEST.pb   a model

A release has models of each of its ops, and models that proved a finding. A file is named by its content, so that
writing a store again changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os

from opspec_lint.kit.errors import InputError, UsageError
from opspec_lint.kit.record import Record
from opspec_lint.proof.draw import smallest, usual
from opspec_lint.proof.naming import digest, model_file_name, release_folder_name
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
"""Greatest size in bytes of a file of a store; a pull request may bring any file."""


class StoredModel(Record):
    """A model of a store, with its file, op, release, and the loader that it was made for.

    `attrs` are the values of the attrs of its op that its own release read, None if it was not loaded.
    """

    file: str
    op: str
    release: str
    loader: str
    data: bytes
    attrs: Mapping[str, str] | None = None


def models_of_every_op(spec: Spec, writer: Writer) -> dict[bytes, str]:
    """Return the op by model: for each op that can be written, the model of savers and the smallest model."""
    op_by_model: dict[bytes, str] = {}
    for name in sorted(spec.ops):
        for make in (usual, smallest):
            with contextlib.suppress(UnwritableError):
                op_by_model.setdefault(writer.write(make(spec.ops[name], writer), spec), name)
    return op_by_model


def store_files(
    store: str, spec: Spec, loader: str, suffix: str, outcomes: Mapping[bytes, tuple[str, Trial | None]]
) -> dict[str, str | bytes]:
    """Return the files to write into a store for a release, by path; raise UsageError for a spec without a release.

    `outcomes` are the op of each model, and its trial in its own release, None without an interpreter. Models that
    their own release does not load are dropped.
    """
    release = spec.provenance.version
    if release is None:
        raise UsageError(
            f"{spec.file} does not state its release, so its models cannot be stored",
            advice="name the spec of a release as BASE",
        )
    folder = os.path.join(store, release_folder_name(spec.provenance.framework, release))
    kept = {
        model_file_name(op, data, suffix): (op, data, tried)
        for data, (op, tried) in outcomes.items()
        if not tried or tried.loads
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


def read(store: str, framework: str) -> list[StoredModel]:
    """Return the models of a framework in a store, in order of folder name.

    Raises InputError if there are none, or if a file is not the one that the index lists.
    """
    models: list[StoredModel] = []
    for folder in _folders(store):
        models += _release_models(folder, framework)
    if not models:
        raise InputError(store, f"has no models of {framework}", advice="make it with `prove --store DIR BASE HEAD`")
    return models


def frameworks(store: str) -> set[str]:
    """Return the frameworks whose models a store contains."""
    from opspec_lint.documents.schema import load as schema_named

    return {_read_index(folder / INDEX, schema_named("store"))["framework"] for folder in _folders(store)}


def _folders(store: str) -> list[Path]:
    """Return the folders of releases, in order of name."""
    from pathlib import Path

    try:
        return sorted(folder for folder in Path(store).iterdir() if os.path.lexists(folder / INDEX))
    except OSError as error:
        raise InputError(store, f"cannot be read: {error.strerror}", advice="name the folder of a store") from None


def _release_models(folder: Path, framework: str) -> Iterator[StoredModel]:
    """Yield the models in the folder of a release, if it is of a framework."""
    from opspec_lint.documents.schema import load as schema_named

    index = folder / INDEX
    document = _read_index(index, schema_named("store"))
    if document["framework"] != framework:
        return
    for entry in document["models"]:
        path = folder / entry["file"]
        data = _read_bytes(path)
        # A pointer of git-lfs or converted line breaks must not be blamed on the release as a refusal.
        if digest(data) != entry["sha256"]:
            raise InputError(str(path), f"is not the model that {index} names", advice="check out the store again")
        yield StoredModel(
            file=str(path),
            op=entry["op"],
            release=document["release"],
            loader=document["loader"],
            data=data,
            attrs=entry["attrs"],
        )


def _read_index(path: Path, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the validated content of an index."""
    from opspec_lint.documents.decode import decode
    from opspec_lint.documents.schema import faults

    document: dict[str, Any] = decode(_read_bytes(path), str(path)).value
    for fault in faults(document, schema):
        raise InputError(str(path), fault.problem, where=fault.where, advice=fault.advice)
    return document


def _read_bytes(path: Path) -> bytes:
    """Return the bytes of a file of a store. Raises InputError if it has more than `_MOST`, or cannot be read."""
    from opspec_lint.models.files import open_file

    try:
        with open_file(str(path)) as stream:
            # One byte more shows that the file is larger.
            data = stream.read(_MOST + 1)
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}", advice="check out the store again") from None
    if len(data) > _MOST:
        raise InputError(str(path), f"is larger than {_MOST} bytes", advice="check out the store again")
    return data
