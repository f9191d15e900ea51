"""Facts about what surrounds the specs: files that came or went, settings that changed, waivers that do not hold.

Like a change of an op, each is an event, and the rule that is named for it judges it. A profile is a policy for ops and
says nothing of it; a configuration may set the level of such a rule.
"""

from __future__ import annotations

from opspec_lint.spec.fact import Fact, Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Origin


class Circumstance(Fact):
    """A fact about a file, a setting or a waiver, or about the reading of a source.

    `name` says which file, setting or waiver it is, and `op` is the op that it is about, if any. `facts` are what the
    templates of the event's rule can name besides. `origin` is the place in head, and `base_origin` that in base.
    """

    event: str
    name: str
    op: str | None = None
    facts: Mapping[str, object] = {}
    old: Any = None
    new: Any = None
    origin: Origin | None = None
    base_origin: Origin | None = None

    is_of_contract: ClassVar[bool] = False

    @property
    def subject(self) -> Subject:
        """What it is about."""
        return Subject(op=self.op, name=self.name)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return the place in base and that in head."""
        return self.base_origin, self.origin

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return what was and what is."""
        return self.old, self.new

    def words(self) -> dict[str, object]:
        """Return what there is to say."""
        return {"name": self.name, "op": self.op, **self.facts}
