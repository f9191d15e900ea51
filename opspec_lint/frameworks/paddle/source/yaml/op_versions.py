"""The op versions that op_version.yaml has."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.attr_types import stored
from opspec_lint.frameworks.paddle.source.cpp.expressions import evaluate
from opspec_lint.frameworks.paddle.source.cpp.tokens import tokens
from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.source.cpp.values import Null
from opspec_lint.frameworks.paddle.source.declared import History
from opspec_lint.frameworks.paddle.source.yaml.entries import YamlEntry, resolved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.source.declared import Checkpoint, Update

ACTIONS: dict[str, tuple[str, str | None]] = {
    f"{verb}_{kind}": (action, kind)
    for verb, action in (("add", "new"), ("modify", "modify"), ("delete", "delete"))
    for kind in ("attr", "input", "output")
}
ACTIONS["fix_bug"] = ("bugfix", None)
"""The actions of a checkpoint: what each does, and to which kind of argument."""


class _None:
    """The names in the defaults of op_version.yaml."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        if name == "none":
            return Null()
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")

    def type_text(self, text: str) -> str:
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        raise UnresolvedError(f"the function {name} is not known")


def history_of(entry: YamlEntry, op: str, file: str, place: tuple[int, int]) -> History:
    """Return the history that an entry of op_version.yaml makes for an op.

    Raises:
        UnresolvedError: it is not of the form that the generator reads.
    """
    checkpoints: list[Checkpoint] = []
    for point in entry.get("version") or ():
        if not isinstance(point, YamlEntry) or not isinstance(point.get("action"), list):
            raise UnresolvedError("a checkpoint without its action", file, entry.line)
        updates: list[Update] = []
        for action in point["action"]:
            if not isinstance(action, YamlEntry):
                raise UnresolvedError("an action that is not a mapping", file, point.line)
            for key, (verb, kind) in ACTIONS.items():
                if key in action:
                    updates.append(_action(action, key, verb, kind, file))
        checkpoints.append((str(point.get("checkpoint", "")), updates, point.line))
    return History(op, checkpoints, file, *place)


def _action(action: YamlEntry, key: str, verb: str, kind: str | None, file: str) -> Update:
    remark = str(action.get("comment", ""))
    if kind is None:
        return verb, None, None, remark, None, action.line
    if kind != "attr" or verb == "delete" or "default" not in action:
        return verb, kind, str(action[key]), remark, None, action.line
    text = str(resolved(action["default"]))
    words = tokens(text, 0, len(text))
    try:
        default = stored(evaluate(words, 0, len(words), _None()))
    except UnresolvedError as error:
        raise error.at(file, action.line) from None
    return verb, kind, str(action[key]), remark, default, action.line
