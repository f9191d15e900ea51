"""The names of PIR ops and their arguments in ProgramDescs by op_compat.yaml, with the places of these names."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.extract.yaml.entries import parse_entries
from opspec_lint.frameworks.paddle.extract.yaml.names import read_aliases
from opspec_lint.frameworks.paddle.extract.yaml.ops import YamlSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import TypedDict

    from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import Tables
    from opspec_lint.frameworks.paddle.extract.dialect.special_names import SpecialNames
    from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry
    from opspec_lint.spec.records import Place

    class Legacy(TypedDict):
        """The tables of `LegacyNames`, and the places of names.

        `places` are by PIR op (without its dialect) and argument; "" is the entry of the op.
        """

        tables: Tables
        places: dict[str, dict[str, Place]]


_BACKWARD = "_grad"


def _places(compat_entries: Iterable[YamlEntry], source: YamlSource) -> dict[str, dict[str, Place]]:
    """Return the places of the names in entries of op_compat.yaml."""
    places: dict[str, dict[str, Place]] = {}
    for entry in compat_entries:
        aliases = read_aliases(entry, source)
        places_of_op = places.setdefault(aliases[""][0], {})
        for alias, (name, place) in aliases.items():
            places_of_op[name if alias else ""] = place
    return places


def places_of(op: str, places: Mapping[str, Mapping[str, Place]]) -> Mapping[str, Place] | None:
    """Return the places of the names of an op's arguments; None for an op that op_compat.yaml lacks.

    A gradient has the places of its forward op, whose entry names its arguments too.
    """
    op_name = op.partition(".")[2].removesuffix("_")
    return places.get(op_name) or places.get(op_name.partition(_BACKWARD)[0])


def read(path: str, text: str, special: SpecialNames, sparse: Iterable[str]) -> Legacy:
    """Return the names in op_compat.yaml, those that its script adds, and the ops of sparse tensors.

    Raises UnresolvedError if the file is no list of entries.
    """
    compat_entries = parse_entries(text, path)
    names = LegacyNames(compat_entries, special, sparse)
    return {"tables": names.tables, "places": _places(compat_entries, YamlSource(path, text))}
