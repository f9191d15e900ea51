"""The patches of a tree or wheel: the PIR version that it writes, and its changes to ops in older files."""

from __future__ import annotations

import json

from opspec_lint.frameworks.paddle.extract.declarations import remark
from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.saved.pir.patches import READS_PATCHES, LoaderVersions, action_record
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
    Texts: TypeAlias = tuple[Mapping[str, int], int, "str | None", list[tuple[int, str, str]], bool]
    """The texts of a tree's patches, as plain data.

    The versions `DEVELOP` and `RELEASE`, their line, the key of values in the loader (None if unclear), (number, path,
    text) of each patch file, and whether there is a loader that reads patches.
    """

FOLDER = "paddle/fluid/pir/serialize_deserialize"
CMAKE = f"{FOLDER}/CMakeLists.txt"
"""The file that defines the versions."""
_LOADER = f"{FOLDER}/src/patch_util.cc"
"""The source file of the loader that reads patches."""
_VERSION = pattern(r"add_definitions\(\s*-D(DEVELOP|RELEASE)_VERSION=(\d{1,3})\s*\)")
_KEY = pattern(r'\baction\["(data|default)"\]')
_RENAMES = "modify_name"


class Patches(Record):
    """The changes that a loader makes to ops of older files.

    `version` is the PIR version that the last release wrote, None if there was none. `loading` are the loader's
    settings in a spec. `actions_by_op` has None for an op whose patches are unclear. `places` are the places of patches
    and settings.
    """

    version: int | None = None
    loading: Mapping[str, Any] = {}
    actions_by_op: Mapping[str, Sequence[ActionRecord] | None] = {}
    places: Mapping[str, Place] = {}
    remarks: Sequence[RemarkRecord] = ()


def collect_patches(
    loader: LoaderVersions | None, key: str | None, files: Iterable[PatchFile], ops: Iterable[str]
) -> Patches:
    """Return the patches in some files for the declared `ops`.

    `loader` decides which files are applied, None if that is unclear; `key` is its key of values.
    """
    collector = _PatchCollector(loader, key)
    known_ops = set(ops)
    for file in files:
        if loader is None:
            collector.add_unclear_file(file, known_ops)
        elif file.version in range(1, loader.release + 1) or file.version in loader.needed:
            collector.add_applied_file(file, known_ops)
        else:
            collector.skip_file(file, loader)
        for problem in file.problems:
            collector.add_remark("patch_unread", problem.op, problem.name, (problem.problem, ""), file, problem.line)
    return Patches(
        version=None if loader is None else loader.writes,
        loading=collector.loading,
        actions_by_op=collector.actions_by_op,
        places=collector.places,
        remarks=collector.remarks,
    )


class _PatchCollector:
    """The patches of the files of one loader, collected file by file."""

    def __init__(self, loader: LoaderVersions | None, key: str | None) -> None:
        self.loading: dict[str, Any] = {}
        self.actions_by_op: dict[str, list[ActionRecord] | None] = {}
        self.places: dict[str, Place] = {}
        self.remarks: list[RemarkRecord] = []
        if loader is not None:
            self.loading = {"develop_version": loader.develop, "release_version": loader.release, "patch_value": key}

    def add_applied_file(self, file: PatchFile, known_ops: set[str]) -> None:
        """Add a file that is applied to older programs."""
        dialects = {name.partition(".")[0] for name in known_ops}
        # A patch may rename an op and change it: the further changes are found under the new name.
        renamed = {
            patch_action.op: str(patch_action.action.data)
            for patch_action in file.actions
            if patch_action.action.kind == _RENAMES
        }
        unmatched: list[PatchAction] = []
        for patch_action in file.actions:
            op = patch_action.op if patch_action.op in known_ops else renamed.get(patch_action.op, "")
            if op in known_ops:
                action = (
                    patch_action.action
                    if op == patch_action.op
                    else patch_action.action.replace(former_op=patch_action.op)
                )
                # The round trip through JSON makes plain texts of YAML scalars, as marshal requires.
                self._add(op, json.loads(json.dumps(action_record(action))))
                self.places.setdefault(f"patch/{file.version}.yaml {op}", (file.file, patch_action.line, None))
            else:
                unmatched.append(patch_action)
        for op, actions in _by_op(unmatched).items():
            is_declared_dialect = op.partition(".")[0] in dialects
            self._report_actions(
                "patch_names_nothing" if is_declared_dialect else "patch_of_other_dialect", op, "", file, actions
            )
        for kind, name, new, line in file.retyped:
            self.loading["retyped"] = (*self.loading.get("retyped", ()), (file.version, kind, name, new))
            self.places[f"retyped {name}"] = (file.file, line, None)

    def _add(self, op: str, action: ActionRecord) -> None:
        """Add an action to an op, unless its patches are unclear."""
        actions = self.actions_by_op.setdefault(op, [])
        if actions is not None:
            actions.append(action)

    def skip_file(self, file: PatchFile, loader: LoaderVersions) -> None:
        """Skip a file that is applied to no program of a release, and report its actions."""
        problem = f"DEVELOP_VERSION is {loader.develop} and RELEASE_VERSION {loader.release}"
        for op, actions in _by_op(file.actions).items():
            self._report_actions("patch_not_applied", op, problem, file, actions)
        for _, name, new, line in file.retyped:
            self.add_remark("patch_not_applied", None, name, (problem, f"to {new}"), file, line)

    def add_unclear_file(self, file: PatchFile, known_ops: set[str]) -> None:
        """Skip a file whose number is unknown: it may or may not be applied, so the patches of its ops are unclear."""
        self.actions_by_op |= {patch_action.op: None for patch_action in file.actions if patch_action.op in known_ops}
        self.add_remark("patches_untold", None, file.file, ("", ""), file, 1)

    def _report_actions(
        self, event: EventId, op: str, problem: str, file: PatchFile, actions: Sequence[PatchAction]
    ) -> None:
        """Report the actions of a file on one op."""
        action_texts = ", ".join(
            f"{patch_action.action.kind} {_target(patch_action)}".strip() for patch_action in actions
        )
        self.add_remark(event, op, op, (problem, action_texts), file, actions[0].line)

    def add_remark(  # noqa: PLR0913, PLR0917 - the fields of one record
        self,
        event: EventId,
        op: str | None,
        name: str,
        problem_and_actions: tuple[str, str],
        file: PatchFile,
        line: int,
    ) -> None:
        """Add a remark on a file, with its problem and the text of the actions that it concerns."""
        self.remarks.append(_make_remark(event, op, name, problem_and_actions, (file.file, line, None)))


def _make_remark(
    event: EventId, op: str | None, name: str, problem_and_actions: tuple[str, str], place: Place
) -> RemarkRecord:
    """Return a remark on a patch file."""
    problem, actions = problem_and_actions
    digest = f"{place[0]} {problem} {actions}"
    return remark(event, name, op, place, digest, problem=problem, actions=actions, file=place[0])


def _by_op(actions: Iterable[PatchAction]) -> dict[str, list[PatchAction]]:
    """Group actions by their op."""
    actions_by_op: dict[str, list[PatchAction]] = {}
    for patch_action in actions:
        actions_by_op.setdefault(patch_action.op, []).append(patch_action)
    return actions_by_op


def _target(patch_action: PatchAction) -> str:
    """Return the target of an action as text."""
    return "" if patch_action.action.target is None else str(patch_action.action.target)


def read_texts(files: CppFiles) -> Texts:
    """Return the texts and versions of a tree's patches, as plain data."""
    files.load([CMAKE, _LOADER])
    cmake = files.raw(CMAKE) or ""
    matches = list(_VERSION.finditer(cmake))
    versions = {match[1]: int(match[2]) for match in matches}
    line = cmake.count("\n", 0, matches[0].start()) + 1 if matches else 1
    loader = files.raw(_LOADER)
    keys = set(_KEY.findall(loader or ""))
    # One file more than the versions: a patch file may be added before DEVELOP_VERSION is raised, and is then not
    # applied.
    paths = [(number, f"{FOLDER}/patch/{number}.yaml") for number in range(max(versions.values(), default=-1) + 2)]
    files.load([path for _, path in paths])
    present = ((number, path, files.raw(path)) for number, path in paths)
    numbered_texts = [(number, path, text) for number, path, text in present if text is not None]
    # If the loader reads both keys, it is unclear which one counts.
    key = keys.pop() if len(keys) == 1 else None
    return versions, line, key, numbered_texts, loader is not None


def read(texts: Texts, ops: Iterable[str]) -> Patches:
    """Return the patches in these texts for the declared `ops`."""
    versions, line, key, numbered_texts, has_loader = texts
    release = versions.get("RELEASE", versions.get("DEVELOP"))
    if release is None:
        return Patches() if has_loader else Patches(loading={READS_PATCHES: False})
    loader = LoaderVersions(develop=versions.get("DEVELOP", release), release=release)
    patches = collect_patches(
        loader,
        key,
        [patch_files.parse(text, path, number, key) for number, path, text in numbered_texts],
        ops,
    )
    missing = sorted(loader.needed - {number for number, _, _ in numbered_texts})
    missing_remarks = (
        _make_remark("patch_missing", None, f"{number}.yaml", ("", ""), (CMAKE, line, None)) for number in missing
    )
    return patches.replace(remarks=(*patches.remarks, *missing_remarks))
