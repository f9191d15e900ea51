"""What becomes of one op of programs that base saved when head loads them, and the other way round."""

from __future__ import annotations

from opspec_lint.diff.changes.arguments import is_addition, is_removal, is_rename
from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.frameworks.paddle_pir.bindings.position import compare
from opspec_lint.frameworks.paddle_pir.compare.remedies import Remedies, Remedy, stored_type
from opspec_lint.frameworks.paddle_pir.facts import program_fact
from opspec_lint.spec import fields
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle_pir.compare.versions import Versions
    from opspec_lint.spec.fact import Fact, Kind
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Attr, Declared, Op

    _Asking: TypeAlias = tuple[Fact, Remedy]

_ALIKE = 0.5
_SIDES = ("input", "output")
_ADDED: Mapping[str, EventId] = {
    "input": "input_added_unpatched",
    "output": "output_added_unpatched",
    "attr": "attr_added_unpatched",
}
_REMOVED: Mapping[str, EventId] = {"input": "input_removed_unpatched", "output": "output_removed_unpatched"}


def of_op(old: Op, new: Op, versions: Versions) -> Iterator[Fact]:
    """Yield what head makes of an op that base saved, change by change."""
    actions = [each for each in versions.due(old, new) if not each.of]
    after = patches.patched(form_of(old), actions)
    facts = list(compare(old, new, (), fields.field_table("paddle-pir")))
    judged = _Judged(old, new, after, facts, Remedies(old.name, versions, versions.taken(old, new)))
    yield from judged.untold() if new.get("patches") is None else judged.all(actions)


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
    def __init__(self, old: Op, new: Op, after: patches.Form, facts: Sequence[Fact], remedies: Remedies) -> None:
        self._old, self._new, self._after, self._facts, self._remedies = old, new, after, facts, remedies
        self._attrs = {attr.name: attr for attr in new.attrs}
        self._renamed = {fact.name: fact.new_name for fact in facts if is_rename(fact) and fact.kind in _SIDES}

    def untold(self) -> Iterator[Fact]:
        """Yield one fact for all that the patches may make whole, where nobody knows what they do."""
        made = [found for fact in self._facts if (found := self._of(fact)) is not None]
        if made:
            facts = {"changed": _named(fact for fact, _ in made)}
            yield self._fact("change_maybe_patched", "op", self._new.name, facts)

    def all(self, actions: Sequence[patches.Action]) -> Iterator[Fact]:
        """Yield the facts, and one for all that the patches make whole."""
        made = [found for fact in self._facts if (found := self._of(fact)) is not None]
        whole = [fact for fact, _ in made if self._is_whole(fact)]
        left = [(fact, remedy) for fact, remedy in made if fact not in whole]
        every = [remedy for _, remedy in left]
        for fact, remedy in left:
            facts = {**fact.facts, "remedy": self._remedies.advice(remedy, every)}
            yield fact.replace(facts=facts, needs=self._remedies.entry(every))
        if whole:
            facts = {"patch": _numbers(actions), "changed": _named(whole)}
            yield self._fact("change_patched", "op", self._new.name, facts)

    def _of(self, fact: Fact) -> _Asking | None:
        if is_rename(fact):
            return self._of_renamed(fact)
        if is_addition(fact):
            return self._of_added(fact)
        return self._of_removed(fact) if is_removal(fact) else self._of_field(fact)

    def _of_renamed(self, fact: Fact) -> _Asking | None:
        if fact.event in ("input_renamed", "output_renamed"):
            return None  # a program has no names of these
        old_name, new_name = str(fact.name), str(fact.new_name)
        if fact.event != "attr_renamed":
            made = self._of_change("input_kind_unpatched", fact)
            return made.replace(old=f"an {fact.kind}", new=f"an {fact.halves[1].kind}"), Remedy()
        made = self._of_change("attr_renamed_unpatched", fact, {"new_name": new_name})
        return made, self._remedies.rename_attr(old_name, new_name)

    def _of_added(self, fact: Fact) -> _Asking:
        name, kind = str(fact.name), fact.kind
        made = self._of_change(_ADDED[kind], fact, before=self._old)
        if kind == "attr":
            return made, self._remedies.add_attr(self._attrs[name])
        place = _places(self._new, kind).index(name)
        if kind == "output":
            before = {self._renamed.get(each, each) for each in _places(self._old, kind)}
            is_behind = not before.isdisjoint(_places(self._new, kind)[:place])
            return made, self._remedies.add_output(place, is_behind=is_behind)
        return made, self._remedies.of_pair("add_value", place, gives=False)

    def _of_removed(self, fact: Fact) -> _Asking | None:
        name, kind = str(fact.name), fact.kind
        if kind == "attr":
            return None  # the loader does not look at it
        made = self._of_change(_REMOVED[kind], fact, after=self._new)
        place = _places(self._old, kind).index(name)
        if kind == "input":
            return made, self._remedies.delete_input(place)
        return made, self._remedies.of_pair("delete_value", place, gives=True)

    def _of_field(self, fact: Fact) -> _Asking | None:
        field, sides = fact.field, {"old": fact.old, "new": fact.new}
        if field == "order":
            sides = {"old": ", ".join(fact.old), "new": ", ".join(fact.new)}
            return self._of_change("order_unpatched", fact).replace(field=field, **sides), Remedy()
        if fact.kind == "attr" and fact.field == "type":
            if patches.fits(stored_type(str(fact.old)), str(fact.new)):
                return None
            made = self._of_change("attr_type_unpatched", fact).replace(field=field, **sides)
            return made, self._remedies.modify_type(str(fact.name), str(fact.old), str(fact.new))
        if fact.kind == "input" and fact.field == "duplicable":
            names = {True: "a list of tensors", False: "a tensor"}
            sides = {"old": names[bool(fact.old)], "new": names[bool(fact.new)]}
            return self._of_change("input_kind_unpatched", fact).replace(field=field, **sides), Remedy()
        return None

    def _is_whole(self, fact: Fact) -> bool:
        """Tell whether the patches have done what a change asks for."""
        name = str(fact.facts.get("new_name", fact.name))
        if fact.kind == "attr":
            own = self._attrs.get(name)
            return own is not None and name in self._after.attrs and patches.fits(self._after.attrs[name], _type(own))
        if fact.event in ("order_unpatched", "input_kind_unpatched"):
            return False
        return self._fits(fact.kind)

    def _fits(self, kind: str) -> bool:
        """Tell whether the inputs or outputs of a patched op are those of head, place by place; a new one fits all."""
        saved: Sequence[str | None] = getattr(self._after, _section(kind))
        declared = _places(self._new, kind)
        if len(saved) != len(declared):
            return False
        return all(
            each is None or self._renamed.get(each, each) == own for each, own in zip(saved, declared, strict=True)
        )

    def _of_change(
        self,
        event: EventId,
        fact: Fact,
        facts: Mapping[str, object] | None = None,
        *,
        before: Declared | None = None,
        after: Declared | None = None,
    ) -> Fact:
        """Return what a change does to programs; `before` and `after` replace a declaration that a side lacks."""
        sides = fact.before or before, fact.after or after
        return program_fact(event, self._new.name, fact.kind, str(fact.name), sides=sides, facts=facts)

    def _fact(self, event: EventId, kind: Kind, name: str, facts: Mapping[str, object]) -> Fact:
        return program_fact(event, self._new.name, kind, name, sides=(self._old, self._new), facts=facts)


def _named(facts: Iterable[Fact]) -> str:
    return ", ".join(sorted({f"{fact.kind} '{fact.name}'" for fact in facts}))


def _places(op: Op, kind: str) -> list[str]:
    """Return the names of the inputs or outputs of an op, in their order."""
    return [each.name for each in getattr(op, _section(kind))]


def _numbers(actions: Sequence[patches.Action]) -> str:
    """Return the numbers of the patches that actions are of."""
    return ", ".join(sorted({str(each.version) for each in actions}))


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

    first, second = sorted(name.partition(".")[2] or name for name in (one, other))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def of_removed(old: Op, new: Op, versions: Versions) -> Iterator[Fact]:
    """Yield what becomes of an op that head has under another name."""
    actions = [each for each in versions.due(None, new) if each.of == old.name]
    after = patches.patched(form_of(old), actions)
    remedies = Remedies(old.name, versions, versions.taken(old, new))
    renaming = remedies.rename_op(new.name)
    if after.op != new.name:
        facts = {"new_name": new.name, "remedy": remedies.advice(renaming, [renaming])}
        made = program_fact("op_renamed_unpatched", old.name, "op", old.name, sides=(old, new), facts=facts)
        yield made.replace(needs=remedies.entry([renaming]))
        return
    facts = {"patch": _numbers(actions), "changed": f"its name '{old.name}'"}
    yield program_fact("change_patched", old.name, "op", old.name, sides=(old, new), facts=facts)
    yield from of_op(old.replace(name=new.name), new, versions)


def refused_by_base(old: Op, new: Op) -> Iterator[Fact]:
    """Yield that base does not run an op as head saves it; it has no patches for that."""
    wrong = misfits(form_of(new), old)
    if wrong:
        facts = {"problem": ", ".join(wrong.values())}
        yield program_fact("head_program_refused", new.name, "op", new.name, sides=(old, new), facts=facts)


def misfits(saved: patches.Form, declared: Op) -> dict[str, str]:
    """Return why a release does not run a saved op, or reads an attr of it as another type, by what is wrong.

    Args:
        saved: the op as it was saved, and then patched.
        declared: what the release declares.
    """
    asked = {attr.name: _type(attr) for attr in declared.attrs}
    wrong = {name: f"it lacks the attr '{name}'" for name in asked if name not in saved.attrs}
    wrong |= {
        name: f"its attr '{name}' is of type {saved.attrs[name]}"
        for name, kind in asked.items()
        if name in saved.attrs and not patches.fits(saved.attrs[name], kind)
    }
    if declared.get("variadic") is True:
        return wrong
    for kind in _SIDES:
        section = _section(kind)
        given, taken = len(getattr(saved, section)), len(getattr(declared, section))
        if given != taken:
            wrong[f"{kind}s"] = f"it has {given} {kind}s, not {taken}"
    return wrong
