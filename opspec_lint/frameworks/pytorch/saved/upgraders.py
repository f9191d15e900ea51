"""What upgrades the ops of old TorchScript archives: the upgrader map of a release, by the identity of the op.

A spec keeps it as `loading["upgraders"]`: for each op, the name of each upgrader, the schema that it upgrades from, and
the version of archives from which on it does not apply. Such a name ends in the versions that it serves, `_0_3`.
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
    """What upgrades an op of archives below `bumped_at`, from `schema`."""

    name: str
    schema: str
    bumped_at: int

    @property
    def words(self) -> str:
        """What it does, for people."""
        found = _VERSIONS.search(self.name)
        versions = f"versions {found[1]} to {found[2]}" if found else f"versions below {self.bumped_at}"
        return f"the upgrader '{self.name}' serves archives of {versions}"


def upgraders(spec: Spec, op: str) -> Iterator[Upgrader]:
    """Yield the upgraders of a release for an op."""
    for name, schema, bumped_at in spec.loading.get(UPGRADERS, {}).get(op, ()):
        yield Upgrader(name=name, schema=schema, bumped_at=bumped_at)


def serving(head: Spec, old: Op) -> Upgrader | None:
    """Return the upgrader of a release that serves an op as it was declared, None for none."""
    from opspec_lint.frameworks.pytorch.schemas.text import parse, show

    declared = show(old)
    return next((each for each in upgraders(head, old.name) if show(parse(each.schema)) == declared), None)
