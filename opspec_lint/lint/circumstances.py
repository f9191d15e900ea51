"""Facts about the surroundings of specs: added and removed files, changed settings, waivers that are not valid.

Like a change of an op, each is an event, and the rule of the same name judges it. A profile is a policy for ops and has
no level for these rules; a configuration may set one.
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

    `name` is the name of the file, setting or waiver; `op` is the op that it is about, if any. `facts` are further
    values for the templates of the event's rule. `origin` is the place in head, `base_origin` the place in base.
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
        """The op, and the name of the file, setting or waiver."""
        return Subject(op=self.op, name=self.name)

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return the place in base and that in head."""
        return self.base_origin, self.origin

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the value in base and in head."""
        return self.old, self.new

    def words(self) -> dict[str, object]:
        """Return the values for the templates of a rule."""
        return {"name": self.name, "op": self.op, **self.facts}
