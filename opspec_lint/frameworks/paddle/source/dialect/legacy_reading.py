"""Reads op_compat.yaml for what it says of PIR ops."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.dialect import special_names
from opspec_lint.frameworks.paddle.source.dialect.found import LegacyData
from opspec_lint.frameworks.paddle.source.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.source.yaml.entries import entries
from opspec_lint.frameworks.paddle.source.yaml.names import aliases
from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from opspec_lint.frameworks.paddle.source.dialect.found import Place
    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry


class Added(Record):
    """What adds to an op_compat.yaml: the script that reads it, with its text, and the ops of sparse tensors."""

    script: str = ""
    text: str = ""
    sparse: tuple[str, ...] = ()


def _places(found: Iterable[YamlEntry], source: YamlSource) -> dict[str, dict[str, Place]]:
    places: dict[str, dict[str, Place]] = {}
    for entry in found:
        named = aliases(entry, source)
        of_op = places.setdefault(named[""][0], {})
        for alias, (own, place) in named.items():
            of_op[own if alias else ""] = place.file, place.line, place.column
    return places


def read(path: str, text: str, added: Added) -> LegacyData:
    """Return what an op_compat.yaml says, and what is added to it.

    Raises:
        UnresolvedError: it is no list of entries, or the script is no Python.
    """
    found = entries(text, path)
    special = special_names.read(added.text, added.script)
    names = LegacyNames(found, special, added.sparse)
    return LegacyData(tables=names.tables, places=_places(found, YamlSource(path, text)))
