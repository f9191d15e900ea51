"""The facts of an audit: what of a model a loader of a release stumbles over, and what that leads to."""

from __future__ import annotations

from opspec_lint.spec.fact import Fact, Subject
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Literal, TypeAlias

    from opspec_lint.spec.fact import Kind
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


def model_fault(event: str, name: str, effect: Effect, reason: str | None = None, **facts: object) -> Fault:
    """Return a fault of a model as a whole.

    Args:
        event: what it is.
        name: what of the model it is about.
        effect: what it leads to.
        reason: the word that the loader's error goes by, None where it has none.
        facts: what the templates of the rule can name besides.
    """
    return Fault(event=event, kind="model", op=None, name=name, effect=effect, reason=reason, facts=facts)


def op_fault(  # noqa: PLR0913 - a fault is what it says
    event: str,
    op: str,
    effect: Effect,
    reason: str | None = None,
    *,
    kind: Kind = "op",
    name: str | None = None,
    **facts: object,
) -> Fault:
    """Return a fault of an op in a model, or of an argument of it.

    Args:
        event: what it is.
        op: the op.
        effect: what it leads to.
        reason: the word that the loader's error goes by, None where it has none.
        kind: what it is about.
        name: the name of that, None for the op itself.
        facts: what the templates of the rule can name besides.
    """
    name = op if name is None else name
    return Fault(event=event, kind=kind, op=op, name=name, effect=effect, reason=reason, facts=facts)


def not_judged(name: str, problem: str, remedy: str, *, op: str | None = None) -> Fault:
    """Return the fault of what nobody can tell: because of a problem, which a remedy ends."""
    return model_fault("model_not_judged", name, "cannot_tell", problem=problem, remedy=remedy).but(op=op)


def not_fetched(path: str) -> Fault:
    """Return the fault of a file that is a pointer of git-lfs: nothing is known of it, and nothing is wrong with it."""
    problem, remedy = f"{path}: is a pointer of git-lfs", "`git lfs pull` fetches it"
    return model_fault(NOT_FETCHED, path, "loads", problem=problem, remedy=remedy)


def not_followed(path: str, problem: str) -> Fault:
    """Return the fault of a file that is not read since it lies outside the folder of the model."""
    return not_judged(path, f"{path} {problem}", "copy the file into the model's folder")


def unreadable(path: str, problem: str, remedy: str) -> Fault:
    """Return the fault of a path that is no model, or cannot be read."""
    return model_fault("model_unreadable", path, "refused", problem=problem, remedy=remedy)
