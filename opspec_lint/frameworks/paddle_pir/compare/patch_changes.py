"""Facts about the patches of an op that differ between base and head: faulty new patches, and removed ones.

A patch consists of actions, which change a saved op before it is checked. A new action of head is one of:

- without effect: it repairs nothing
- not judged: its effect depends on the ops that read an output
- breaking: a program of base that loads without it is refused with it
- rewriting: a program of base that loads without it computes something else with it
- sound: anything else
"""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.frameworks.paddle_pir.compare.program_changes import load_problems, saved_form
from opspec_lint.frameworks.paddle_pir.compare.remedies import converts
from opspec_lint.frameworks.paddle_pir.compare.versions import new_actions
from opspec_lint.frameworks.paddle_pir.facts import program_fact
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from opspec_lint.frameworks.paddle_pir.compare.versions import Versions
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.model import Op, Spec

_UNJUDGED = (
    "modify_output_type",
    "modify_output_attr_name",
    "add_output_attr",
    "modify_output_attr",
    "delete_output_attr",
)
"""Actions on types and attrs of output values; their effect depends on the ops that read these values."""
_SIDES = {"delete_input": "inputs", "delete_output": "outputs", "modify_output_type": "outputs"}
"""The actions that need an existing input or output, by section of the op."""


def patch_changes(old: Op | None, new: Op, head: Spec, versions: Versions) -> Iterator[Fact]:
    """Yield the faults of patches of an op that only head has, and the patches that only base has.

    Args:
        old: the op in base, None if base lacks it.
        new: the op in head.
        head: the spec that loads existing programs.
        versions: the PIR versions of base and head, which decide about the patches that are applied.
    """
    for fact in _patch_changes(old, new, head.ops, versions):
        place = head.field_origins.get(f"{fact.facts['file']} {fact.op}")
        yield fact if place is None else fact.replace(origins=(None, place))


def _patch_changes(old: Op | None, new: Op, head: Mapping[str, Op], versions: Versions) -> Iterator[Fact]:
    """Yield the facts of `patch_changes` without their places."""
    before = () if old is None else patches.actions_of(old)
    after = patches.actions_of(new)
    working = []
    for action in new_actions(before, after):
        # Programs of a released version are in use: the release has loaded older ones without this action.
        if action.version and action.version <= versions.base:
            yield _fact("patch_of_release_changed", new, action, change="has an action that is new")
            continue
        problem = _why_useless(action, old, new, is_release=versions.is_release)
        if problem:
            yield _fact("patch_without_effect", new, action, problem=problem)
        else:
            working.append(action)
    yield from (_fact("patch_not_judged", new, action) for action in working if action.kind in _UNJUDGED)
    if old is not None:
        yield from _PatchedOp(old, new, head, versions).facts(working)
    if new.get("patches") is not None:
        yield from _removed_actions(before, after, new, versions)


class _PatchedOp:
    """An op as programs of base have it, with the patches that head applies to it."""

    def __init__(self, old: Op, new: Op, head: Mapping[str, Op], versions: Versions) -> None:
        self._new, self._head = new, head
        self._form = saved_form(old)
        self._applied = [action for action in versions.applied_actions(old, new) if not action.former_op]

    def facts(self, actions: Sequence[patches.Action]) -> Iterator[Fact]:
        """Yield a fact for new actions that break or change programs which would run without these actions."""
        applied = [action for action in self._applied if action in actions]
        # An op that head refuses anyway is no fault of the patch: only additional problems count.
        problems_without = self._problems([action for action in self._applied if action not in actions])
        problems = [text for subject, text in self._problems(self._applied).items() if subject not in problems_without]
        problems += filter(None, map(self._index_problem, applied))
        if applied and problems:
            yield _fact("patch_breaks_op", self._new, applied[0], problem=", ".join(problems))
            return
        for action in applied:
            effect = self._effect(action)
            if effect:
                yield _fact("patch_rewrites_op", self._new, action, effect=effect)

    def _problems(self, actions: Sequence[patches.Action]) -> dict[str, str]:
        """Return the reasons, by subject, why head does not run the op after some actions have changed it."""
        form = patches.apply_actions(self._form, actions)
        declared = self._new if form.op == self._new.name else self._head.get(form.op)
        if declared is None:
            return {"op": f"it becomes '{form.op}', which is not declared"}
        return load_problems(form, declared)

    def _index_problem(self, action: patches.Action) -> str:
        """Return the problem that an action is on an input or output that the op does not have, or ""."""
        side = _SIDES.get(action.kind)
        place = action.target
        if side is None or not isinstance(place, int) or place < len(getattr(self._form, side)):
            return ""
        return f"it has no {side[:-1]} {place}"

    def _effect(self, action: patches.Action) -> str:
        """Return the effect of an action on what programs compute, "" if it only makes them load.

        Another name of the op, and the conversion of an attr to another value, have one.
        """
        if action.kind == "modify_name" and action.data != self._new.name:
            return f"it becomes '{action.data}'"
        kind = self._form.attrs.get(str(action.target), "")
        if action.kind != "modify_attr" or action.data is None or not converts(kind, action.type or ""):
            return ""
        return f"its attr '{action.target}' becomes {json.dumps(values.thaw(action.data))}"


def _removed_actions(
    before: Sequence[patches.Action], after: Sequence[patches.Action], new: Op, versions: Versions
) -> Iterator[Fact]:
    """Yield removed actions of released patches, and of the next version if they are still needed."""
    # Cutting a release moves the patches of the next version (number 0) to a file with its number.
    kept = [action.replace(version=0) for action in after]
    for action in before:
        if action.version:
            if action not in after and action.version <= versions.base:
                yield _fact("patch_of_release_changed", new, action, change="lost an action")
        elif action not in kept and _is_needed(action, new):
            yield _fact("patch_dropped", new, action)


def _is_needed(action: patches.Action, new: Op) -> bool:
    """Return whether head still declares what a removed action produced, so that programs need the action."""
    attrs = {attr.name: attr.type for attr in new.attrs}
    if action.kind == "add_attr":
        return action.target in attrs
    if action.kind == "modify_attr":
        return action.target in attrs and patches.accepts(action.type or "", str(attrs[str(action.target)]))
    if action.kind == "modify_attr_name":
        return action.data in attrs
    return bool(action.former_op) if action.kind == "modify_name" else action.kind not in (*_UNJUDGED, "delete_attr")


def _why_useless(action: patches.Action, old: Op | None, new: Op, *, is_release: bool) -> str:
    """Return the reason why an action repairs nothing, "" if it does or if that is unknown.

    `is_release`: base is a release. Otherwise base may already have the change that the patch is for, as a patch may
    come in a later commit than the change.
    """
    name, kind = str(action.target), action.kind
    if action.former_op or action.pair or kind.endswith("output_attr") or kind == "modify_output_type":
        return ""
    attrs = {attr.name: attr for attr in new.attrs}
    had = set() if old is None else {attr.name for attr in old.attrs}
    if kind == "add_attr":
        if name not in attrs:
            return f"'{new.name}' has no attr '{name}'"
        return f"programs of base have the attr '{name}'" if is_release and name in had else _type_problem(action, new)
    if kind == "modify_attr":
        if name not in attrs and name not in had:
            return f"'{new.name}' has no attr '{name}'"
        return _type_problem(action, new)
    if kind == "modify_attr_name":
        return "" if str(action.data) in attrs else f"'{new.name}' has no attr '{action.data}'"
    if kind == "delete_attr":
        return f"'{new.name}' has the attr '{name}'" if name in attrs else ""
    return ""


def _type_problem(action: patches.Action, new: Op) -> str:
    """Return the problem that an action gives an attr another type than head declares, or ""."""
    attr = next((attr for attr in new.attrs if attr.name == action.target), None)
    if attr is None or not isinstance(attr.type, str) or action.type is None or patches.accepts(action.type, attr.type):
        return ""
    return f"the attr '{attr.name}' of '{new.name}' is of type {attr.type}, and the patch makes it {action.type}"


def _fact(event: EventId, op: Op, action: patches.Action, **facts: str) -> Fact:
    """Return a fact about an action of a patch of head."""
    file = f"patch/{action.version}.yaml"
    target = "" if action.target is None else str(action.target)
    texts = {"file": file, "action": f"{action.kind} {target}".strip(), **facts}
    fact = program_fact(event, op.name, "op", op.name, sides=(None, op), facts=texts)
    return fact.replace(field=f"patches.{action.version}.{action.kind}.{target}")
