"""The patches of a release: `patch/N.yaml` of a tree, and the same documents as they stand in a wheel's library.

The forms are those that Paddle's patch_util.cc reads, and what it does not read is a problem here. The value of an
action stands under `default` in 2024, and under `data` since version 2 of PIR.
"""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, parse_document, resolve_scalar
from opspec_lint.frameworks.paddle.saved.pir.patches import (
    ARRAY,
    DATA,
    DEFAULT,
    FIRST,
    PLAIN_TYPES,
    TYPES_SINCE_DATA,
    Action,
    value_key,
)
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_ATTR_TYPES = PLAIN_TYPES | {ARRAY, "pir::TypeAttribute"}
"""The types that an action can give an attr; of any other the loader stops with an error of its own."""
_TENSOR = "pir::DenseTensorType"
_PARTS_OF_TENSOR = 5
_INTEGER = pattern(r"[-+]?\d+|0x[0-9a-fA-F]+")
_NUMBER = pattern(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?\.?(inf|Inf|INF)|\.?(nan|NaN|NAN)")
_BOOL = pattern(r"true|false|yes|no|on|off|y|n", "i")
_FORMS = {
    "pir::BoolAttribute": _BOOL,
    **dict.fromkeys((f"pir::{name}Attribute" for name in ("Int32", "Int64", "Index")), _INTEGER),
    **dict.fromkeys((f"pir::{name}Attribute" for name in ("Float", "Double")), _NUMBER),
}
"""How the value of an attr is written, by its type (yaml-cpp's `as`, which does not look at quotes)."""
_OF_ATTR = frozenset(f"{verb}_{what}" for verb in ("add", "modify", "delete") for what in ("attr", "output_attr")) | {
    "modify_attr_name",
    "modify_output_attr_name",
}
_OF_PLACE = frozenset({"delete_input", "add_output", "modify_output_type"})
_OF_PAIR = frozenset({"add_value", "delete_value"})
_GIVES_TYPE = frozenset({"add_output", "modify_output_type", "add_value"})
_RENAMINGS = {"attr_patches": ("attr_name", "delete_attr"), "type_patches": ("type_name", "delete_type")}


class PatchAction(Record):
    """An action of a patch: the op that it is of, "" for one of a whole kind of attrs or types, and its line."""

    op: str
    action: Action
    line: int


class Problem(Record):
    """Something in a file of patches that the loader does not read, or stops at."""

    op: str | None
    name: str
    problem: str
    line: int


class PatchFile(Record):
    """A file of patches.

    `actions` are those of single ops and of pairs of ops, one of a pair under both. `retyped` are the types of attrs
    and of values that become others: "attr" or "type", the old name, the new one, "" for one that is gone, and the
    line.
    """

    version: int
    file: str
    actions: tuple[PatchAction, ...] = ()
    retyped: tuple[tuple[str, str, str, int], ...] = ()
    problems: tuple[Problem, ...] = ()


def read(text: str, file: str, version: int, key: str | None = None) -> PatchFile:
    """The patches in a file.

    Args:
        text: the YAML.
        file: where it stands, for messages.
        version: the number in its name; 0 is the version to come.
        key: what the loader calls the value of an action, None for what loaders of that version call it.
    """
    try:
        root = parse_document(text, file)
    except UnresolvedError as error:
        return PatchFile(version=version, file=file, problems=(_problem(None, file, error.reason, error.line or 1),))
    reader = _Reader(version, key or (value_key(version) if version > FIRST else None))
    if isinstance(root, YamlEntry):
        reader.take(root)
    elif resolve_scalar(root) is not None:
        reader.problems.append(_problem(None, file, "it is no mapping of lists of patches", 1))
    return PatchFile(
        version=version,
        file=file,
        actions=tuple(reader.actions),
        retyped=tuple(reader.retyped),
        problems=tuple(reader.problems),
    )


class _Reader:
    def __init__(self, version: int, key: str | None) -> None:
        self._version = version
        self._key = key
        self._value = key or DATA
        self._seen: set[str] = set()
        self.actions: list[PatchAction] = []
        self.retyped: list[tuple[str, str, str, int]] = []
        self.problems: list[Problem] = []

    def take(self, root: YamlEntry) -> None:
        for section in root:
            if section not in ("op_patches", "op_pair_patches", *_RENAMINGS):
                self.problems.append(_problem(None, section, "the loader reads no patches of this kind", root.line))
        for entry in self._entries(root, "op_patches"):
            self._of_op(entry)
        for entry in self._entries(root, "op_pair_patches"):
            self._of_pair(entry)
        for section, (key, gone) in _RENAMINGS.items():
            for entry in self._entries(root, section):
                self._renaming(entry, key, gone)

    def _entries(self, root: YamlEntry, section: str) -> Iterator[YamlEntry]:
        found = root.get(section)
        if isinstance(found, list):
            for entry in found:
                if isinstance(entry, YamlEntry):
                    yield entry
                else:
                    self.problems.append(_problem(None, section, "it has an entry that is no mapping", root.line))
        elif resolve_scalar(found) is not None:
            self.problems.append(_problem(None, section, "it is no list", root.line))

    def _of_op(self, entry: YamlEntry) -> None:
        op = entry.get("op_name")
        if not isinstance(op, Scalar):
            self.problems.append(_problem(None, "op_name", "an entry does not name its op (`op_name`)", entry.line))
            return
        if str(op) in self._seen:
            problem = "the loader reads the first entry of an op only: put all its actions there"
            self.problems.append(_problem(str(op), str(op), problem, entry.line))
            return
        self._seen.add(str(op))
        for each in self._actions(entry, str(op)):
            self._take_action(str(op), each)

    def _actions(self, entry: YamlEntry, op: str) -> Iterator[YamlEntry]:
        found = entry.get("actions")
        if not isinstance(found, list) or not found:
            self.problems.append(_problem(op, op, "it has no actions", entry.line))
            return
        for each in found:
            if isinstance(each, YamlEntry) and isinstance(each.get("action"), Scalar):
                yield each
            else:
                self.problems.append(_problem(op, op, "an action does not say what it does (`action`)", entry.line))

    def _take_action(self, op: str, each: YamlEntry) -> None:
        kind = str(each["action"])
        target = resolve_scalar(each.get("object"))
        problem = ""
        if kind == "modify_name":
            problem = "" if isinstance(_data(each), str) else f"it does not say the new name (`{self._value}`)"
        elif kind in _OF_ATTR:
            problem = self._wrong_attr(kind, each, target)
        elif kind in _OF_PLACE:
            problem = "" if type(target) is int else "`object` is not the place of an input or output"
            problem = problem or (self._wrong_tensor(each) if kind in _GIVES_TYPE else "")
        else:
            problem = f"the loader knows no action '{kind}'"
        problem = problem or _wrong_key(each, self._key)
        if problem:
            self.problems.append(_problem(op, kind, problem, each.line))
            return
        action = Action(version=self._version, kind=kind, target=target, type=_type(each), data=_data(each))
        self.actions.append(PatchAction(op=op, action=action, line=each.line))

    def _wrong_attr(self, kind: str, each: YamlEntry, target: Any) -> str:
        if not isinstance(target, str):
            return "`object` is not the name of an attr"
        if kind.endswith("_name"):
            return "" if isinstance(_data(each), str) else f"it does not say the new name (`{self._value}`)"
        kind_of = each.get("type")
        if kind_of is not None and not _makes(str(kind_of), each):
            return f"the loader can make no attr of type {kind_of} in a patch"
        if kind.startswith("add") and _data(each) is None:
            return f"an attr that is added has to be given its value (`{self._value}`)"
        if (wrong := _wrong_value(each)) is not None:
            return f"'{wrong[0]}' is no value of type {wrong[1]}"
        return "" if kind_of is not None or kind.startswith("delete") else "it does not say the type (`type`)"

    def _wrong_tensor(self, each: YamlEntry) -> str:
        """Return the fault in the type of a value that an action gives, at which the loader stops; "" for none."""
        if each.get("type") is None:
            return "it does not say the type (`type`)"
        given = _given(each)
        if str(each["type"]) == _TENSOR and not (isinstance(given, list) and len(given) == _PARTS_OF_TENSOR):
            return f"`{self._value}` is not the list of a tensor's type of elements, shape, layout, LoD and offset"
        return ""

    def _of_pair(self, entry: YamlEntry) -> None:
        pair = entry.get("op_pair")
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(each, Scalar) for each in pair):
            self.problems.append(_problem(None, "op_pair", "an entry does not name two ops (`op_pair`)", entry.line))
            return
        ops = tuple(map(str, pair))
        for each in self._actions(entry, ops[0]):
            kind, target = str(each["action"]), resolve_scalar(each.get("object"))
            if kind not in _OF_PAIR:
                problem = f"the loader knows no action '{kind}' of a pair"
            elif not isinstance(target, list) or [type(place) for place in target] != [int, int]:
                problem = "`object` is not the place of an output and that of an input"
            elif problem := (self._wrong_tensor(each) if kind in _GIVES_TYPE else "") or _wrong_key(each, self._key):
                pass
            else:
                action = Action(
                    version=self._version, kind=kind, target=tuple(target), type=_type(each), data=_data(each), pair=ops
                )
                self.actions += (PatchAction(op=op, action=action, line=each.line) for op in ops)
                continue
            self.problems.append(_problem(ops[0], kind, problem, each.line))

    def _renaming(self, entry: YamlEntry, key: str, gone: str) -> None:
        name = entry.get(key)
        if not isinstance(name, Scalar):
            self.problems.append(_problem(None, key, f"an entry does not say what it is of (`{key}`)", entry.line))
            return
        for each in self._actions(entry, str(name)):
            kind = str(each["action"])
            if kind == gone or (kind == "modify_name" and each.get("type") is not None):
                self.retyped.append(
                    (key[: -len("_name")], str(name), "" if kind == gone else str(each["type"]), each.line)
                )
            else:
                self.problems.append(_problem(None, str(name), f"the loader knows no action '{kind}'", each.line))


def _makes(kind: str, each: YamlEntry) -> bool:
    return kind in _ATTR_TYPES or (kind in TYPES_SINCE_DATA and DATA in each)


def _wrong_key(each: YamlEntry, key: str | None) -> str:
    """The fault of a value, or of one in a list, that stands under a key which the loader does not read."""
    other = next((other for other in (DATA, DEFAULT) if other in each and key not in (None, other)), None)
    if other is not None and key not in each:
        return f"the loader reads the value of an action under `{key}`, not under `{other}`"
    items = _given(each)
    inside = items if isinstance(items, list) else ()
    return next((found for item in inside if isinstance(item, YamlEntry) and (found := _wrong_key(item, key))), "")


def _wrong_value(each: YamlEntry) -> tuple[str, str] | None:
    """Return a value that the loader does not read as one of the type that stands beside it, and the type."""
    given, kind = _given(each), str(each.get("type"))
    if isinstance(given, list):
        found = (_wrong_value(item) for item in given if isinstance(item, YamlEntry))
        return next((each for each in found if each is not None), None)
    form = _FORMS.get(kind)
    if form is None or given is None or (isinstance(given, Scalar) and form.fullmatch(str(given))):
        return None
    return str(given), kind


def _given(each: YamlEntry) -> Any:
    return each.get(DATA, each.get(DEFAULT))


def _type(each: YamlEntry) -> str | None:
    """Return the type that an action gives, that of a list with the type of its first item."""
    found = each.get("type")
    if found is None:
        return None
    items = _given(each)
    if str(found) == ARRAY and isinstance(items, list) and items and isinstance(items[0], YamlEntry):
        return f"{ARRAY}<{_type(items[0]) or ''}>"
    return str(found)


def _data(each: YamlEntry) -> Any:
    """Return the value that an action gives, None where it has none: items of a list may say their types alone."""
    found = _given(each)
    if isinstance(found, list):
        values = [_data(item) if isinstance(item, YamlEntry) else resolve_scalar(item) for item in found]
        return values if all(value is not None for value in values) else None
    return resolve_scalar(found)


def _problem(op: str | None, name: str, problem: str, line: int) -> Problem:
    return Problem(op=op, name=name, problem=problem, line=line)
