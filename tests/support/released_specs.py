"""The released specs, each read once."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

import pytest

from opspec_lint.documents.decode import decode
from opspec_lint.sources import recognise
from opspec_lint.sources import released as released_files
from opspec_lint.sources.loaded import Loaded
from tests.support.paths import SPECS

_READ = recognise.read


def some(*families):
    """Return the files of some families of released specs as parameters: the first, the middle and the last of each.

    The others are marked as exhaustive.
    """
    parameters = []
    for family in families:
        paths = sorted(SPECS.glob(f"{family}-[0-9]*.json"), key=_version)
        sample = (paths[0], paths[len(paths) // 2], paths[-1])
        parameters += [
            pytest.param(path, id=path.stem, marks=() if path in sample else pytest.mark.exhaustive) for path in paths
        ]
    return parameters


def _version(path):
    return [int(part) for part in re.findall(r"\d+", path.stem)]


@cache
def released(name):
    """Return a released spec: `paddle-2.6.2`."""
    return recognise.spec_of(decode((SPECS / f"{name}.json").read_bytes(), name))


def read(path, memo=None, include=()):
    """Return a spec file as `recognise.read` does; a released spec is decoded once for each text of its file."""
    file = Path(path)
    if file.suffix != ".json" or file.resolve().parent != SPECS or not file.is_file():
        return _READ(path, memo, include)
    data = file.read_bytes()
    return Loaded(spec=_decoded(data, path), path=path, text=data.decode(), is_file=True)


def load(reference, reading):  # noqa: ARG001 - the memo of another reading is not needed
    """Return a released spec as `references` does, decoded once for each text of its file."""
    name = released_files.full_name(reference)
    return Loaded(spec=_decoded(released_files.read(name), name), path=name)


@lru_cache(maxsize=32)  # more than a framework has releases
def _decoded(data, name):
    return recognise.spec_of(recognise.document_of(data, name, None))


def text_as_extracted(name):
    """Return the text of a released spec without its day, which is added by hand, as no wheel states it."""
    text = (SPECS / f"{name}.json").read_text(encoding="utf-8")
    return re.sub(r', "released": "[\d-]+"', "", text, count=1)
