"""Patches: what a release changes of an op in an older file before it looks at the op, as Paddle's PIR does.

A loader applies the files of patches from the version of a program on, in their order, and none to a program of its own
version. `0.yaml` contains the patches of the next version. If several of them name an op, the first one counts.
"""

from __future__ import annotations

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.model import Op, Spec

FIRST = 1
"""The version of PIR of a spec that does not say it."""
DATA, DEFAULT = "data", "default"
"""What loaders call the value of an action."""
_LAST = 999
"""The highest number of a file of patches that is looked at."""
ARRAY, SCALAR = "pir::ArrayAttribute", "paddle::dialect::ScalarAttribute"
"""The types of attrs that hold others; what they hold stands behind them, between `<` and `>`."""
_SCALARS = frozenset(
    f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Index", "Float", "Double", "Str", "Complex64")
) | {SCALAR, "pir::Complex128Attribute"}
"""What an attr of type Scalar takes (measured with `pd_op.full`: every number, and a text)."""
PLAIN_TYPES = frozenset(
    f"pir::{name}Attribute"
    for name in ("Bool", "Int32", "Int64", "Index", "Float", "Double", "Str", "Complex64", "Complex128", "TensorName")
)
"""The types that a patch can give an attr, besides arrays and types; at any other the loader stops."""
TYPES_SINCE_DATA = frozenset({"paddle::dialect::IntArrayAttribute", "paddle::dialect::PlaceAttribute"})
"""Those that it can give besides where the value stands under `data` (measured with 3.1.0 and 3.3.1)."""


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
"""The JSON Schema of the actions that a spec file has for an op: the members of an `Action`. Null is not told."""


def fits(given: str, declared: str) -> bool:
    """Tell whether a loader reads an attr of one type as one of another.

    Args:
        given: what the program has. An empty list fits every list.
        declared: what the op declares. One that is not known, "", fits all.
    """
    if declared in (given, ""):
        return True
    if declared.startswith(SCALAR):
        return given.partition("<")[0] in _SCALARS
    if declared.startswith(ARRAY) and given.startswith(ARRAY):
        items = declared[len(ARRAY) + 1 : -1]
        return given == ARRAY or not items or fits(given[len(ARRAY) + 1 : -1], items)
    return False


class LoaderVersions(Record):
    """What decides which files of patches are applied to a program.

    `develop` is the version that the loader writes, and takes for its own: 0 between two releases. `release` is that
    of the last release (`DEVELOP_VERSION` and `RELEASE_VERSION` of Paddle's CMakeLists.txt).
    """

    develop: int
    release: int

    @property
    def writes(self) -> int:
        """The version of the programs that count: those of the last release, between two of them."""
        return self.develop or self.release

    def applied(self, file_version: int) -> list[int]:
        """Return the numbers of the files that are applied to a program of a version (`ReadModule` of interface.cc)."""
        if file_version == self.develop:
            return []
        last = self.develop or self.release + 1
        return [version % (self.release + 1) for version in range(file_version, last + 1)]

    @property
    def needed(self) -> set[int]:
        """The numbers of the files that are applied to programs of any release."""
        return {number for version in range(FIRST, self.release + 1) for number in self.applied(version)}


class NewEntry(Record):
    """The entry for an op that a file of patches of a tree lacks: its actions, each as keys and YAML values.

    `number` is that of the file. `is_next` is whether `DEVELOP_VERSION` has to become 0, so that it is applied.
    `is_exact` is whether programs keep their values.
    """

    op: str
    actions: tuple[tuple[tuple[str, str], ...], ...]
    number: int
    is_next: bool
    is_exact: bool


def loader_of(spec: Spec) -> LoaderVersions:
    """The versions by which a spec's loader applies patches.

    A spec that does not say it is of a release where it has a version, and else of a tree between two releases.
    """
    written = FIRST if spec.graph_versions is None else spec.graph_versions.producer
    develop = 0 if spec.provenance.version is None else written
    return LoaderVersions(
        develop=_version(spec.loading.get("develop_version"), develop),
        release=_version(spec.loading.get("release_version"), written),
    )


def value_key(release: int) -> str:
    """The key of an action's value for loaders of a version: those of 2024 read `default`, later ones `data`."""
    return DEFAULT if release <= FIRST else DATA


def _version(said: Any, otherwise: int) -> int:
    found = said if type(said) is int else otherwise
    return min(max(found, 0), _LAST)


class Action(Record):
    """One action of a patch.

    `version` is that of the patch, and `kind` the word that it has for the action. `target` is the attr's name, the
    input's or output's place, or, of a pair of ops, the places of the output and of the input. `pair` are the names of
    the two, the op that gives the value first. `of` is the op that it is written for where that is another one, which
    becomes this op by it. `type` is the new type, with that of its items where it is an array, and
    `data` the new value or name; both are None where the patch does not say it.
    """

    version: int
    kind: str
    target: str | int | tuple[int, ...] | None = None
    type: str | None = None
    data: Any = None
    pair: tuple[str, ...] = ()
    of: str = ""


class Form(Record):
    """What of a saved op its loader looks at: the op's name, the types of its attrs, its inputs and its outputs.

    Inputs and outputs are in their order, each by what the caller knows it by; a new one is None.
    """

    op: str
    attrs: Mapping[str, str]
    inputs: tuple[str | None, ...] = ()
    outputs: tuple[str | None, ...] = ()


def actions_of(op: Op) -> tuple[Action, ...]:
    """Return the actions that a release has for an op, each as it is for this op; none where nothing is known."""
    return tuple(for_op(_action(each), op.name) for each in op.get("patches") or ())


def renamed(ops: Iterable[Op]) -> dict[str, str]:
    """Return the ops that patches of some ops give another name, each with that name."""
    found: dict[str, str] = {}
    for op in ops:
        for action in actions_of(op):
            if action.of:
                found.setdefault(action.of, op.name)
    return found


def _action(written: Mapping[str, Any]) -> Action:
    target = written.get("target")
    return Action(
        version=int(written["version"]),
        kind=str(written["kind"]),
        target=tuple(target) if isinstance(target, (list, tuple)) else target,
        type=written.get("type"),
        data=written.get("data"),
        pair=tuple(written.get("pair") or ()),
        of=str(written.get("of") or ""),
    )


def written(action: Action) -> dict[str, Any]:
    """Return an action as the field `patches` has it: what it does not say is left out."""
    fields = {field: value for field, value in action.__dict__.items() if value not in (None, (), "")}
    return {field: list(value) if isinstance(value, tuple) else value for field, value in fields.items()}


def due(actions: Iterable[Action], file_version: int, loader: LoaderVersions) -> list[Action]:
    """Return the actions that are applied to an op of a file: of pairs all that are due, else those of the first file.

    The loader merges a second entry of an op into a copy, which it drops (`PatchBuilder::BuildPatch`; measured with
    3.3.1).

    Args:
        actions: those that the release has for the op.
        file_version: the version of the file.
        loader: which files it applies.
    """
    places = {number: place for place, number in reversed(list(enumerate(loader.applied(file_version))))}
    found = sorted((each for each in actions if each.version in places), key=lambda each: places[each.version])
    first: dict[str, int] = {}
    for each in found:
        if not each.pair:
            first.setdefault(each.of, each.version)
    return [each for each in found if each.pair or each.version == first[each.of]]


def patched(form: Form, actions: Sequence[Action]) -> Form:
    """A saved op after the patches of a loader.

    Args:
        form: the op as it was saved.
        actions: what is done to it.
    """
    for each in _in_order(actions):
        form = _after(form, each)
    return form


_ORDER = ("add_input", "delete_input", "add_output", "delete_output", "add_attr")
"""What is done first, as `ApplyOpPatches` and `ReadAttributesMap` do; everything else follows in the patch's order."""


def _in_order(actions: Sequence[Action]) -> list[Action]:
    places = {kind: place for place, kind in enumerate(_ORDER)}
    return sorted(actions, key=lambda each: places.get(each.kind, len(places)))


def _after(form: Form, action: Action) -> Form:
    kind, target = action.kind, action.target
    if kind == "modify_name":
        return form.replace(op=str(action.data))
    if kind.endswith("_attr") or kind == "modify_attr_name":
        return form.replace(attrs=_attrs_after(form.attrs, action))
    if not isinstance(target, int):
        return form
    if kind == "add_output" and form.outputs[:target] and not action.pair:
        # the loader gives the new output no number of its own: what used the value before it uses the new one
        *ahead, used = form.outputs[:target]
        return form.replace(outputs=(*ahead, None, used, *form.outputs[target:]))
    if kind in ("add_output", "add_input"):
        field = f"{kind.removeprefix('add_')}s"
        values = getattr(form, field)
        return form.replace(**{field: (*values[:target], None, *values[target:])})
    if kind in ("delete_input", "delete_output"):
        field = f"{kind.removeprefix('delete_')}s"
        values = getattr(form, field)
        return form.replace(**{field: (*values[:target], *values[target + 1 :])})
    return form


def _attrs_after(attrs: Mapping[str, str], action: Action) -> dict[str, str]:
    name, found = str(action.target), dict(attrs)
    if action.kind == "add_attr":
        return {name: action.type or "", **found}  # one that the file has stays as it is
    if name not in found:
        return found
    if action.kind == "delete_attr" or (action.kind == "modify_attr" and action.type is None):
        del found[name]
    elif action.kind == "modify_attr":
        found[name] = str(action.type)
    elif action.kind == "modify_attr_name":
        found[str(action.data)] = found.pop(name)
    return found


def for_op(action: Action, op: str) -> Action:
    """Return an action of a pair of ops as it is for one of them: an output of the first, an input of the second."""
    if not action.pair or not isinstance(action.target, tuple):
        return action
    side = 0 if op == action.pair[0] else 1
    verb = action.kind.partition("_")[0]
    return action.replace(kind=f"{verb}_{('output', 'input')[side]}", target=action.target[side])


class Retyping(Record):
    """A type that a release knows under another name, or no more.

    `version` is that of the patch, and `kind` what it is a type of: `attr`, or `type` for a value. `new` is its name
    now, "" where it is gone.
    """

    version: int
    kind: str
    name: str
    new: str


def retyped(spec: Spec, files: Iterable[int] | None = None) -> list[Retyping]:
    """Return the types that the patches of a release replace in all older programs.

    Args:
        spec: the spec of the release.
        files: the numbers of the files that count, None for all.
    """
    said = spec.loading.get("retyped", ())
    found = [Retyping(version=version, kind=kind, name=name, new=new) for version, kind, name, new in said]
    wanted = None if files is None else set(files)
    return [each for each in found if wanted is None or each.version in wanted]


def is_retyping(row: object) -> bool:
    """Return whether a value of a spec is a retyping: [version, kind, name, new name]."""
    return isinstance(row, (list, tuple)) and [type(each) for each in row] == [int, str, str, str]


def with_types(form: Form, retypings: Iterable[Retyping]) -> Form:
    """Return a patched op with the types of its attrs replaced: the loader does not look into a list."""
    new = {each.name: each.new for each in retypings if each.kind == "attr"}
    if not new:
        return form
    return form.replace(attrs={name: new.get(kind.partition("<")[0], kind) for name, kind in form.attrs.items()})
