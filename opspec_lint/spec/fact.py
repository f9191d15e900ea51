"""What a fact is: something that is so, stated and judged by nobody yet.

A fact answers for itself: what it is called, what it is about, what the templates of a rule can name of it. So the
judge does not ask which class it is of, and a new kind of fact is a class and its rule.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, ClassVar, Literal, TypeAlias

    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Attr, Declared, Input, Origin, Output

    Kind: TypeAlias = Literal["op", "input", "output", "attr", "registration", "source", "config", "waiver", "model"]
    AnyArgument: TypeAlias = Input | Output | Attr

KINDS: tuple[Kind, ...] = ("op", "input", "output", "attr", "registration", "source", "config", "waiver", "model")
"""The kinds of things that facts and findings are about, in the order of a report."""


class Subject(Record):
    """What a fact is about: of which op, which thing, which field of it; `op` and `name` are None where it is no one.

    `new_name` is what base's thing is called in head, and `confidence` how sure that is, both None if it has its name.
    `graph` and `node` say where in a saved model it is, None where it is in none.
    """

    op: str | None
    name: str | None
    new_name: str | None = None
    confidence: float | None = None
    field: str | None = None
    graph: str | None = None
    node: str | None = None


class Fact(Record):
    """Something that is so.

    `kind` says of what sort the thing is that it is about, and `op` of which op it is; of none where that is "" or
    None.
    """

    kind: Kind
    op: str | None

    is_of_contract: ClassVar[bool] = True
    """Whether it is about the ops of two specs, which a profile is a policy for."""

    is_exempt: ClassVar[bool] = False
    """Whether all that it is about is extra, which no saved model holds."""

    callers: tuple[Caller, ...] = ()
    """Who of those that call a saved model breaks; nobody where it is about no model's interface."""

    @property
    def level(self) -> Literal["error", "note"] | None:
        """The level of what is not of the contract, None if that is the level of its rule."""
        return None

    @property
    def event(self) -> str:
        """The name of what happened, which is the id of the rule that judges it."""
        raise NotImplementedError

    @property
    def subject(self) -> Subject:
        """What it is about."""
        raise NotImplementedError

    @property
    def halves(self) -> tuple[Fact, ...]:
        """The facts that it stands for together, none unless it does: it is as bad as the worst of them."""
        return ()

    @property
    def promise(self) -> str:
        """What base promises of the op, such as `core`, "" for nothing: a waiver of a break has to name it."""
        return ""

    @property
    def needs(self) -> object:
        """What the fixer of its rule has to know of it besides its subject and its places; None for nothing."""
        return None

    @property
    def remark(self) -> str:
        """What is to be said behind the message of its rule, "" for nothing."""
        return ""

    @property
    def declared(self) -> tuple[str | None, str | None]:
        """The declaration that it is about in base and in head, as text; None where a side has none."""
        return None, None

    def origins(self) -> tuple[Origin | None, Origin | None]:
        """Return where base and head declare what it is about, each None where it does not, or has no lines."""
        return None, None

    def values(self, table: Table) -> tuple[Any, Any]:  # noqa: ARG002 - those of whole arguments need the fields
        """Return the old and the new value, as JSON values."""
        return None, None

    def without(self, is_ignored: Callable[[str], bool]) -> Fact | None:  # noqa: ARG002 - most are about one op
        """Return a fact about several ops without some of them, None where no op is left."""
        return self

    def words(self) -> dict[str, object]:
        """Return the values that the templates of a rule can name."""
        subject = self.subject
        return {"op": subject.op, "kind": self.kind, "name": subject.name}

    def added(self) -> Iterator[Declared]:
        """Yield what it adds to the contract, for somebody to approve."""
        return iter(())
