"""Parser of patch files: `patch/N.yaml` of a tree, and the same documents in a wheel's library.

It accepts the forms that Paddle's patch_util.cc reads; anything else is a problem. Until version 2 of PIR, the value of
an action is under the key `default`, and since then under `data`.
"""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.yaml.entries import Scalar, YamlEntry, parse_document, resolve_scalar
from opspec_lint.frameworks.paddle.saved.pir.patches import (
    ARRAY,
    DATA,
    DEFAULT,
    FIRST_VERSION,
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
"""The types that an action can give an attr; for other types the loader stops with an error."""
_TENSOR = "pir::DenseTensorType"
_TENSOR_FIELDS = 5
_INTEGER = pattern(r"[-+]?\d+|0x[0-9a-fA-F]+")
_NUMBER = pattern(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?\.?(inf|Inf|INF)|\.?(nan|NaN|NAN)")
_BOOL = pattern(r"true|false|yes|no|on|off|y|n", "i")
_VALUE_FORMS = {
    "pir::BoolAttribute": _BOOL,
    **dict.fromkeys((f"pir::{name}Attribute" for name in ("Int32", "Int64", "Index")), _INTEGER),
    **dict.fromkeys((f"pir::{name}Attribute" for name in ("Float", "Double")), _NUMBER),
}
"""The form of attr values by type, as yaml-cpp's `as` reads them, which ignores quotes."""
_ATTR_ACTIONS = frozenset(
    f"{verb}_{what}" for verb in ("add", "modify", "delete") for what in ("attr", "output_attr")
) | {
    "modify_attr_name",
    "modify_output_attr_name",
}
_POSITION_ACTIONS = frozenset({"delete_input", "add_output", "modify_output_type"})
_PAIR_ACTIONS = frozenset({"add_value", "delete_value"})
_TYPED_ACTIONS = frozenset({"add_output", "modify_output_type", "add_value"})
_RENAMING_SECTIONS = {"attr_patches": ("attr_name", "delete_attr"), "type_patches": ("type_name", "delete_type")}
"""The sections for types of attrs and values: the key of the type's name, and the action that removes the type."""


class PatchAction(Record):
    """An action of a patch, the op that it changes ("" for all attrs or types of a kind), and its line."""

    op: str
    action: Action
    line: int


class PatchProblem(Record):
    """A part of a patch file that the loader ignores or stops at."""

    op: str | None
    name: str
    problem: str
    line: int


class PatchFile(Record):
    """The content of one patch file.

    `actions` change single ops or pairs of ops; an action on a pair is listed under both. `retyped` are renamed types
    of attrs and values: ("attr" or "type", old name, new name or "" if removed, line).
    """

    version: int
    file: str
    actions: tuple[PatchAction, ...] = ()
    retyped: tuple[tuple[str, str, str, int], ...] = ()
    problems: tuple[PatchProblem, ...] = ()


def parse(text: str, file: str, version: int, key: str | None = None) -> PatchFile:
    """Parse a patch file.

    `version` is the number in its name, 0 for the next release. `key` is the loader's key of values; None for the key
    that loaders of that version use.
    """
    try:
        root = parse_document(text, file)
    except UnresolvedError as error:
        return PatchFile(
            version=version, file=file, problems=(_make_problem(None, file, error.reason, error.line or 1),)
        )
    parser = _PatchParser(version, key or (value_key(version) if version > FIRST_VERSION else None))
    if isinstance(root, YamlEntry):
        parser.parse(root)
    elif resolve_scalar(root) is not None:
        parser.problems.append(_make_problem(None, file, "it is no mapping of lists of patches", 1))
    return PatchFile(
        version=version,
        file=file,
        actions=tuple(parser.actions),
        retyped=tuple(parser.retyped),
        problems=tuple(parser.problems),
    )


class _PatchParser:
    """The parser of one patch file; `key` is the loader's key of values, None if both keys count."""

    def __init__(self, version: int, key: str | None) -> None:
        self._version = version
        self._key = key
        self._value = key or DATA
        self._seen: set[str] = set()
        self.actions: list[PatchAction] = []
        self.retyped: list[tuple[str, str, str, int]] = []
        self.problems: list[PatchProblem] = []

    def parse(self, root: YamlEntry) -> None:
        """Parse all sections of a file."""
        for section in root:
            if section not in ("op_patches", "op_pair_patches", *_RENAMING_SECTIONS):
                self.problems.append(
                    _make_problem(None, section, "the loader reads no patches of this kind", root.line)
                )
        for entry in self._entries(root, "op_patches"):
            self._parse_op_patch(entry)
        for entry in self._entries(root, "op_pair_patches"):
            self._parse_pair_patch(entry)
        for section, (key, delete_kind) in _RENAMING_SECTIONS.items():
            for entry in self._entries(root, section):
                self._parse_renaming(entry, key, delete_kind)

    def _entries(self, root: YamlEntry, section: str) -> Iterator[YamlEntry]:
        """Yield the entries of a section."""
        section_entries = root.get(section)
        if isinstance(section_entries, list):
            for entry in section_entries:
                if isinstance(entry, YamlEntry):
                    yield entry
                else:
                    self.problems.append(_make_problem(None, section, "it has an entry that is no mapping", root.line))
        elif resolve_scalar(section_entries) is not None:
            self.problems.append(_make_problem(None, section, "it is no list", root.line))

    def _parse_op_patch(self, entry: YamlEntry) -> None:
        """Parse the patch of one op."""
        op = entry.get("op_name")
        if not isinstance(op, Scalar):
            self.problems.append(
                _make_problem(None, "op_name", "an entry does not name its op (`op_name`)", entry.line)
            )
            return
        # OpPatches in patch_util.cc keeps the first entry of an op and ignores further ones.
        if str(op) in self._seen:
            problem = "the loader reads the first entry of an op only: put all its actions there"
            self.problems.append(_make_problem(str(op), str(op), problem, entry.line))
            return
        self._seen.add(str(op))
        for action_entry in self._actions(entry, str(op)):
            self._parse_action(str(op), action_entry)

    def _actions(self, entry: YamlEntry, op: str) -> Iterator[YamlEntry]:
        """Yield the actions of an entry."""
        actions = entry.get("actions")
        if not isinstance(actions, list) or not actions:
            self.problems.append(_make_problem(op, op, "it has no actions", entry.line))
            return
        for action_entry in actions:
            if isinstance(action_entry, YamlEntry) and isinstance(action_entry.get("action"), Scalar):
                yield action_entry
            else:
                self.problems.append(
                    _make_problem(op, op, "an action does not say what it does (`action`)", entry.line)
                )

    def _parse_action(self, op: str, action_entry: YamlEntry) -> None:
        """Parse an action on one op, or note its problem."""
        kind = str(action_entry["action"])
        target = resolve_scalar(action_entry.get("object"))
        problem = ""
        if kind == "modify_name":
            problem = self._new_name_problem(action_entry)
        elif kind in _ATTR_ACTIONS:
            problem = self._attr_problem(kind, action_entry, target)
        elif kind in _POSITION_ACTIONS:
            if type(target) is not int:
                problem = "`object` is not the place of an input or output"
            elif kind in _TYPED_ACTIONS:
                problem = self._tensor_problem(action_entry)
        else:
            problem = f"the loader knows no action '{kind}'"
        problem = problem or _key_problem(action_entry, self._key)
        if problem:
            self.problems.append(_make_problem(op, kind, problem, action_entry.line))
            return
        action = Action(
            version=self._version,
            kind=kind,
            target=target,
            type=_stated_type(action_entry),
            data=_resolved_value(action_entry),
        )
        self.actions.append(PatchAction(op=op, action=action, line=action_entry.line))

    def _new_name_problem(self, action_entry: YamlEntry) -> str:
        """Return the problem of an action that renames without a new name; "" for none."""
        has_name = isinstance(_resolved_value(action_entry), str)
        return "" if has_name else f"it does not say the new name (`{self._value}`)"

    def _attr_problem(self, kind: str, action_entry: YamlEntry, target: Any) -> str:
        """Return the problem of an action on an attr; "" for none."""
        if not isinstance(target, str):
            return "`object` is not the name of an attr"
        if kind.endswith("_name"):
            return self._new_name_problem(action_entry)
        type_name = action_entry.get("type")
        if type_name is not None and not _is_supported_type(str(type_name), action_entry):
            return f"the loader can make no attr of type {type_name} in a patch"
        if kind.startswith("add") and _resolved_value(action_entry) is None:
            return f"an attr that is added has to be given its value (`{self._value}`)"
        mismatch = _find_mismatch(action_entry)
        if mismatch is not None:
            value, stated_type = mismatch
            return f"'{value}' is no value of type {stated_type}"
        return "" if type_name is not None or kind.startswith("delete") else "it does not say the type (`type`)"

    def _tensor_problem(self, action_entry: YamlEntry) -> str:
        """Return the problem of the type that an action gives a value; "" for none. The loader stops at it."""
        if action_entry.get("type") is None:
            return "it does not say the type (`type`)"
        value = _raw_value(action_entry)
        if str(action_entry["type"]) == _TENSOR and not (isinstance(value, list) and len(value) == _TENSOR_FIELDS):
            return f"`{self._value}` is not the list of a tensor's type of elements, shape, layout, LoD and offset"
        return ""

    def _parse_pair_patch(self, entry: YamlEntry) -> None:
        """Parse the patch of a pair of ops: a value that the first gives to the second."""
        pair = entry.get("op_pair")
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(op, Scalar) for op in pair):
            self.problems.append(
                _make_problem(None, "op_pair", "an entry does not name two ops (`op_pair`)", entry.line)
            )
            return
        ops = tuple(map(str, pair))
        for action_entry in self._actions(entry, ops[0]):
            kind, target = str(action_entry["action"]), resolve_scalar(action_entry.get("object"))
            problem = self._pair_problem(kind, action_entry, target)
            if problem:
                self.problems.append(_make_problem(ops[0], kind, problem, action_entry.line))
                continue
            action = Action(
                version=self._version,
                kind=kind,
                target=tuple(target),
                type=_stated_type(action_entry),
                data=_resolved_value(action_entry),
                pair=ops,
            )
            self.actions += (PatchAction(op=op, action=action, line=action_entry.line) for op in ops)

    def _pair_problem(self, kind: str, action_entry: YamlEntry, target: Any) -> str:
        """Return the problem of an action on a pair of ops; "" for none."""
        if kind not in _PAIR_ACTIONS:
            return f"the loader knows no action '{kind}' of a pair"
        if not isinstance(target, list) or [type(place) for place in target] != [int, int]:
            return "`object` is not the place of an output and that of an input"
        tensor_problem = self._tensor_problem(action_entry) if kind in _TYPED_ACTIONS else ""
        return tensor_problem or _key_problem(action_entry, self._key)

    def _parse_renaming(self, entry: YamlEntry, key: str, delete_kind: str) -> None:
        """Parse the patch of a type of attrs or values: a new name, or its removal."""
        name = entry.get(key)
        if not isinstance(name, Scalar):
            self.problems.append(_make_problem(None, key, f"an entry does not say what it is of (`{key}`)", entry.line))
            return
        for action_entry in self._actions(entry, str(name)):
            kind = str(action_entry["action"])
            if kind == delete_kind or (kind == "modify_name" and action_entry.get("type") is not None):
                self.retyped.append(
                    (
                        key[: -len("_name")],
                        str(name),
                        "" if kind == delete_kind else str(action_entry["type"]),
                        action_entry.line,
                    )
                )
            else:
                self.problems.append(
                    _make_problem(None, str(name), f"the loader knows no action '{kind}'", action_entry.line)
                )


def _is_supported_type(kind: str, action_entry: YamlEntry) -> bool:
    """Return whether the loader can make an attr of a type from an action."""
    return kind in _ATTR_TYPES or (kind in TYPES_SINCE_DATA and DATA in action_entry)


def _key_problem(action_entry: YamlEntry, key: str | None) -> str:
    """Return the problem of a value, or an item of its list, under a key that the loader does not read; "" for none."""
    if key is not None and key not in action_entry:
        for stated_key in (DATA, DEFAULT):
            if stated_key in action_entry:
                return f"the loader reads the value of an action under `{key}`, not under `{stated_key}`"
    items = _raw_value(action_entry)
    if not isinstance(items, list):
        return ""
    problems = (_key_problem(item, key) for item in items if isinstance(item, YamlEntry))
    return next(filter(None, problems), "")


def _find_mismatch(action_entry: YamlEntry) -> tuple[str, str] | None:
    """Return (value, type) of a value that the loader cannot read as its stated type; None if there is none."""
    value, kind = _raw_value(action_entry), str(action_entry.get("type"))
    if isinstance(value, list):
        mismatches = (_find_mismatch(item) for item in value if isinstance(item, YamlEntry))
        return next((mismatch for mismatch in mismatches if mismatch is not None), None)
    form = _VALUE_FORMS.get(kind)
    if form is None or value is None or (isinstance(value, Scalar) and form.fullmatch(str(value))):
        return None
    return str(value), kind


def _raw_value(action_entry: YamlEntry) -> Any:
    """Return the value of an action as written, under either key."""
    return action_entry.get(DATA, action_entry.get(DEFAULT))


def _stated_type(action_entry: YamlEntry) -> str | None:
    """Return the type that an action states; for an array, with the type of its first item."""
    type_name = action_entry.get("type")
    if type_name is None:
        return None
    items = _raw_value(action_entry)
    if str(type_name) == ARRAY and isinstance(items, list) and items and isinstance(items[0], YamlEntry):
        return f"{ARRAY}<{_stated_type(items[0]) or ''}>"
    return str(type_name)


def _resolved_value(action_entry: YamlEntry) -> Any:
    """Return the value of an action; None if it has none, or a list whose items only state types."""
    written = _raw_value(action_entry)
    if isinstance(written, list):
        values = [_resolved_value(item) if isinstance(item, YamlEntry) else resolve_scalar(item) for item in written]
        return values if all(value is not None for value in values) else None
    return resolve_scalar(written)


def _make_problem(op: str | None, name: str, problem: str, line: int) -> PatchProblem:
    """Return a problem."""
    return PatchProblem(op=op, name=name, problem=problem, line=line)
