"""The patches of PIR: the changes that a loader makes to ops of an older program before it reads them.

A loader applies the patch files from the version of a program on, in order, and none to a program of the loader's
version. `0.yaml` has the patches of the next version. If several files patch an op, the first one counts.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.model import Op, Spec

FIRST_VERSION = 1
"""The first version of PIR that has patches. A spec that states no version is older, and has no patches to apply."""
DATA, DEFAULT = "data", "default"
"""The keys of the value of an action, in newer and older loaders."""
READS_PATCHES = "reads_patches"
"""The setting of a loader that is false for trees older than the loader of patches (July 2024)."""
_MAX_VERSION = 999
"""The highest number of a patch file that is read."""
ARRAY, SCALAR = "pir::ArrayAttribute", "paddle::dialect::ScalarAttribute"
"""The types of attrs that contain other types, written behind them in `<` and `>`."""
_SCALAR_TYPES = frozenset(
    f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Index", "Float", "Double", "Str", "Complex64")
) | {SCALAR, "pir::Complex128Attribute"}
"""The types that an attr of type Scalar accepts (measured with `pd_op.full`: every number, and a string)."""
PLAIN_TYPES = frozenset(
    f"pir::{name}Attribute"
    for name in ("Bool", "Int32", "Int64", "Index", "Float", "Double", "Str", "Complex64", "Complex128", "TensorName")
)
"""The types that a patch can give an attr, besides arrays and types; the loader stops at others."""
TYPES_SINCE_DATA = frozenset({"paddle::dialect::IntArrayAttribute", "paddle::dialect::PlaceAttribute"})
"""Further such types of loaders that read values under `data` (measured with 3.1.0 and 3.3.1)."""


SCHEMA: Mapping[str, Any] = {
    "type": ["array", "null"],
    "items": {
        "type": "object",
        "required": ["version", "kind"],
        "additionalProperties": False,
        "properties": {
            "version": {"type": "integer", "minimum": 0, "maximum": 9999},
            "kind": {"type": "string"},
            "target": {
                "type": ["string", "integer", "array"],
                "format": "attr-value",
                "items": {"type": "integer"},
                "minItems": 2,
                "maxItems": 2,
            },
            "type": {"type": "string"},
            "data": {"format": "attr-value"},
            "pair": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
            "of": {"type": "string"},
        },
    },
}
"""The JSON Schema of the field `patches`: a list of actions with the members of `Action`; null if unknown."""


def accepts(given: str, declared: str) -> bool:
    """Return whether a loader reads an attr of type `given` as one of type `declared` ("" accepts all).

    An empty array is accepted for every array type.
    """
    if declared in (given, ""):
        return True
    if declared.startswith(SCALAR):
        return given.partition("<")[0] in _SCALAR_TYPES
    if declared.startswith(ARRAY) and given.startswith(ARRAY):
        items = declared[len(ARRAY) + 1 : -1]
        return given == ARRAY or not items or accepts(given[len(ARRAY) + 1 : -1], items)
    return False


class LoaderVersions(Record):
    """The versions that select the patch files for a program.

    `develop` is the version that the loader writes and takes for its own, 0 between two releases. `release` is the
    version of the last release (`DEVELOP_VERSION` and `RELEASE_VERSION` in Paddle's CMakeLists.txt).
    """

    develop: int
    release: int

    @property
    def writes(self) -> int:
        """The version of the programs that count: the last release's, between two releases."""
        return self.develop or self.release

    def applied_files(self, file_version: int) -> list[int]:
        """Return the numbers of the files that are applied to a program of a version (`ReadModule` of interface.cc)."""
        if file_version == self.develop:
            return []
        last = self.develop or self.release + 1
        # Behind the file of the last release comes `0.yaml`.
        return [version % (self.release + 1) for version in range(file_version, last + 1)]

    @property
    def needed(self) -> set[int]:
        """The numbers of the files that are applied to programs of any release."""
        return {number for version in range(FIRST_VERSION, self.release + 1) for number in self.applied_files(version)}


class NewEntry(Record):
    """A patch entry that a tree lacks for an op: its actions, each as keys and YAML values.

    `number` is the number of the patch file. `is_next`: `DEVELOP_VERSION` has to become 0, so that the file is applied.
    `is_exact`: programs keep their values.
    """

    op: str
    actions: tuple[tuple[tuple[str, str], ...], ...]
    number: int
    is_next: bool
    is_exact: bool


def loader_of(spec: Spec) -> LoaderVersions:
    """Return the patch versions of a spec's loader.

    A spec that does not state them is of a release if it has a version, and else of a tree between two releases.
    """
    written = FIRST_VERSION if spec.graph_versions is None else spec.graph_versions.producer
    develop = 0 if spec.provenance.version is None else written
    return LoaderVersions(
        develop=_version(spec.loading.get("develop_version"), develop),
        release=_version(spec.loading.get("release_version"), written),
    )


def value_key(release: int) -> str:
    """Return the key of an action's value: loaders of 2024 read `default`, later ones `data`."""
    return DEFAULT if release <= FIRST_VERSION else DATA


def _version(stated: Any, otherwise: int) -> int:
    """Return a version of a spec, or a default, limited to the known range."""
    version = stated if type(stated) is int else otherwise
    return min(max(version, 0), _MAX_VERSION)


class Action(Record):
    """One action of a patch.

    `version` is the number of its patch file, and `kind` its name there. `target` is the name of an attr, the position
    of an input or output, or, for a pair of ops, the positions of the output and the input. `pair` are the two ops, the
    one that gives the value first. `former_op` is the name that the op had before the patch renames it, else "". `type`
    is the new type, with the item type of an array, and `data` the new value or name; both are None if not stated.
    """

    version: int
    kind: str
    target: str | int | tuple[int, ...] | None = None
    type: str | None = None
    data: Any = None
    pair: tuple[str, ...] = ()
    former_op: str = ""


class Form(Record):
    """The part of a saved op that a loader checks: name, types of attrs, inputs and outputs.

    Inputs and outputs are in order, by names of the caller; a new one is None.
    """

    op: str
    attrs: Mapping[str, str]
    inputs: tuple[str | None, ...] = ()
    outputs: tuple[str | None, ...] = ()


def actions_of(op: Op) -> tuple[Action, ...]:
    """Return the actions of a release on an op, those on pairs as they affect this op; none if unknown."""
    return tuple(for_op(_action(record), op.name) for record in op.get("patches") or ())


def renamed_ops(ops: Iterable[Op]) -> dict[str, str]:
    """Return the new name of each op that patches rename."""
    new_names: dict[str, str] = {}
    for op in ops:
        for action in actions_of(op):
            if action.former_op:
                new_names.setdefault(action.former_op, op.name)
    return new_names


def _action(record: Mapping[str, Any]) -> Action:
    """Return an action from its record in a spec."""
    target = record.get("target")
    return Action(
        version=int(record["version"]),
        kind=str(record["kind"]),
        target=tuple(target) if isinstance(target, (list, tuple)) else target,
        type=record.get("type"),
        data=record.get("data"),
        pair=tuple(record.get("pair") or ()),
        former_op=str(record.get("of") or ""),
    )


def action_record(action: Action) -> dict[str, Any]:
    """Return the record of an action for the field `patches`, without members that it does not state."""
    fields = {field: value for field, value in action.__dict__.items() if value not in (None, (), "")}
    return {
        _KEYS.get(field, field): list(value) if isinstance(value, tuple) else value for field, value in fields.items()
    }


_KEYS = {"former_op": "of"}
"""The keys in spec files that differ from the names of fields."""


def due_actions(actions: Iterable[Action], file_version: int, loader: LoaderVersions) -> list[Action]:
    """Return the actions that are applied to an op of a file: all on pairs, and the others of the first patch file.

    The loader merges a second entry of an op into a copy, which it drops (`PatchBuilder::BuildPatch`; measured with
    3.3.1).
    """
    order: dict[int, int] = {}
    for index, file_number in enumerate(loader.applied_files(file_version)):
        # A file that is applied twice counts in its first place.
        order.setdefault(file_number, index)
    due = sorted((action for action in actions if action.version in order), key=lambda action: order[action.version])
    first: dict[str, int] = {}
    for action in due:
        if not action.pair:
            first.setdefault(action.former_op, action.version)
    return [action for action in due if action.pair or action.version == first[action.former_op]]


def apply_actions(form: Form, actions: Sequence[Action]) -> Form:
    """Return a saved op after some actions of patches."""
    for action in _execution_order(actions):
        form = _apply(form, action)
    return form


_ORDER = ("add_input", "delete_input", "add_output", "delete_output", "add_attr")
"""The actions that come first, as in `ApplyOpPatches` and `ReadAttributesMap`; others follow in the patch's order."""


def _execution_order(actions: Sequence[Action]) -> list[Action]:
    """Sort actions in the order in which the loader does them."""
    ranks = {kind: rank for rank, kind in enumerate(_ORDER)}
    return sorted(actions, key=lambda action: ranks.get(action.kind, len(ranks)))


def _apply(form: Form, action: Action) -> Form:
    """Return an op after one action."""
    kind, target = action.kind, action.target
    if kind == "modify_name":
        return form.replace(op=str(action.data))
    if kind.endswith("_attr") or kind == "modify_attr_name":
        return form.replace(attrs=_apply_to_attrs(form.attrs, action))
    if not isinstance(target, int):
        return form
    if kind == "add_output" and form.outputs[:target] and not action.pair:
        # the loader gives the new output no number of its own: what used the value before it uses the new one
        *earlier, last = form.outputs[:target]
        return form.replace(outputs=(*earlier, None, last, *form.outputs[target:]))
    if kind in ("add_output", "add_input"):
        field = f"{kind.removeprefix('add_')}s"
        values = getattr(form, field)
        return form.replace(**{field: (*values[:target], None, *values[target:])})
    if kind in ("delete_input", "delete_output"):
        field = f"{kind.removeprefix('delete_')}s"
        values = getattr(form, field)
        return form.replace(**{field: (*values[:target], *values[target + 1 :])})
    return form


def _apply_to_attrs(attrs: Mapping[str, str], action: Action) -> dict[str, str]:
    """Return the types of attrs after one action."""
    name, types = str(action.target), dict(attrs)
    if action.kind == "add_attr":
        # The loader keeps an attr that the file has.
        return {name: action.type or "", **types}
    if name not in types:
        return types
    if action.kind == "delete_attr" or (action.kind == "modify_attr" and action.type is None):
        del types[name]
    elif action.kind == "modify_attr":
        types[name] = str(action.type)
    elif action.kind == "modify_attr_name":
        types[str(action.data)] = types.pop(name)
    return types


def for_op(action: Action, op: str) -> Action:
    """Return an action on a pair as it affects one op: an output of the first, or an input of the second."""
    if not action.pair or not isinstance(action.target, tuple):
        return action
    verb = action.kind.partition("_")[0]
    output_position, input_position = action.target
    if op == action.pair[0]:
        return action.replace(kind=f"{verb}_output", target=output_position)
    return action.replace(kind=f"{verb}_input", target=input_position)


class Retyping(Record):
    """A type that a release renamed or removed.

    `kind` is `attr`, or `type` for types of values. `new` is the new name, "" if it is removed.
    """

    version: int
    kind: str
    name: str
    new: str


def retypings_of(spec: Spec, files: Iterable[int] | None = None) -> list[Retyping]:
    """Return the types that the patches of a release replace in older programs; `files` limits the patch files."""
    stated = spec.loading.get("retyped", ())
    retypings = [Retyping(version=version, kind=kind, name=name, new=new) for version, kind, name, new in stated]
    numbers = None if files is None else set(files)
    return [retyping for retyping in retypings if numbers is None or retyping.version in numbers]


def is_retyping(row: object) -> bool:
    """Return whether a value of a spec is a retyping: [version, kind, name, new name]."""
    return isinstance(row, (list, tuple)) and [type(item) for item in row] == [int, str, str, str]


def replace_types(form: Form, retypings: Iterable[Retyping]) -> Form:
    """Return an op with the types of its attrs renamed; the loader does not look into arrays."""
    new = {retyping.name: retyping.new for retyping in retypings if retyping.kind == "attr"}
    if not new:
        return form
    return form.replace(attrs={name: new.get(kind.partition("<")[0], kind) for name, kind in form.attrs.items()})
