"""Reads op_compat.yaml for what it says of PIR ops."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.dialect.found import LegacyData
from opspec_lint.frameworks.paddle.source.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.source.yaml.entries import entries
from opspec_lint.frameworks.paddle.source.yaml.names import aliases
from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.frameworks.paddle.source.dialect.found import Place
    from opspec_lint.frameworks.paddle.source.dialect.special_names import SpecialNames
    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry


def _places(found: Iterable[YamlEntry], source: YamlSource) -> dict[str, dict[str, Place]]:
    places: dict[str, dict[str, Place]] = {}
    for entry in found:
        named = aliases(entry, source)
        of_op = places.setdefault(named[""][0], {})
        for alias, (own, place) in named.items():
            of_op[own if alias else ""] = place.file, place.line, place.column
    return places


def read(path: str, text: str, special: SpecialNames, sparse: Iterable[str]) -> LegacyData:
    """The names in an op_compat.yaml, with those that its script adds, and the ops of sparse tensors.

    Raises:
        UnresolvedError: the file is no list of entries.
    """
    found = entries(text, path)
    names = LegacyNames(found, special, sparse)
    return LegacyData(tables=names.tables, places=_places(found, YamlSource(path, text)))
