"""The op versions of op_version.yaml."""

from __future__ import annotations

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL
from opspec_lint.frameworks.paddle.extract.attr_types import to_plain_value
from opspec_lint.frameworks.paddle.extract.declarations import make_history
from opspec_lint.frameworks.paddle.extract.yaml.entries import YamlEntry, resolve_scalar
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


class _VersionNames(NoNames):
    """The names that defaults in op_version.yaml use; `none` is boost::none, as in C++."""

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a name."""
        return NULL if name == "none" else super().constant(qualifiers, name)


def read_history(entry: YamlEntry, file: str) -> History:
    """Return the op versions that an entry of op_version.yaml gives its op.

    Raises UnresolvedError for an entry of another form than the generator reads.
    """
    checkpoints: list[tuple[str, list[tuple[UpdateRecord, int]], int]] = []
    for checkpoint in entry.get("version") or ():
        if not isinstance(checkpoint, YamlEntry) or not isinstance(checkpoint.get("action"), list):
            raise UnresolvedError("a checkpoint without its action", file, entry.line)
        updates: list[tuple[UpdateRecord, int]] = []
        for action in checkpoint["action"]:
            if not isinstance(action, YamlEntry):
                raise UnresolvedError("an action that is not a mapping", file, checkpoint.line)
            for key, (verb, kind) in ACTIONS.items():
                if key in action:
                    updates.append((_update_record(action, key, verb, kind, file), action.line))
        checkpoints.append((str(checkpoint.get("checkpoint", "")), updates, checkpoint.line))
    return make_history(checkpoints, file)


def _update_record(action: YamlEntry, key: str, verb: Action, kind: Kind | None, file: str) -> UpdateRecord:
    """Return the record of one update."""
    remark = str(action.get("comment", ""))
    if kind is None:
        return {"action": verb, "remark": remark}
    default = None
    if kind == "attr" and verb != "delete" and "default" in action:
        default = _default(str(resolve_scalar(action["default"])), action.line, file)
    return {"action": verb, "kind": kind, "name": str(action[key]), "remark": remark, "default_value": default}


def _default(text: str, line: int, file: str) -> Any:
    """Return the default of an attr, written as C++ in YAML."""
    tokens = tokenize(text, 0, len(text))
    try:
        return to_plain_value(evaluate(tokens, 0, len(tokens), _VersionNames()))
    except UnresolvedError as error:
        raise error.at(file, line) from None
