"""The effect of changes of an op on saved PIR programs: after the patches of head, what head still refuses.

A general comparison of the two declarations yields the changes (`bindings.position`). Each change that breaks saved
programs becomes a fact of PIR with its remedy (`remedies`): the patch entry that would repair it, as text for a file of
patches, and the advice. Changes that the patches of head repair become one fact. The opposite direction, base loading
programs of head, is checked without patches.
"""

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

    _FactAndRemedy: TypeAlias = tuple[Fact, Remedy]

_MIN_LIKENESS = 0.5
_SIDES = ("input", "output")
_ADDED: Mapping[str, EventId] = {
    "input": "input_added_unpatched",
    "output": "output_added_unpatched",
    "attr": "attr_added_unpatched",
}
_REMOVED: Mapping[str, EventId] = {"input": "input_removed_unpatched", "output": "output_removed_unpatched"}


def op_changes(old: Op, new: Op, versions: Versions) -> Iterator[Fact]:
    """Yield the changes of an op that break programs of base, and those that patches of head repair."""
    # An action with `of` turns another op into this one: it is judged with that op (`renamed_op_changes`).
    actions = [action for action in versions.applied_actions(old, new) if not action.former_op]
    after = patches.apply_actions(saved_form(old), actions)
    facts = list(compare(old, new, (), fields.field_table("paddle-pir")))
    judged = _ChangeJudge(old, new, after, facts, Remedies(old.name, versions, versions.occupied_file(old, new)))
    yield from judged.judge_without_patches() if new.get("patches") is None else judged.judge_all(actions)


def saved_form(op: Op) -> patches.Form:
    """Return an op in the form in which its release saves it in a program."""
    return patches.Form(
        op=op.name,
        attrs={attr.name: stored_type(_type(attr)) for attr in op.attrs},
        inputs=tuple(argument.name for argument in op.inputs),
        outputs=tuple(argument.name for argument in op.outputs),
    )


def _type(attr: Attr) -> str:
    """Return the type of an attr, "" if it is unknown."""
    return attr.type if isinstance(attr.type, str) else ""


class _ChangeJudge:
    """Judges the changes of one op; `after` is the saved op of base after the patches of head."""

    def __init__(self, old: Op, new: Op, after: patches.Form, facts: Sequence[Fact], remedies: Remedies) -> None:
        self._old = old
        self._new = new
        self._after = after
        self._facts = facts
        self._remedies = remedies
        self._attrs = {attr.name: attr for attr in new.attrs}
        self._renamed = {fact.name: fact.new_name for fact in facts if is_rename(fact) and fact.kind in _SIDES}

    def judge_without_patches(self) -> Iterator[Fact]:
        """Yield one fact for all changes that patches may repair, where the patches of head are unknown."""
        judged = self._judged_changes()
        if judged:
            facts = {"changed": _name_list(fact for fact, _ in judged)}
            yield self._fact("change_maybe_patched", "op", self._new.name, facts)

    def judge_all(self, actions: Sequence[patches.Action]) -> Iterator[Fact]:
        """Yield a fact for each change that is not repaired, and one fact for all that the patches repair."""
        judged = self._judged_changes()
        repaired = [fact for fact, _ in judged if self._is_repaired(fact)]
        unrepaired = [(fact, remedy) for fact, remedy in judged if fact not in repaired]
        all_remedies = [remedy for _, remedy in unrepaired]
        for fact, remedy in unrepaired:
            facts = {**fact.facts, "remedy": self._remedies.advice(remedy, all_remedies)}
            yield fact.replace(facts=facts, needs=self._remedies.entry(all_remedies))
        if repaired:
            facts = {"patch": _patch_numbers(actions), "changed": _name_list(repaired)}
            yield self._fact("change_patched", "op", self._new.name, facts)

    def _judged_changes(self) -> list[_FactAndRemedy]:
        """Return the effect of each change that has one, with its remedy."""
        judged = map(self._judge, self._facts)
        return [fact_and_remedy for fact_and_remedy in judged if fact_and_remedy is not None]

    def _judge(self, fact: Fact) -> _FactAndRemedy | None:
        """Return the effect of a change on programs and its remedy, None if it has no effect."""
        if is_rename(fact):
            return self._judge_rename(fact)
        if is_addition(fact):
            return self._judge_addition(fact)
        return self._judge_removal(fact) if is_removal(fact) else self._judge_field(fact)

    def _judge_rename(self, fact: Fact) -> _FactAndRemedy | None:
        """Judge a renamed argument; an attr and an input may also replace each other."""
        if fact.event in ("input_renamed", "output_renamed"):
            return None  # a program does not store names of inputs and outputs
        old_name, new_name = str(fact.name), str(fact.new_name)
        if fact.event != "attr_renamed":
            _, addition = fact.halves
            made = self._change_fact("input_kind_unpatched", fact)
            return made.replace(old=f"an {fact.kind}", new=f"an {addition.kind}"), Remedy()
        made = self._change_fact("attr_renamed_unpatched", fact, {"new_name": new_name})
        return made, self._remedies.rename_attr(old_name, new_name)

    def _judge_addition(self, fact: Fact) -> _FactAndRemedy:
        """Judge an added input, output or attr."""
        name, kind = str(fact.name), fact.kind
        made = self._change_fact(_ADDED[kind], fact, before=self._old)
        if kind == "attr":
            return made, self._remedies.add_attr(self._attrs[name])
        place = _argument_names(self._new, kind).index(name)
        if kind == "output":
            # The loader numbers outputs in order: an op that reads an output after the new one would get the new one.
            before = {self._renamed.get(old_name, old_name) for old_name in _argument_names(self._old, kind)}
            is_behind = not before.isdisjoint(_argument_names(self._new, kind)[:place])
            return made, self._remedies.add_output(place, is_behind=is_behind)
        return made, self._remedies.op_pair_patch("add_value", place, is_output=False)

    def _judge_removal(self, fact: Fact) -> _FactAndRemedy | None:
        """Judge a removed input, output or attr."""
        name, kind = str(fact.name), fact.kind
        if kind == "attr":
            return None  # the loader ignores an attr that the op does not declare
        made = self._change_fact(_REMOVED[kind], fact, after=self._new)
        place = _argument_names(self._old, kind).index(name)
        if kind == "input":
            return made, self._remedies.delete_input(place)
        return made, self._remedies.op_pair_patch("delete_value", place, is_output=True)

    def _judge_field(self, fact: Fact) -> _FactAndRemedy | None:
        """Judge a changed field of an argument, or the order of arguments."""
        field, sides = fact.field, {"old": fact.old, "new": fact.new}
        if field == "order":
            sides = {"old": ", ".join(fact.old), "new": ", ".join(fact.new)}
            return self._change_fact("order_unpatched", fact).replace(field=field, **sides), Remedy()
        if fact.kind == "attr" and fact.field == "type":
            if patches.accepts(stored_type(str(fact.old)), str(fact.new)):
                return None
            made = self._change_fact("attr_type_unpatched", fact).replace(field=field, **sides)
            return made, self._remedies.modify_type(str(fact.name), str(fact.old), str(fact.new))
        if fact.kind == "input" and fact.field == "duplicable":
            names = {True: "a list of tensors", False: "a tensor"}
            sides = {"old": names[bool(fact.old)], "new": names[bool(fact.new)]}
            return self._change_fact("input_kind_unpatched", fact).replace(field=field, **sides), Remedy()
        return None

    def _is_repaired(self, fact: Fact) -> bool:
        """Return whether the patches repair a change."""
        name = str(fact.facts.get("new_name", fact.name))
        if fact.kind == "attr":
            declared = self._attrs.get(name)
            saved_type = self._after.attrs.get(name)
            return declared is not None and saved_type is not None and patches.accepts(saved_type, _type(declared))
        if fact.event in ("order_unpatched", "input_kind_unpatched"):
            return False  # no action of a patch can do this
        return self._arguments_fit(fact.kind)

    def _arguments_fit(self, kind: str) -> bool:
        """Return whether the inputs or outputs of the patched op match the op of head by position.

        One that a patch added is None, and matches any.
        """
        saved: Sequence[str | None] = getattr(self._after, _section(kind))
        declared = _argument_names(self._new, kind)
        if len(saved) != len(declared):
            return False
        return all(
            saved_name is None or self._renamed.get(saved_name, saved_name) == name
            for saved_name, name in zip(saved, declared, strict=True)
        )

    def _change_fact(
        self,
        event: EventId,
        fact: Fact,
        facts: Mapping[str, object] | None = None,
        *,
        before: Declared | None = None,
        after: Declared | None = None,
    ) -> Fact:
        """Return the fact of a change; `before` and `after` replace a declaration that a side lacks."""
        sides = fact.before or before, fact.after or after
        return program_fact(event, self._new.name, fact.kind, str(fact.name), sides=sides, facts=facts)

    def _fact(self, event: EventId, kind: Kind, name: str, facts: Mapping[str, object]) -> Fact:
        """Return a fact of the op as a whole."""
        return program_fact(event, self._new.name, kind, name, sides=(self._old, self._new), facts=facts)


def _name_list(facts: Iterable[Fact]) -> str:
    """Return the kinds and names of changed arguments, as text."""
    return ", ".join(sorted({f"{fact.kind} '{fact.name}'" for fact in facts}))


def _argument_names(op: Op, kind: str) -> list[str]:
    """Return the names of the inputs or outputs of an op, in order."""
    return [argument.name for argument in getattr(op, _section(kind))]


def _patch_numbers(actions: Sequence[patches.Action]) -> str:
    """Return the numbers of the patch files that actions are from, as text."""
    return ", ".join(sorted({str(action.version) for action in actions}))


def _section(kind: str) -> str:
    """Return the section of an op for a kind of arguments: `inputs` for `input`."""
    return SECTIONS[kind]  # type: ignore[index]


def match_renamed_ops(gone: Sequence[Op], added: Sequence[Op], changed: Sequence[Op]) -> Mapping[str, Op]:
    """Match removed ops with their successors in head, by the patches of head or by similar names and equal form.

    Args:
        gone: the ops that only base has.
        added: the ops that only head has.
        changed: all ops of head that are new or have changed.
    """
    successors = {action.former_op: op for op in changed for action in patches.actions_of(op) if action.former_op}
    for op in gone:
        alike = [
            candidate
            for candidate in added
            if _form_key(candidate) == _form_key(op) and _likeness(candidate.name, op.name) >= _MIN_LIKENESS
        ]
        # A patch is certain. Of several similar ops none is, and a wrong successor would hide the removal.
        if op.name not in successors and len(alike) == 1:
            successors[op.name] = alike[0]
    return successors


def _form_key(op: Op) -> tuple[Any, ...]:
    """Return a key that is equal for ops with the same attrs and numbers of inputs and outputs."""
    form = saved_form(op)
    return tuple(sorted(form.attrs.items())), len(form.inputs), len(form.outputs)


def _likeness(first_name: str, second_name: str) -> float:
    """Return the similarity of two op names without their dialect, from 0 to 1."""
    from difflib import SequenceMatcher

    # Sorted, as the ratio of SequenceMatcher depends on the order of its arguments (difflib).
    first, second = sorted(name.partition(".")[2] or name for name in (first_name, second_name))
    return SequenceMatcher(None, first, second, autojunk=False).ratio()


def renamed_op_changes(old: Op, new: Op, versions: Versions) -> Iterator[Fact]:
    """Yield the effect on programs of an op that has another name in head."""
    actions = [action for action in versions.applied_actions(None, new) if action.former_op == old.name]
    after = patches.apply_actions(saved_form(old), actions)
    remedies = Remedies(old.name, versions, versions.occupied_file(old, new))
    renaming = remedies.rename_op(new.name)
    if after.op != new.name:
        facts = {"new_name": new.name, "remedy": remedies.advice(renaming, [renaming])}
        made = program_fact("op_renamed_unpatched", old.name, "op", old.name, sides=(old, new), facts=facts)
        yield made.replace(needs=remedies.entry([renaming]))
        return
    facts = {"patch": _patch_numbers(actions), "changed": f"its name '{old.name}'"}
    yield program_fact("change_patched", old.name, "op", old.name, sides=(old, new), facts=facts)
    yield from op_changes(old.replace(name=new.name), new, versions)


def refused_by_base(old: Op, new: Op) -> Iterator[Fact]:
    """Yield the fact that base refuses programs of head with an op; base has no patches for later versions."""
    wrong = load_problems(saved_form(new), old)
    if wrong:
        facts = {"problem": ", ".join(wrong.values())}
        yield program_fact("head_program_refused", new.name, "op", new.name, sides=(old, new), facts=facts)


def load_problems(saved: patches.Form, declared: Op) -> dict[str, str]:
    """Return the reasons, by subject, why a release refuses a saved and patched op, or misreads one of its attrs."""
    # Only declared attrs are checked: the loader ignores any other attr of a program.
    declared_types = {attr.name: _type(attr) for attr in declared.attrs}
    wrong = {name: f"it lacks the attr '{name}'" for name in declared_types if name not in saved.attrs}
    wrong |= {
        name: f"its attr '{name}' is of type {saved.attrs[name]}"
        for name, kind in declared_types.items()
        if name in saved.attrs and not patches.accepts(saved.attrs[name], kind)
    }
    if declared.get("variadic") is True:
        return wrong  # any number of inputs and outputs is right
    for kind in _SIDES:
        section = _section(kind)
        given, taken = len(getattr(saved, section)), len(getattr(declared, section))
        if given != taken:
            wrong[f"{kind}s"] = f"it has {given} {kind}s, not {taken}"
    return wrong
