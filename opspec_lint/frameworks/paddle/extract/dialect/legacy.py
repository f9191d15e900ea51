"""What op_compat.yaml says of PIR ops: what a ProgramDesc calls them and their arguments, and where it says so."""

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
        """What op_compat.yaml says: the tables of `LegacyNames`, and the places of names.

        These are by op of PIR, without its dialect, and by argument; "" is the entry of the op.
        """

        tables: Tables
        places: dict[str, dict[str, Place]]


_BACKWARD = "_grad"


def _places(found: Iterable[YamlEntry], source: YamlSource) -> dict[str, dict[str, Place]]:
    places: dict[str, dict[str, Place]] = {}
    for entry in found:
        named = read_aliases(entry, source)
        of_op = places.setdefault(named[""][0], {})
        for alias, (own, place) in named.items():
            of_op[own if alias else ""] = place
    return places


def places_of(op: str, places: Mapping[str, Mapping[str, Place]]) -> Mapping[str, Place] | None:
    """Return the places of the names of an op's arguments, None for an op that op_compat.yaml does not name."""
    own = op.partition(".")[2].removesuffix("_")
    return places.get(own) or places.get(own.partition(_BACKWARD)[0])


def read(path: str, text: str, special: SpecialNames, sparse: Iterable[str]) -> Legacy:
    """The names in an op_compat.yaml, with those that its script adds, and the ops of sparse tensors.

    Raises:
        UnresolvedError: the file is no list of entries.
    """
    found = parse_entries(text, path)
    names = LegacyNames(found, special, sparse)
    return {"tables": names.tables, "places": _places(found, YamlSource(path, text))}
