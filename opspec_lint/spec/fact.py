"""The record of a fact: something that is the case, before any rule judges it.

All facts have one record, whether they are about two specs, their surroundings, or a saved model. They are made by
constructors: `diff/changes/`, `lint/circumstances.py`, `models/fault.py`, and `facts.py` of a framework. So the judge
does not distinguish kinds of facts, and a new kind is an event (`spec/event.py`), a constructor and a rule.
"""

from __future__ import annotations

from opspec_lint.kit.record import Sparse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, TypeAlias

    from opspec_lint.kit.record import Record
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Attr, Declared, Input, Origin, Output

    Kind: TypeAlias = Literal["op", "input", "output", "attr", "registration", "source", "config", "waiver", "model"]
    AnyArgument: TypeAlias = Input | Output | Attr
    Action: TypeAlias = Literal["new", "modify", "delete"]
    Direction: TypeAlias = Literal["backward", "forward"]
    Effect: TypeAlias = Literal["loads", "changed", "cannot_tell", "fails_at_run", "refused"]

KINDS: tuple[Kind, ...] = ("op", "input", "output", "attr", "registration", "source", "config", "waiver", "model")
"""The kinds of things that facts and findings are about, in the order of a report."""
_LEVELS: Mapping[Effect, Literal["warning", "note"]] = {"loads": "note", "cannot_tell": "warning"}
"""The levels of effects that neither stop nor change a model."""
LONGEST = 300
"""The most characters of a value in a sentence; the finding contains the whole value."""


class Fact(Sparse):
    """Something that is the case: its event, its subject, and the properties that rules and profiles read.

    The subject is the thing `name` of the kind `kind` in the op `op`, and there the field `field`; each is None if the
    fact is not about one. `new_name` is the name in head, and `confidence` the certainty of a rename. In a saved model,
    `graph` and `node` are the first place; the fact holds for `nodes` nodes, and `places` has the graph and name of the
    first ones.

    `old` and `new` are the values of `field`, or other values that differ; for a whole argument, the argument itself.
    `before` and `after` are the declarations, None if base or head has none, `origins` their places, and `declared`
    their texts, if a report shows them. `facts` are more values for the templates and conditions of rules; `describe`
    returns further ones, which are needed only if a rule flags the fact.

    `is_of_contract`: it is about the ops of two specs, so that a profile decides on it. `is_exempt`: it concerns only
    extra arguments, which no saved model contains. `halves` are the facts that it combines, such as the removal and the
    addition of a rename: it is as severe as the worst of them. `things` are the subjects of a fact about several ops:
    for each, the op, and the name of the argument, "" for the op itself.

    `adds` is the declaration that it adds to the contract, which needs an approval, and `registers` the update that op
    versions must contain. `callers` are the callers of a saved model that break. `broken` and `refused` are the
    directions in which calls break, and in which a check of the framework refuses it; None if the event decides.
    `promise` is a promise of base about the op, such as `core`: a waiver of a break has to name it. `needs` is the
    input of its rule's fixer. `remark` is appended to the message of its rule. `effect` is the result under a loader,
    and `reason` the keyword of the loader's error.
    """

    event: EventId
    kind: Kind
    op: str | None = None
    name: str | None = None
    new_name: str | None = None
    confidence: float | None = None
    field: str | None = None
    graph: str | None = None
    node: str | None = None
    nodes: int = 1
    places: tuple[tuple[str, str], ...] = ()
    old: Any = None
    new: Any = None
    before: Declared | None = None
    after: Declared | None = None
    origins: tuple[Origin | None, Origin | None] = (None, None)
    declared: tuple[str | None, str | None] = (None, None)
    facts: Mapping[str, object] = {}
    describe: Callable[[Fact], Mapping[str, object]] | None = None
    is_of_contract: bool = True
    is_exempt: bool = False
    halves: tuple[Fact, ...] = ()
    things: tuple[tuple[str, str], ...] = ()
    adds: Declared | None = None
    registers: Action | None = None
    callers: tuple[Caller, ...] = ()
    broken: tuple[Direction, ...] | None = None
    refused: tuple[Direction, ...] | None = None
    promise: str = ""
    needs: Record | None = None
    remark: str = ""
    effect: Effect | None = None
    reason: str | None = None

    @property
    def level(self) -> Literal["error", "warning", "note"] | None:
        """The level of an effect under a loader; None if the rule decides.

        It is a note if the model loads unchanged, and a warning if the effect is unknown.
        """
        return None if self.effect is None else _LEVELS.get(self.effect, "error")

    def template_values(self) -> dict[str, object]:
        """Return the values that the templates of a rule can name."""
        more = {} if self.describe is None else self.describe(self)
        return {"op": self.op, "kind": self.kind, "name": self.name or "", **more, **self.facts}
