"""The layout of PyTorch's archives: the entries of programs, code, weights and version.

All entries are in one folder of any name; without it, their names are the same in every archive (`inner`).
"""

from __future__ import annotations

from opspec_lint.kit.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.models.archive import Archive
    from opspec_lint.models.format import Candidate

_MAGIC = b"PK\x03\x04"

_VERSIONS = (".data/version", "version")
"""The entries with the version of an archive: the first since 2.13, the second before."""
_LONGEST_VERSION = 64
OLD_PROGRAM = "serialized_exported_program.json"
"""The one model of an archive of torch.export up to 2.8; it is in no folder."""

FLAT, FOLDERS = "flat", "pt2"
LAYOUTS = {FLAT: OLD_PROGRAM, FOLDERS: "load_pt2"}
"""The layouts of archives of torch.export, each with a text that the code of a release contains that reads it."""


def entries(candidate: Candidate) -> dict[str, str]:
    """Return the entries of an archive by their names within its folder, {} for a file that is no archive."""
    if not candidate.is_file or not candidate.head.startswith(_MAGIC):
        return {}
    from opspec_lint.models.archive import Archive

    try:
        with Archive(candidate) as archive:
            return inner(archive.names())
    except InputError:
        return {}


def inner(names: Iterable[str]) -> dict[str, str]:
    """Return entries by their names within the archive's folder: `version` for `model/version`."""
    # The folder is called as the file was when it was saved, so its name may be any.
    return {name.partition("/")[2] or name: name for name in names}


def programs(entries: dict[str, str]) -> dict[str, str]:
    """Return the entries of an archive that are programs of torch.export, by the names of the models."""
    programs = {
        inside.removeprefix("models/").removesuffix(".json"): name
        for inside, name in entries.items()
        if inside.startswith("models/") and inside.endswith(".json")
    }
    old = entries.get(OLD_PROGRAM)
    return programs if old is None else {**programs, "": old}


def code(entries: dict[str, str]) -> dict[str, str]:
    """Return the entries of an archive with TorchScript, by the names of their modules."""
    return {
        inside.removeprefix("code/").removesuffix(".py").replace("/", "."): name
        for inside, name in entries.items()
        if inside.startswith("code/") and inside.endswith(".py")
    }


_WEIGHTS = ("data/", "constants/")
"""The folders of weights in an archive."""


def sizes(archive: Archive, entries: dict[str, str], graph: Iterable[str]) -> dict[str, int]:
    """Return the unpacked size of the given entries, which are the graph, and of the weights, in bytes."""
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
