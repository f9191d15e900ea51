"""What a fact is: something that is so, stated and judged by nobody yet.

There is one record for all facts: of two specs, of their surroundings, of a saved model. Constructors make them:
`diff/changes/`, `lint/circumstances.py`, `models/fault.py`, and `facts.py` of a framework. So the judge does not ask of
what kind a fact is, and a new kind of fact is an event (`spec/event.py`), a constructor and a rule.
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
"""The levels of effects that do not stop or change a model."""
LONGEST = 300
"""Characters of a value in a sentence; the finding contains the whole value."""


class Fact(Sparse):
    """Something that is so: its event, what it is about, and what rules and profiles look at.

    It is about the thing `name` of sort `kind` of the op `op`, and there about `field`; each is None where it is about
    none. `new_name` is what base's thing is called in head, and `confidence` how sure that is. `graph` and `node` say
    where in a saved model it is; it is so of `nodes` nodes, and `places` are graph and name of each, as far as they are
    kept.

    `old` and `new` are the values of `field`, or whatever else differs; of an argument as a whole, the argument itself.
    `before` and `after` are the declarations that it is about, None where base or head has none, `origins` their
    places, and `declared` their texts, where a report shows them. `facts` are what templates and conditions of rules
    can name besides, and `describe` returns more of these, where they need not be known before a rule judges it.

    `is_of_contract` is whether it is about the ops of two specs, which a profile is a policy for. `is_exempt` is
    whether all that it is about is extra, which no saved model holds. `halves` are the facts that it stands for
    together: it is as bad as the worst of them. `things` are those of a fact about several ops: for each, the op, and
    the name of the argument, "" for the op itself.

    `adds` is what it adds to the contract, for somebody to approve, and `registers` what op versions have to say of it.
    `callers` are those callers of a saved model that break. `broken` and `refused` are the directions in which calls
    break, and those in which a check of the framework refuses it; None where that follows from the event. `promise` is
    what base promises of the op, such as `core`: a waiver of a break has to name it. `needs` is what the fixer of its
    rule has to know besides. `remark` is said behind the message of its rule. `effect` is what it leads to under a
    loader, and `reason` the word that the loader's error goes by.
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
        """The level of what a loader meets; None for the level of its rule.

        It is a note for what changes nothing, and a warning where it is unknown what becomes of the model.
        """
        return None if self.effect is None else _LEVELS.get(self.effect, "error")

    def template_values(self) -> dict[str, object]:
        """Return the values that the templates of a rule can name."""
        more = {} if self.describe is None else self.describe(self)
        return {"op": self.op, "kind": self.kind, "name": self.name or "", **more, **self.facts}
