"""The facts of an audit: what of a model a loader of a release stumbles over, and what that leads to."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact, Subject
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Literal, TypeAlias

    from opspec_lint.spec.fields import Table

    Effect: TypeAlias = Literal["loads", "changed", "cannot_tell", "fails_at_run", "refused"]

EFFECTS: tuple[Effect, ...] = ("loads", "changed", "cannot_tell", "fails_at_run", "refused")
"""From the mildest to the worst."""


NOT_FETCHED = "model_not_fetched"


class Fault(Fact):
    """A fact about a model under a loader.

    `file` is that of the model, None until the audit adds it. `effect` is what it leads to, `reason` the word that the
    loader's error goes by, None where it has none. `name` says which attr, input, key or file it is about. `graph` is
    the graph or function ("" for the main graph), `node` the first node that it is so of, and `nodes` how many there
    are; `places` are graph and name of each of them, as far as they are kept. `facts` are what the templates can name
    besides.
    """

    event: str
    file: str | None = None
    effect: Effect
    reason: str | None = None
    name: str = ""
    graph: str = ""
    node: str | None = None
    nodes: int = 1
    places: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, object] = {}
    old: Any = None
    new: Any = None

    is_of_contract: ClassVar[bool] = False

    @property
    def level(self) -> Literal["error", "note"]:
        """A note for what changes nothing, an error for the rest."""
        return "note" if self.effect == "loads" else "error"

    @property
    def subject(self) -> Subject:
        """The op, and what of it, in which node."""
        return Subject(op=self.op, name=self.name or None, graph=self.graph, node=self.node)

    @property
    def remark(self) -> str:
        """In which nodes it is so."""
        if self.node is None:
            return ""
        place = f" of function '{self.graph}'" if self.graph else ""
        more = f", and {self.nodes - 1} more" if self.nodes > 1 else ""
        return f" (node '{self.node}'{place}{more})"

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return the file of the model as the place in head."""
        return None, None if self.file is None else Origin(file=self.file)

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002
        """Return the value of the model, and that of the release."""
        return self.old, self.new

    def words(self) -> dict[str, object]:
        """Return the values that the templates of a rule can name."""
        return {"name": self.name, "op": self.op, "node": self.node, **self.facts}


def not_fetched(path: str) -> Fault:
    """Return the fault of a file that is a pointer of git-lfs: nothing is known of it, and nothing is wrong with it."""
    facts = {"problem": f"{path}: is a pointer of git-lfs", "remedy": "`git lfs pull` fetches it"}
    return Fault(event=NOT_FETCHED, kind="model", op=None, name=path, effect="loads", facts=facts)


def not_followed(path: str, problem: str) -> Fault:
    """Return the fault of a file that is not read since it lies outside the folder of the model."""
    facts = {"problem": f"{path} {problem}", "remedy": "copy the file into the model's folder"}
    return Fault(event="model_not_judged", kind="model", op=None, name=path, effect="cannot_tell", facts=facts)


def unreadable(path: str, problem: str, remedy: str) -> Fault:
    """Return the fault of a path that is no model, or cannot be read."""
    facts = {"problem": problem, "remedy": remedy}
    return Fault(event="model_unreadable", kind="model", op=None, name=path, effect="refused", facts=facts)
