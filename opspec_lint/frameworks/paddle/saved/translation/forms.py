"""The forms in which programs use a legacy op, and the forms that a change of PIR ops breaks.

1. The least form has what every program has: attrs that are not extra, inputs that are not dispensable, outputs that
   are neither. An input without an argument is still present, as in programs.
2. Arguments that base's translation requires are added.
3. Each further form has one optional argument more.
4. A form that base translates is checked against head: new faults, and arguments that head reads otherwise.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import Attr as Given
from opspec_lint.frameworks.paddle.saved.translation.node import Node
from opspec_lint.frameworks.paddle.saved.translation.node_check import TranslatedNodeCheck
from opspec_lint.kit.record import Record
from opspec_lint.models.fault import new_fault
from opspec_lint.spec.identity import without_build
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle.saved.translation.node_check import ArgumentKey
    from opspec_lint.frameworks.paddle.saved.translation.release import TranslatingRelease
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Declared, Op

_MISSING_KINDS = {"model_input_missing": "input", "model_output_missing": "output", "model_attr_missing": "attr"}
"""The kind of argument that removes a fault if it is added."""


class Form(Record):
    """A form of an op: the arguments that a node has, as (kind, name)."""

    op: Op
    arguments: frozenset[tuple[str, str]]

    def check(self, release: TranslatingRelease) -> TranslatedNodeCheck:
        """Return the check of a node of this form."""
        inputs, outputs, attrs = (
            [argument for argument in getattr(self.op, section) if (kind, argument.name) in self.arguments]
            for kind, section in SECTIONS.items()
        )
        node = Node(
            op=without_build(self.op.name),
            inputs={
                argument.name: ("x",) if argument in inputs else ()
                for argument in self.op.inputs
                if argument in inputs or argument.extra is not True
            },
            outputs={argument.name: ("y",) for argument in outputs},
            attrs={argument.name: Given(name=argument.name, type=str(argument.type), code=0) for argument in attrs},
        )
        return TranslatedNodeCheck(node, release)

    def with_argument(self, kind: str, name: str) -> Form:
        """Return the form with one argument more."""
        return self.replace(arguments=self.arguments | {(kind, name)})


def least_form(op: Op) -> Form:
    """Return the form with the arguments that every program has."""
    return Form(
        op=op,
        arguments=frozenset(
            kind_and_name for kind_and_name, argument in _arguments(op) if _is_always_present(argument)
        ),
    )


def losses(op: Op, before: TranslatingRelease, head: TranslatingRelease) -> Iterator[Fact]:
    """Yield the faults in head of the forms that `before` translates."""
    faults: dict[object, Fact] = {}
    for form in _translated_forms(op, before):
        for fault in _form_losses(form, before, head):
            faults.setdefault((fault.event, fault.kind, fault.name), fault)
    yield from faults.values()


def _translated_forms(op: Op, release: TranslatingRelease) -> Iterator[Form]:
    """Yield the forms of an op that a release translates."""
    form = _add_required(least_form(op), release)
    if _is_refused(form.check(release)):
        return
    yield form
    longer_forms = (form.with_argument(*key) for key, _ in _arguments(op) if key not in form.arguments)
    yield from (longer_form for longer_form in longer_forms if not _is_refused(longer_form.check(release)))


def _add_required(form: Form, release: TranslatingRelease) -> Form:
    """Return a form with the arguments that a release requires beyond it."""
    declared_arguments = {key for key, _ in _arguments(form.op)}
    missing = {(_MISSING_KINDS.get(fault.event, ""), fault.name) for fault in form.check(release).faults()}
    return form.replace(arguments=form.arguments | (missing & declared_arguments))


def _form_losses(form: Form, before: TranslatingRelease, head: TranslatingRelease) -> Iterator[Fact]:
    """Yield the faults of one form that are new in head."""
    base_check, head_check = form.check(before), form.check(head)
    base_faults = {(fault.event, fault.name) for fault in base_check.faults()}
    faults = [fault for fault in head_check.faults() if (fault.event, fault.name) not in base_faults]
    yield from faults
    if not any(fault.effect == "refused" for fault in faults):
        yield from _misread_arguments(base_check, head_check)


def _misread_arguments(base_check: TranslatedNodeCheck, head_check: TranslatedNodeCheck) -> Iterator[Fact]:
    """Yield the arguments that head does not read, or reads as another argument of PIR."""
    before, after = base_check.reads(), head_check.reads()
    read, is_replaced = set(after.values()), _is_replaced(base_check, head_check)
    for pir_argument, node_argument in before.items():
        _, pir_name = pir_argument
        kind, _ = node_argument
        if node_argument not in read:
            if kind != "attr" or is_replaced:
                yield _fault("translation_argument_dropped", base_check.op, node_argument, pir_name)
        elif pir_argument in after and after[pir_argument] != node_argument:
            _, new_name = after[pir_argument]
            yield _fault("translation_argument_rebound", base_check.op, node_argument, pir_name, new_name)


def _is_replaced(base_check: TranslatedNodeCheck, head_check: TranslatedNodeCheck) -> bool:
    """Return whether head lacks a value for an attr, old or new: base's attrs were not just removed."""
    missing = _attrs(head_check) - head_check.reads().keys()
    return any(attr in base_check.reads() or attr not in _attrs(base_check) for attr in missing)


def _attrs(check: TranslatedNodeCheck) -> set[tuple[str, str]]:
    """Return the attrs of the PIR op, mutable ones included, as (kind, name)."""
    if check.target is None:
        return set()
    mutable = {("input", argument.name) for argument in check.target.inputs if argument.get("mutable_attr") is True}
    return mutable | {("attr", argument.name) for argument in check.target.attrs}


def _fault(event: EventId, op: str, node_argument: ArgumentKey, pir_name: str, new_pir_name: str = "") -> Fact:
    """Return the fault of an argument that head reads otherwise."""
    kind, name = node_argument
    facts = {"kind": kind, "own": pir_name, "instead": new_pir_name}
    return new_fault(event=event, kind=kind, op=op, name=name, effect="changed", facts=facts)


def _is_refused(check: TranslatedNodeCheck) -> bool:
    """Return whether a node is refused."""
    return any(fault.effect == "refused" for fault in check.faults())


def _arguments(op: Op) -> Iterator[tuple[tuple[str, str], Declared]]:
    """Yield the arguments of an op, each as (kind, name) and as declared."""
    for kind, section in SECTIONS.items():
        for argument in getattr(op, section):
            yield (kind, argument.name), argument


def _is_always_present(argument: Declared) -> bool:
    """Return whether every program has an argument: it is neither extra nor dispensable."""
    return argument.get("extra") is not True and argument.get("dispensable") is not True
