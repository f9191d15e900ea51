"""The upgraders of a release: code that loads calls of old TorchScript archives, by the name of the op.

A spec keeps them as `loading["upgraders"]`: for each op, the name of each upgrader, the schema that it upgrades, and
the first version of archives that needs no upgrade. The name of an upgrader ends with its versions: `add_0_3`.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.framework import UPGRADERS
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.model import Op, Spec

_VERSIONS = pattern(r"_(\d+)_(\d+)$")


class Upgrader(Record):
    """An upgrader of calls of `schema` in archives of a version below `bumped_at`."""

    name: str
    schema: str
    bumped_at: int

    @property
    def description(self) -> str:
        """The clause for messages: the name of the upgrader and the versions of archives that it upgrades."""
        match = _VERSIONS.search(self.name)
        versions = f"versions {match[1]} to {match[2]}" if match else f"versions below {self.bumped_at}"
        return f"the upgrader '{self.name}' serves archives of {versions}"


def upgraders(spec: Spec, op: str) -> Iterator[Upgrader]:
    """Yield the upgraders of a release for an op."""
    for name, schema, bumped_at in spec.loading.get(UPGRADERS, {}).get(op, ()):
        yield Upgrader(name=name, schema=schema, bumped_at=bumped_at)


def find_upgrader(head: Spec, old: Op) -> Upgrader | None:
    """Return the upgrader of a release for the exact schema that an op had, None if there is none."""
    from opspec_lint.frameworks.pytorch.schemas.text import parse, show

    declared = show(old)
    return next((upgrader for upgrader in upgraders(head, old.name) if show(parse(upgrader.schema)) == declared), None)
