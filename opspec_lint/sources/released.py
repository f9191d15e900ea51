"""The released specs that opspec-lint contains, by name: `paddle@2.6.2` is `specs/paddle-2.6.2.json` of the checkout.

The wheel contains the same files, compressed (`hatch_build.py`).
"""

from __future__ import annotations

import os

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_ROOT = os.path.dirname(os.path.dirname(__file__))
_PLACES = (
    (os.path.join(_ROOT, "released"), ".json.gz"),
    (os.path.join(os.path.dirname(_ROOT), "specs"), ".json"),
)
"""The folder of the specs and the suffix of their files, in the wheel and in the checkout."""


def is_name(reference: str) -> bool:
    """Tell whether a reference is written as the name of a released spec: `NAME@VERSION`."""
    name, _, version = reference.partition("@")
    return _is_plain(name) and version[:1].isdigit() and _is_plain(version)


def names() -> list[str]:
    """Return the names of the released specs, older releases first."""
    folder, suffix = _place()
    found = (file.removesuffix(suffix).rpartition("-") for file in _entries(folder) if file.endswith(suffix))
    return sorted((f"{name}@{version}" for name, _, version in found if name), key=_age)


def read(reference: str) -> bytes:
    """Return the text of the spec file that a name stands for.

    Raises:
        InputError: no released spec has that name.
    """
    if reference not in names():
        raise InputError(reference, "no released spec has this name", advice=_advice(reference))
    folder, suffix = _place()
    with open(os.path.join(folder, reference.replace("@", "-") + suffix), "rb") as stream:
        data = stream.read()
    if not suffix.endswith(".gz"):
        return data
    import zlib

    return zlib.decompress(data, wbits=31)


def _place() -> tuple[str, str]:
    return next((place for place in _PLACES if os.path.isdir(place[0])), _PLACES[-1])


def _entries(folder: str) -> Iterable[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return ()


def _is_plain(word: str) -> bool:
    return bool(word) and word.replace(".", "").replace("-", "").replace("_", "").replace("+", "").isalnum()


def _age(reference: str) -> tuple[str, list[tuple[int, str]]]:
    """Return what sorts names: by the framework, then by the numbers of the version."""
    name, _, version = reference.partition("@")
    return name, [(int(part), "") if part.isdecimal() else (0, part) for part in version.split(".")]


def _advice(reference: str) -> str:
    """Return the versions of the framework that a name names, or else all names."""
    name = reference.partition("@")[0]
    known = names()
    near = [each for each in known if each.partition("@")[0] == name] or known
    return f"released specs: {', '.join(near)}" if near else "reinstall opspec-lint, which brings the released specs"
