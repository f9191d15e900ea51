"""What becomes of one op of programs that base saved when head loads them, and the other way round."""

from __future__ import annotations

from opspec_lint.diff.changes import ArgumentAdded, ArgumentRemoved, ArgumentRenamed, FieldChanged
from opspec_lint.frameworks.paddle_pir.bindings.position import compare
from opspec_lint.frameworks.paddle_pir.facts import ProgramFact
from opspec_lint.frameworks.paddle_pir.remedies import Remedies, stored_type
from opspec_lint.spec import fields, patches
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.diff.changes import Change
    from opspec_lint.spec.model import Attr, Op, Spec

_FIRST = 1
"""The version of PIR of a spec that does not say it, and the last that calls the value of an action `default`."""
_ALIKE = 0.5
_SIDES = ("input", "output")


class Versions:
    """The versions of PIR that two specs write.

    Args:
        base: the spec that existing programs were saved with.
        head: the spec that loads them.
    """

    def __init__(self, base: Spec, head: Spec) -> None:
        self.base, self.head = (
            each.graph_versions.producer if each.graph_versions else _FIRST for each in (base, head)
        )
        self.is_release = base.provenance.version is not None
        self.value_key = "default" if max(self.base, self.head) <= _FIRST else "data"

    def due(self, op: Op) -> list[patches.Action]:
        """Return the actions that head applies to an op of a program of base."""
        actions = patches.actions_of(op)
        newest = max([self.head, *(each.version for each in actions)])
        to_come = any(not each.version for each in actions)
        return patches.due(actions, self.base, 0 if to_come and newest == self.base else newest)


def of_op(old: Op, new: Op, versions: Versions) -> Iterator[ProgramFact]:
    """Yield what head makes of an op that base saved, change by change."""
    actions = [each for each in versions.due(new) if not each.of]
    after = patches.patched(form_of(old), actions)
    facts = list(compare(old, new, (), fields.table("paddle-pir")))
    yield from _Judged(old, new, after, facts, Remedies(old.name, versions.value_key)).all(actions)


def form_of(op: Op) -> patches.Form:
    """Return an op as base saves it."""
    return patches.Form(
        op=op.name,
        attrs={attr.name: stored_type(_type(attr)) for attr in op.attrs},
        inputs=tuple(each.name for each in op.inputs),
        outputs=tuple(each.name for each in op.outputs),
    )


def _type(attr: Attr) -> str:
    return attr.type if isinstance(attr.type, str) else ""


class _Judged:
    def __init__(self, old: Op, new: Op, after: patches.Form, facts: Sequence[Change], remedies: Remedies) -> None:
        self._old, self._new, self._after, self._facts, self._remedies = old, new, after, facts, remedies
        self._attrs = {attr.name: attr for attr in new.attrs}
        self._renamed = {
            fact.name: fact.new_name for fact in facts if isinstance(fact, ArgumentRenamed) and fact.kind in _SIDES
        }

    def all(self, actions: Sequence[patches.Action]) -> Iterator[ProgramFact]:
        """Yield the facts, and one for all that the patches make whole."""
        whole: list[str] = []
        for fact in self._facts:
            made = self._of(fact)
            if made is not None and self._is_whole(made):
                whole.append(f"{made.kind} '{made.name}'")
            elif made is not None:
                yield made
        if whole:
            names = sorted({str(each.version) for each in actions})
            yield self._fact(
                "change_patched", "op", self._new.name, patch=", ".join(names), changed=", ".join(sorted(set(whole)))
            )

    def _of(self, fact: Change) -> ProgramFact | None:
        if isinstance(fact, ArgumentRenamed):
            return self._of_renamed(fact)
        if isinstance(fact, ArgumentAdded):
            return self._of_added(fact)
        if isinstance(fact, ArgumentRemoved):
            return self._of_removed(fact)
        return self._of_field(fact) if isinstance(fact, FieldChanged) else None

    def _of_renamed(self, fact: ArgumentRenamed) -> ProgramFact | None:
        if fact.kind != "attr" or fact.event != "attr_renamed":
            return None if fact.event in ("input_renamed", "output_renamed") else self._moved(fact)
        remedy = self._remedies.rename_attr(fact.name, fact.new_name)
        made = self._fact("attr_renamed_unpatched", "attr", fact.name, remedy=remedy)
        return made.but(new_name=fact.new_name, before=fact.gone.old, after=fact.come.new)

    def _moved(self, fact: ArgumentRenamed) -> ProgramFact:
        made = self._fact("input_kind_unpatched", fact.kind, fact.name, remedy=self._remedies.new_op())
        return made.but(before=fact.gone.old, after=fact.come.new, old=fact.kind, new="the other")

    def _of_added(self, fact: ArgumentAdded) -> ProgramFact:
        name, kind = fact.name, fact.kind
        if kind == "attr":
            remedy = self._remedies.add_attr(self._attrs[name])
        else:
            place = [each.name for each in getattr(self._new, _section(kind))].index(name)
            pair = self._remedies.of_pair("add_value", place, gives=False)
            remedy = pair if kind == "input" else self._remedies.add_output(place)
        return self._fact(f"{kind}_added_unpatched", kind, name, remedy=remedy).but(after=fact.new)

    def _of_removed(self, fact: ArgumentRemoved) -> ProgramFact | None:
        name, kind = fact.name, fact.kind
        if kind == "attr":
            return None  # the loader does not look at it
        place = [each.name for each in getattr(self._old, _section(kind))].index(name)
        pair = self._remedies.of_pair("delete_value", place, gives=True)
        remedy = pair if kind == "output" else self._remedies.delete_input(place)
        return self._fact(f"{kind}_removed_unpatched", kind, name, remedy=remedy).but(before=fact.old)

    def _of_field(self, fact: FieldChanged) -> ProgramFact | None:
        sides = {"before": fact.before, "after": fact.after, "old": fact.old, "new": fact.new, "field": fact.field}
        if fact.field == "order":
            made = self._fact("order_unpatched", fact.kind, fact.name, remedy=self._remedies.new_op())
            return made.but(**sides | {"old": ", ".join(fact.old), "new": ", ".join(fact.new)})
        if fact.kind == "attr" and fact.field == "type":
            if patches.fits(stored_type(str(fact.old)), str(fact.new)):
                return None
            remedy = self._remedies.modify_type(fact.name, str(fact.old), str(fact.new))
            return self._fact("attr_type_unpatched", "attr", fact.name, remedy=remedy).but(**sides)
        if fact.kind == "input" and fact.field == "duplicable":
            names = {True: "a list of tensors", False: "a tensor"}
            sides |= {"old": names[bool(fact.old)], "new": names[bool(fact.new)]}
            made = self._fact("input_kind_unpatched", "input", fact.name, remedy=self._remedies.new_op())
            return made.but(**sides)
        return None

    def _is_whole(self, fact: ProgramFact) -> bool:
        """Tell whether the patches have done what a change asks for."""
        name = fact.new_name or fact.name
        if fact.kind == "attr":
            own = self._attrs.get(name)
            return own is not None and name in self._after.attrs and patches.fits(self._after.attrs[name], _type(own))
        if fact.what in ("order_unpatched", "input_kind_unpatched"):
            return False
        return self._fits(fact.kind)

    def _fits(self, kind: str) -> bool:
        """Tell whether the inputs or outputs of a patched op are those of head, place by place; a new one fits all."""
        saved: Sequence[str | None] = getattr(self._after, _section(kind))
        declared = [each.name for each in getattr(self._new, _section(kind))]
        if len(saved) != len(declared):
            return False
        return all(
            each is None or self._renamed.get(each, each) == own for each, own in zip(saved, declared, strict=True)
        )

    def _fact(self, what: str, kind: Any, name: str, **facts: object) -> ProgramFact:
        return ProgramFact(
            op=self._new.name, kind=kind, name=name, what=what, facts=facts, before=self._old, after=self._new
        )


def _section(kind: str) -> str:
    return SECTIONS[kind]  # type: ignore[index]


def renamed(gone: Sequence[Op], added: Sequence[Op], made: Sequence[Op]) -> Mapping[str, Op]:
    """Return the op of head that each op of base became, by the name that it had: as a patch says, or by its likeness.

    Args:
        gone: the ops that only base has.
        added: the ops that only head has.
        made: all ops of head that are new or have changed.
    """
    found = {each.of: op for op in made for each in patches.actions_of(op) if each.of}
    for op in gone:
        alike = [each for each in added if _form(each) == _form(op) and _likeness(each.name, op.name) >= _ALIKE]
        if op.name not in found and len(alike) == 1:
            found[op.name] = alike[0]
    return found


def _form(op: Op) -> tuple[Any, ...]:
    form = form_of(op)
    return tuple(sorted(form.attrs.items())), len(form.inputs), len(form.outputs)


def _likeness(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    first, second = sorted((one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def of_removed(old: Op, new: Op, versions: Versions) -> Iterator[ProgramFact]:
    """Yield what becomes of an op that head has under another name."""
    actions = [each for each in versions.due(new) if each.of == old.name]
    after = patches.patched(form_of(old), actions)
    facts = {"remedy": Remedies(old.name, versions.value_key).rename_op(new.name)}
    made = ProgramFact(
        op=old.name, kind="op", name=old.name, what="op_renamed_unpatched", facts=facts, before=old, after=new
    ).but(new_name=new.name)
    if after.op != new.name:
        yield made
        return
    names = sorted({str(each.version) for each in actions})
    yield made.but(what="change_patched", facts={"patch": ", ".join(names), "changed": f"its name '{old.name}'"})
    yield from of_op(old.but(name=new.name), new, versions)


def refused_by_base(old: Op, new: Op) -> Iterator[ProgramFact]:
    """Yield that base does not run an op as head saves it; it has no patches for that."""
    form = form_of(new)
    wrong = [f"it lacks the attr '{attr.name}'" for attr in old.attrs if attr.name not in form.attrs]
    wrong += [
        f"its attr '{attr.name}' is of type {form.attrs[attr.name]}"
        for attr in old.attrs
        if attr.name in form.attrs and not patches.fits(form.attrs[attr.name], stored_type(_type(attr)))
    ]
    for kind in _SIDES:
        given, taken = (len(getattr(op, _section(kind))) for op in (new, old))
        if given != taken:
            wrong.append(f"it has {given} {kind}s, not {taken}")
    if wrong:
        yield ProgramFact(
            op=new.name,
            kind="op",
            name=new.name,
            what="head_program_refused",
            facts={"problem": ", ".join(wrong)},
            before=old,
            after=new,
        )
