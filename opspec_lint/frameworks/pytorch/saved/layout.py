"""Where things stand in an archive of PyTorch: what lies in its one folder, whose name says nothing."""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.models.archive import Archive
    from opspec_lint.models.format import Candidate

_MAGIC = b"PK\x03\x04"

_VERSIONS = (".data/version", "version")
"""Where the version of an archive stands: since 2.13 in the first place, before in the second."""
_LONGEST_VERSION = 64
OLD_PROGRAM = "serialized_exported_program.json"
"""The one model of an archive of torch.export, as it was called up to 2.8; it stands in no folder."""

FLAT, FOLDERS = "flat", "pt2"
LAYOUTS = {FLAT: OLD_PROGRAM, FOLDERS: "load_pt2"}
"""The layouts of archives of torch.export, and what the code of a release that reads one mentions."""


def entries(candidate: Candidate) -> dict[str, str]:
    """Return the names of entries of an archive by what they are within its folder; none of what is no archive."""
    if not candidate.is_file or not candidate.head.startswith(_MAGIC):
        return {}
    from opspec_lint.models.archive import Archive

    try:
        with Archive(candidate) as archive:
            return inner(archive.names())
    except InputError:
        return {}


def inner(names: Iterable[str]) -> dict[str, str]:
    """Return the names of entries by what they are within the archive's folder."""
    return {name.partition("/")[2] or name: name for name in names}


def programs(entries: dict[str, str]) -> dict[str, str]:
    """Return the entries of an archive that are programs of torch.export, by the names of the models."""
    found = {
        inside.removeprefix("models/").removesuffix(".json"): name
        for inside, name in entries.items()
        if inside.startswith("models/") and inside.endswith(".json")
    }
    old = entries.get(OLD_PROGRAM)
    return found if old is None else {**found, "": old}


def code(entries: dict[str, str]) -> dict[str, str]:
    """Return the entries of an archive that are TorchScript, by the names of what they define."""
    return {
        inside.removeprefix("code/").removesuffix(".py").replace("/", "."): name
        for inside, name in entries.items()
        if inside.startswith("code/") and inside.endswith(".py")
    }


_WEIGHTS = ("data/", "constants/")
"""Where weights lie in an archive."""


def sizes(archive: Archive, entries: dict[str, str], graph: Iterable[str]) -> dict[str, int]:
    """Return the bytes of an archive, unpacked: the entries that are its graph, and its weights."""
    weights = (name for inside, name in entries.items() if inside.startswith(_WEIGHTS))
    return {"graph": sum(map(archive.size, graph)), "variables": sum(map(archive.size, weights))}


def version(archive: Archive, entries: dict[str, str]) -> int | None:
    """Return the version of an archive, None where it has none.

    Raises:
        InputError: the version cannot be read.
    """
    for inside in _VERSIONS:
        if inside in entries:
            text = archive.read(entries[inside], _LONGEST_VERSION).strip()
            return int(text) if text.isdigit() else None
    return None
