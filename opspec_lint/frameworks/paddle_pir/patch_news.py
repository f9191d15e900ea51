"""The patches that are new in head, and what is wrong with them."""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.facts import ProgramFact
from opspec_lint.spec import patches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.frameworks.paddle_pir.programs import Versions
    from opspec_lint.spec.model import Op


def news(old: Op | None, new: Op, versions: Versions) -> Iterator[ProgramFact]:
    """Yield what is wrong with the patches of an op that base does not have, and those of a release that are gone."""
    before = () if old is None else patches.actions_of(old)
    after = patches.actions_of(new)
    for action in after:
        if action in before:
            continue
        if action.version and action.version <= versions.base:
            yield _fact("patch_of_release_changed", new, action, change="has an action that is new")
        elif problem := _idle(action, old, new, is_release=versions.is_release):
            yield _fact("patch_without_effect", new, action, problem=problem)
    for action in before:
        if action not in after and action.version and action.version <= versions.base:
            yield _fact("patch_of_release_changed", new, action, change="lost an action")


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


def _fact(what: str, op: Op, action: patches.Action, **facts: str) -> ProgramFact:
    file = f"patch/{action.version}.yaml"
    target = "" if action.target is None else str(action.target)
    return ProgramFact(
        op=op.name,
        kind="op",
        name=op.name,
        what=what,
        field=f"patches.{action.version}.{action.kind}.{target}",
        facts={"file": file, "action": f"{action.kind} {target}".strip(), **facts},
        after=op,
    )
