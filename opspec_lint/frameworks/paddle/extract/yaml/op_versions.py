"""The op versions that op_version.yaml has."""

from __future__ import annotations

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL
from opspec_lint.frameworks.paddle.extract.attr_types import to_plain_value
from opspec_lint.frameworks.paddle.extract.declarations import make_history
from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry, resolved
from opspec_lint.spec.model import SECTIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.extract.declarations import History
    from opspec_lint.spec.model import Action, Kind
    from opspec_lint.spec.records import UpdateRecord

_VERBS: dict[str, Action] = {"add": "new", "modify": "modify", "delete": "delete"}
ACTIONS: dict[str, tuple[Action, Kind | None]] = {
    f"{verb}_{kind}": (action, kind) for verb, action in _VERBS.items() for kind in SECTIONS
}
ACTIONS["fix_bug"] = ("bugfix", None)
"""The actions of a checkpoint: what each does, and to which kind of argument."""


class _None(NoNames):
    """The names in the defaults of op_version.yaml."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        return NULL if name == "none" else super().constant(qualifiers, name)


def history_of(entry: YamlEntry, file: str) -> History:
    """Return the history that an entry of op_version.yaml makes for its op.

    Raises:
        UnresolvedError: the entry is not of the form that the generator reads.
    """
    checkpoints: list[tuple[str, list[tuple[UpdateRecord, int]], int]] = []
    for point in entry.get("version") or ():
        if not isinstance(point, YamlEntry) or not isinstance(point.get("action"), list):
            raise UnresolvedError("a checkpoint without its action", file, entry.line)
        updates: list[tuple[UpdateRecord, int]] = []
        for action in point["action"]:
            if not isinstance(action, YamlEntry):
                raise UnresolvedError("an action that is not a mapping", file, point.line)
            for key, (verb, kind) in ACTIONS.items():
                if key in action:
                    updates.append((_action(action, key, verb, kind, file), action.line))
        checkpoints.append((str(point.get("checkpoint", "")), updates, point.line))
    return make_history(checkpoints, file)


def _action(action: YamlEntry, key: str, verb: Action, kind: Kind | None, file: str) -> UpdateRecord:
    remark = str(action.get("comment", ""))
    if kind is None:
        return {"action": verb, "remark": remark}
    default = None
    if kind == "attr" and verb != "delete" and "default" in action:
        default = _default(str(resolved(action["default"])), action.line, file)
    return {"action": verb, "kind": kind, "name": str(action[key]), "remark": remark, "default_value": default}


def _default(text: str, line: int, file: str) -> Any:
    words = tokenize(text, 0, len(text))
    try:
        return to_plain_value(evaluate(words, 0, len(words), _None()))
    except UnresolvedError as error:
        raise error.at(file, line) from None
