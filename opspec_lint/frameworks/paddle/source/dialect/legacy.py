"""What op_compat.yaml says of PIR ops: what a ProgramDesc calls them and their arguments, and where it says so."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.dialect import special_names
from opspec_lint.frameworks.paddle.source.dialect.legacy_names import LegacyNames
from opspec_lint.kit.record import Record
from opspec_lint.spec.model import SECTIONS, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry
    from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource
    from opspec_lint.spec.model import Op

    Places: TypeAlias = dict[str, dict[str, tuple[str, int, int]]]
    """By op of PIR, without its dialect, and by argument: file, line and column. "" is the entry of the op."""

    Plain: TypeAlias = tuple[Any, Places]
    """The tables of `LegacyNames`, and the places."""

NOTHING: Plain = (LegacyNames().tables, {})
"""What a tree without op_compat.yaml says."""
_BACKWARD = "_grad"
_FIELDS = ("legacy_name", "legacy_tensors", "legacy_extra")
"""What an entry states of an argument."""


class Added(Record):
    """What adds to an op_compat.yaml: the script that reads it, with its text, and the ops of sparse tensors."""

    script: str = ""
    text: str = ""
    sparse: tuple[str, ...] = ()


def read(path: str, text: str, added: Added) -> Plain:
    """Return what an op_compat.yaml says, and what is added to it.

    Raises:
        UnresolvedError: it is no list of entries, or the script is no Python.
    """
    from opspec_lint.frameworks.paddle.source.yaml.entries import entries
    from opspec_lint.frameworks.paddle.source.yaml.ops import YamlSource

    found = entries(text, path)
    special = special_names.read(added.text, added.script)
    names = LegacyNames(found, special, added.sparse)
    return names.tables, _places(found, YamlSource(path, text))


def _places(found: Iterable[YamlEntry], source: YamlSource) -> Places:
    from opspec_lint.frameworks.paddle.source.yaml.names import aliases

    places: Places = {}
    for entry in found:
        named = aliases(entry, source)
        of_op = places.setdefault(named[""][0], {})
        of_op.update({own if alias else "": place for alias, (own, *place) in named.items()})  # type: ignore[misc]
    return places


class Legacy:
    """What an op_compat.yaml says.

    Args:
        plain: as `read` returned it.
    """

    def __init__(self, plain: Plain) -> None:
        tables, self._places = plain
        self.names = LegacyNames(tables=tables)

    def places(self, op: Op) -> Mapping[str, Origin]:
        """Return the places of an op's names (`Op.places`); that of its entry where an argument has none."""
        own = op.name.partition(".")[2].removesuffix("_")
        found = self._places.get(own) or self._places.get(own.partition(_BACKWARD)[0])
        if found is None:
            return {}
        origins = {name: Origin(file=file, line=line, column=column) for name, (file, line, column) in found.items()}
        entry = origins[""]
        arguments = (each.name for section in SECTIONS.values() for each in getattr(op, section))
        of_arguments = {f"{field}.{name}": origins.get(name, entry) for name in arguments for field in _FIELDS}
        return of_arguments | {f"legacy_names.{op.name}": entry}
