"""The forms in which programs have an op, and what a change of the PIR ops takes from them.

The least form has what every program has: the attrs that are not extra, the inputs that are not dispensable, and the
outputs that are neither. The others have one argument more each. An input without a variable is there all the same, as
programs have it, and has no argument.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
from opspec_lint.frameworks.paddle.saved.translation.node import Node
from opspec_lint.frameworks.paddle.saved.translation.node_check import NodeCheck
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import new_fault
from opspec_lint.spec.identity import without_build
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.translation.node_check import Named
    from opspec_lint.frameworks.paddle.saved.translation.release import Release
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Op

_GIVEN = {"model_input_missing": "input", "model_output_missing": "output", "model_attr_missing": "attr"}
"""The faults that an argument more may mend."""


class Form(Record):
    """A form: the op, and the arguments that it has, as kind and name."""

    op: Op
    arguments: frozenset[tuple[str, str]]

    def check(self, release: Release) -> NodeCheck:
        """Return the check of a node of this form."""
        inputs, outputs, attrs = (
            [each for each in getattr(self.op, section) if (kind, each.name) in self.arguments]
            for kind, section in SECTIONS.items()
        )
        node = Node(
            op=without_build(self.op.name),
            inputs={
                each.name: ("x",) if each in inputs else ()
                for each in self.op.inputs
                if each in inputs or each.extra is not True
            },
            outputs={each.name: ("y",) for each in outputs},
            attrs={each.name: Given(name=each.name, type=str(each.type), code=0) for each in attrs},
        )
        return NodeCheck(node, release)

    def with_argument(self, kind: str, name: str) -> Form:
        """Return the form that has an argument more."""
        return self.replace(arguments=self.arguments | {(kind, name)})


def least(op: Op) -> Form:
    """Return the form that has what every program with an op has."""
    return Form(op=op, arguments=frozenset(each for each, own in _arguments(op) if _is_always_there(own)))


def losses(op: Op, before: Release, head: Release) -> Iterator[Fact]:
    """Yield what a release refuses or reads otherwise of the forms of an op that another one translates.

    Args:
        op: the op.
        before: the release that translates them.
        head: the other release.
    """
    found: dict[object, Fact] = {}
    for form in _translated(op, before):
        for fault in _losses(form, before, head):
            found.setdefault((fault.event, fault.kind, fault.name), fault)
    yield from found.values()


def _translated(op: Op, release: Release) -> Iterator[Form]:
    """Yield the forms of an op that a release translates, each with as little as possible besides what is tried."""
    form = _completed(least(op), release)
    if _is_refused(form.check(release)):
        return
    yield form
    more = (form.with_argument(*each) for each, _ in _arguments(op) if each not in form.arguments)
    yield from (each for each in more if not _is_refused(each.check(release)))


def _completed(form: Form, release: Release) -> Form:
    """Return a form with what a release asks for besides, as far as the op has it."""
    every = {each for each, _ in _arguments(form.op)}
    wanted = {(_GIVEN.get(each.event, ""), each.name) for each in form.check(release).faults()}
    return form.replace(arguments=form.arguments | (wanted & every))


def _losses(form: Form, before: Release, head: Release) -> Iterator[Fact]:
    was, now = form.check(before), form.check(head)
    standing = {(each.event, each.name) for each in was.faults()}
    faults = [each for each in now.faults() if (each.event, each.name) not in standing]
    yield from faults
    if not any(each.effect == "refused" for each in faults):
        yield from _misread(was, now)


def _misread(was: NodeCheck, now: NodeCheck) -> Iterator[Fact]:
    """Yield the arguments of a node that head reads nothing from, or another argument of PIR."""
    before, after = was.reads(), now.reads()
    read, is_replaced = set(after.values()), _is_replaced(was, now)
    for own, named in before.items():
        if named not in read:
            if named[0] != "attr" or is_replaced:
                yield _fault("translation_argument_dropped", was.op, named, own[1])
        elif own in after and after[own] != named:
            yield _fault("translation_argument_rebound", was.op, named, own[1], after[own][1])


def _is_replaced(was: NodeCheck, now: NodeCheck) -> bool:
    """Tell whether head finds an attr no more, or has a new one: the attrs of base are not just gone."""
    missing = _attrs(now) - now.reads().keys()
    return any(each in was.reads() or each not in _attrs(was) for each in missing)


def _attrs(check: NodeCheck) -> set[tuple[str, str]]:
    """Return the attrs of the PIR op, those whose values are inputs included, as kind and name."""
    if check.target is None:
        return set()
    mutable = {("input", each.name) for each in check.target.inputs if each.get("mutable_attr") is True}
    return mutable | {("attr", each.name) for each in check.target.attrs}


def _fault(event: EventId, op: str, named: Named, own: str, instead: str = "") -> Fact:
    kind, name = named
    facts = {"kind": kind, "own": own, "instead": instead}
    return new_fault(event=event, kind=kind, op=op, name=name, effect="changed", facts=facts)


def _is_refused(check: NodeCheck) -> bool:
    return any(each.effect == "refused" for each in check.faults())


def _arguments(op: Op) -> Iterator[tuple[tuple[str, str], Declared]]:
    for kind, section in SECTIONS.items():
        for own in getattr(op, section):
            yield (kind, own.name), own


def _is_always_there(own: Declared) -> bool:
    return own.get("extra") is not True and own.get("dispensable") is not True
