"""The patches of a tree: which version of PIR it writes, and what it changes of ops in files of older versions."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.extract.declarations import remark
from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.saved.pir.patches import LoaderVersions, written
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.frameworks.paddle.extract.dialect.patch_files import PatchAction, PatchFile
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.records import Place, RemarkRecord

    ActionRecord: TypeAlias = Mapping[str, Any]
    Texts: TypeAlias = tuple[Mapping[str, int], int, "str | None", list[tuple[int, str, str]]]
    """The versions `DEVELOP` and `RELEASE`, their line, what the loader calls the value of an action (None where that
    cannot be told), and the number, path and text of each file of patches."""

FOLDER = "paddle/fluid/pir/serialize_deserialize"
CMAKE = f"{FOLDER}/CMakeLists.txt"
"""The file that says the versions."""
_READER = f"{FOLDER}/src/patch_util.cc"
"""The file that reads patches."""
_VERSION = pattern(r"add_definitions\(\s*-D(DEVELOP|RELEASE)_VERSION=(\d{1,3})\s*\)")
_KEY = pattern(r'\baction\["(data|default)"\]')
_RENAMES = "modify_name"


class Patches(Record):
    """What a tree, or a wheel, changes of ops in older files.

    `version` is that of PIR which the last release wrote, None where it has none. `loading` is what its loader decides
    by, as a spec has it. `of_ops` are the actions for each op by its name, None for an op whose patches cannot be told.
    `places` are those of the patches of an op and of what `loading` says, `remarks` what is wrong.
    """

    version: int | None = None
    loading: Mapping[str, Any] = {}
    of_ops: Mapping[str, Sequence[ActionRecord] | None] = {}
    places: Mapping[str, Place] = {}
    remarks: Sequence[RemarkRecord] = ()


def of_files(loader: LoaderVersions | None, key: str | None, files: Iterable[PatchFile], ops: Iterable[str]) -> Patches:
    """Return the patches in some files.

    Args:
        loader: which files are applied, None where that cannot be told.
        key: what the loader calls the value of an action.
        files: the files.
        ops: the ops that are declared.
    """
    found = _PatchCollector(loader, key)
    known = set(ops)
    for file in files:
        if loader is None:
            found.leave_untold(file, known)
        elif file.version in range(1, loader.release + 1) or file.version in loader.needed:
            found.take(file, known)
        else:
            found.leave(file, loader)
        for each in file.problems:
            found.remark("patch_unread", each.op, each.name, (each.problem, ""), file, each.line)
    return Patches(
        version=None if loader is None else loader.writes,
        loading=found.loading,
        of_ops=found.of_ops,
        places=found.places,
        remarks=found.remarks,
    )


class _PatchCollector:
    def __init__(self, loader: LoaderVersions | None, key: str | None) -> None:
        self.loading: dict[str, Any] = {}
        self.of_ops: dict[str, list[ActionRecord] | None] = {}
        self.places: dict[str, Place] = {}
        self.remarks: list[RemarkRecord] = []
        if loader is not None:
            self.loading = {"develop_version": loader.develop, "release_version": loader.release, "patch_value": key}

    def take(self, file: PatchFile, known: set[str]) -> None:
        """Take a file that is applied to older programs."""
        dialects = {name.partition(".")[0] for name in known}
        renamed = {each.op: str(each.action.data) for each in file.actions if each.action.kind == _RENAMES}
        others: list[PatchAction] = []
        for each in file.actions:
            op = each.op if each.op in known else renamed.get(each.op, "")
            if op in known:
                action = each.action if op == each.op else each.action.replace(of=each.op)
                self._add(op, json.loads(json.dumps(written(action))))  # scalars of YAML are no plain texts
                self.places.setdefault(f"patch/{file.version}.yaml {op}", (file.file, each.line, None))
            else:
                others.append(each)
        for op, actions in _by_op(others).items():
            is_lost = op.partition(".")[0] in dialects
            self._complain("patch_names_nothing" if is_lost else "patch_of_other_dialect", op, "", file, actions)
        for kind, name, new, line in file.retyped:
            self.loading["retyped"] = (*self.loading.get("retyped", ()), (file.version, kind, name, new))
            self.places[f"retyped {name}"] = (file.file, line, None)

    def _add(self, op: str, action: ActionRecord) -> None:
        actions = self.of_ops.setdefault(op, [])
        if actions is not None:
            actions.append(action)

    def leave(self, file: PatchFile, loader: LoaderVersions) -> None:
        """Leave out a file that is applied to no program of a release."""
        problem = f"DEVELOP_VERSION is {loader.develop} and RELEASE_VERSION {loader.release}"
        for op, actions in _by_op(file.actions).items():
            self._complain("patch_not_applied", op, problem, file, actions)
        for _, name, new, line in file.retyped:
            self.remark("patch_not_applied", None, name, (problem, f"to {new}"), file, line)

    def leave_untold(self, file: PatchFile, known: set[str]) -> None:
        """Leave out a file whose number nobody knows: whether it is applied to a program cannot be told."""
        self.of_ops |= {each.op: None for each in file.actions if each.op in known}
        self.remark("patches_untold", None, file.file, ("", ""), file, 1)

    def _complain(self, event: EventId, op: str, problem: str, file: PatchFile, actions: Sequence[PatchAction]) -> None:
        done = ", ".join(f"{each.action.kind} {_target(each)}".strip() for each in actions)
        self.remark(event, op, op, (problem, done), file, actions[0].line)

    def remark(  # noqa: PLR0913, PLR0917 - the fields of one record
        self, event: EventId, op: str | None, name: str, about: tuple[str, str], file: PatchFile, line: int
    ) -> None:
        """Remark on a file: what is wrong with it, and the actions that it is about."""
        self.remarks.append(_remark(event, op, name, about, (file.file, line, None)))


def _remark(event: EventId, op: str | None, name: str, about: tuple[str, str], place: Place) -> RemarkRecord:
    problem, actions = about
    digest = f"{place[0]} {problem} {actions}"
    return remark(event, name, op, place, digest, problem=problem, actions=actions, file=place[0])


def _by_op(actions: Iterable[PatchAction]) -> dict[str, list[PatchAction]]:
    found: dict[str, list[PatchAction]] = {}
    for each in actions:
        found.setdefault(each.op, []).append(each)
    return found


def _target(each: PatchAction) -> str:
    return "" if each.action.target is None else str(each.action.target)


def texts(files: CppFiles) -> Texts:
    """The texts and versions of a tree's patches, as plain data.

    Args:
        files: the files of the tree.
    """
    files.load([CMAKE, _READER])
    cmake = files.raw(CMAKE) or ""
    said = list(_VERSION.finditer(cmake))
    versions = {each[1]: int(each[2]) for each in said}
    line = cmake.count("\n", 0, said[0].start()) + 1 if said else 1
    keys = set(_KEY.findall(files.raw(_READER) or ""))
    paths = [(number, f"{FOLDER}/patch/{number}.yaml") for number in range(max(versions.values(), default=-1) + 2)]
    files.load([path for _, path in paths])
    found = [(number, path, text) for number, path in paths if (text := files.raw(path)) is not None]
    return versions, line, keys.pop() if len(keys) == 1 else None, found


def read(texts: Texts, ops: Iterable[str]) -> Patches:
    """Return the patches of a tree.

    Args:
        texts: what the tree says of them.
        ops: the ops that it declares.
    """
    versions, line, key, found = texts
    release = versions.get("RELEASE", versions.get("DEVELOP"))
    if release is None:
        return Patches()
    loader = LoaderVersions(develop=versions.get("DEVELOP", release), release=release)
    made = of_files(loader, key, [patch_files.read(text, path, number, key) for number, path, text in found], ops)
    missing = sorted(loader.needed - {number for number, _, _ in found})
    lost = (_remark("patch_missing", None, f"{number}.yaml", ("", ""), (CMAKE, line, None)) for number in missing)
    return made.replace(remarks=(*made.remarks, *lost))
