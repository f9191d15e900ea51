"""The patches that are new in head, and what is wrong with them; and the patches that head no longer has."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.frameworks.paddle_pir.compare.programs import form_of, misfits
from opspec_lint.frameworks.paddle_pir.compare.remedies import converts
from opspec_lint.frameworks.paddle_pir.compare.versions import fresh
from opspec_lint.frameworks.paddle_pir.facts import program_fact
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.frameworks.paddle_pir.compare.versions import Versions
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_UNTOLD = (
    "modify_output_type",
    "modify_output_attr_name",
    "add_output_attr",
    "modify_output_attr",
    "delete_output_attr",
)
"""Actions on what a program says of its values; what becomes of that depends on what reads it."""
_SIDES = {"delete_input": "inputs", "delete_output": "outputs", "modify_output_type": "outputs"}
"""The actions on an input or output that has to be there, by what they are on."""


def news(old: Op | None, new: Op, head: Spec, versions: Versions) -> Iterator[Fact]:
    """Yield what is wrong with the patches of an op that base does not have, and those that are gone.

    Args:
        old: what base declares, None where it has no such op.
        new: what head declares.
        head: the spec that loads existing programs.
        versions: which patches are applied to programs of base.
    """
    for fact in _news(old, new, head.ops, versions):
        place = head.field_origins.get(f"{fact.facts['file']} {fact.op}")
        yield fact if place is None else fact.replace(origins=(None, place))


def _news(old: Op | None, new: Op, head: Mapping[str, Op], versions: Versions) -> Iterator[Fact]:
    before = () if old is None else patches.actions_of(old)
    after = patches.actions_of(new)
    working = []
    for action in fresh(before, after):
        if action.version and action.version <= versions.base:
            yield _fact("patch_of_release_changed", new, action, change="has an action that is new")
        elif problem := _idle(action, old, new, is_release=versions.is_release):
            yield _fact("patch_without_effect", new, action, problem=problem)
        else:
            working.append(action)
    yield from (_fact("patch_not_judged", new, each) for each in working if each.kind in _UNTOLD)
    if old is not None:
        yield from _Rewritten(old, new, head, versions).facts(working)
    if new.get("patches") is not None:
        yield from _gone(before, after, new, versions)


class _Rewritten:
    """An op as programs of base have it, and what the patches of head make of it."""

    def __init__(self, old: Op, new: Op, head: Mapping[str, Op], versions: Versions) -> None:
        self._new, self._head = new, head
        self._form = form_of(old)
        self._due = [each for each in versions.due(old, new) if not each.of]

    def facts(self, made: Sequence[patches.Action]) -> Iterator[Fact]:
        """Yield what some of the actions break or change in programs that would run without them."""
        own = [each for each in self._due if each in made]
        before = self._problems([each for each in self._due if each not in made])
        problems = [text for subject, text in self._problems(self._due).items() if subject not in before]
        problems += [text for each in own if (text := self._misplaced(each))]
        if own and problems:
            yield _fact("patch_breaks_op", self._new, own[0], problem=", ".join(problems))
            return
        for action in own:
            if effect := self._effect(action):
                yield _fact("patch_rewrites_op", self._new, action, effect=effect)

    def _problems(self, actions: Sequence[patches.Action]) -> dict[str, str]:
        """Return why head does not run the op once some actions have changed it, by what is wrong."""
        form = patches.patched(self._form, actions)
        declared = self._new if form.op == self._new.name else self._head.get(form.op)
        if declared is None:
            return {"op": f"it becomes '{form.op}', which is not declared"}
        return misfits(form, declared)

    def _misplaced(self, action: patches.Action) -> str:
        side = _SIDES.get(action.kind)
        place = action.target
        if side is None or not isinstance(place, int) or place < len(getattr(self._form, side)):
            return ""
        return f"it has no {side[:-1]} {place}"

    def _effect(self, action: patches.Action) -> str:
        """The effect of an action on what programs compute, "" where it only makes them run."""
        if action.kind == "modify_name" and action.data != self._new.name:
            return f"it becomes '{action.data}'"
        kind = self._form.attrs.get(str(action.target), "")
        if action.kind != "modify_attr" or action.data is None or not converts(kind, action.type or ""):
            return ""
        return f"its attr '{action.target}' becomes {json.dumps(values.thaw(action.data))}"


def _gone(
    before: Sequence[patches.Action], after: Sequence[patches.Action], new: Op, versions: Versions
) -> Iterator[Fact]:
    kept = [each.replace(version=0) for each in after]
    for action in before:
        if action.version:
            if action not in after and action.version <= versions.base:
                yield _fact("patch_of_release_changed", new, action, change="lost an action")
        elif action not in kept and _is_needed(action, new):
            yield _fact("patch_dropped", new, action)


def _is_needed(action: patches.Action, new: Op) -> bool:
    """Tell whether an op is still as an action makes it: what the action repaired is then no longer repaired."""
    attrs = {attr.name: attr.type for attr in new.attrs}
    if action.kind == "add_attr":
        return action.target in attrs
    if action.kind == "modify_attr":
        return action.target in attrs and patches.fits(action.type or "", str(attrs[str(action.target)]))
    if action.kind == "modify_attr_name":
        return action.data in attrs
    return bool(action.of) if action.kind == "modify_name" else action.kind not in (*_UNTOLD, "delete_attr")


def _idle(action: patches.Action, old: Op | None, new: Op, *, is_release: bool) -> str:
    """Return why an action repairs nothing, "" where it does or that cannot be told.

    What base does not have is only then nothing to repair if base is a release: between two of them, a patch may come
    after the change that needs it.
    """
    name, kind = str(action.target), action.kind
    if action.of or action.pair or kind.endswith("output_attr") or kind == "modify_output_type":
        return ""
    attrs = {attr.name: attr for attr in new.attrs}
    had = set() if old is None else {attr.name for attr in old.attrs}
    if kind == "add_attr":
        if name not in attrs:
            return f"'{new.name}' has no attr '{name}'"
        return f"programs of base have the attr '{name}'" if is_release and name in had else _mistyped(action, new)
    if kind == "modify_attr":
        if name not in attrs and name not in had:
            return f"'{new.name}' has no attr '{name}'"
        return _mistyped(action, new)
    if kind == "modify_attr_name":
        return "" if str(action.data) in attrs else f"'{new.name}' has no attr '{action.data}'"
    if kind == "delete_attr":
        return f"'{new.name}' has the attr '{name}'" if name in attrs else ""
    return ""


def _mistyped(action: patches.Action, new: Op) -> str:
    attr = next((each for each in new.attrs if each.name == action.target), None)
    if attr is None or not isinstance(attr.type, str) or action.type is None or patches.fits(action.type, attr.type):
        return ""
    return f"the attr '{attr.name}' of '{new.name}' is of type {attr.type}, and the patch makes it {action.type}"


def _fact(event: EventId, op: Op, action: patches.Action, **facts: str) -> Fact:
    file = f"patch/{action.version}.yaml"
    target = "" if action.target is None else str(action.target)
    told = {"file": file, "action": f"{action.kind} {target}".strip(), **facts}
    made = program_fact(event, op.name, "op", op.name, sides=(None, op), facts=told)
    return made.replace(field=f"patches.{action.version}.{action.kind}.{target}")
