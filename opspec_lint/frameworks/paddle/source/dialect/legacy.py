"""What op_compat.yaml says of PIR ops: what a ProgramDesc calls them and their arguments, and where it says so."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.dialect.legacy_names import LegacyNames
from opspec_lint.spec.model import SECTIONS, Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.frameworks.paddle.source.dialect.found import LegacyData
    from opspec_lint.spec.model import Op

_BACKWARD = "_grad"
_FIELDS = ("legacy_name", "legacy_tensors", "legacy_extra")
"""What an entry states of an argument."""


class Legacy:
    """The names that an op_compat.yaml says, and their places."""

    def __init__(self, data: LegacyData) -> None:
        self._places = data.places
        self.names = LegacyNames(tables=data.tables)

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
