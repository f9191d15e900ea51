"""The patches of a tree: which version of PIR it writes, and what it changes of ops in files of older versions."""

from __future__ import annotations

import json
import re

from opspec_lint.frameworks.paddle.pir import patch_files
from opspec_lint.spec.patches import written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    from opspec_lint.frameworks.paddle.cpp.files import Files
    from opspec_lint.frameworks.paddle.pir.patch_files import PatchFile

    Complaint: TypeAlias = tuple[str, "str | None", str, str, str, int]
    """The rule of a remark on a patch, the op, the name, what is wrong, the file and the line."""

_FOLDER = "paddle/fluid/pir/serialize_deserialize"
CMAKE = f"{_FOLDER}/CMakeLists.txt"
"""The file that says the versions."""
_VERSION = re.compile(r"add_definitions\(\s*-D(DEVELOP|RELEASE)_VERSION=(\d{1,4})\s*\)")
_RENAMES = "modify_name"


class Patches:
    """What a tree, or a wheel, changes of ops in older files.

    `version` is that of PIR which the last release wrote, None where it has none. `of_ops` are the actions for each op
    by its name, each as JSON. `complaints` are what is wrong with the files.
    """

    def __init__(self, version: int | None = None, files: Iterable[PatchFile] = (), ops: Iterable[str] = ()) -> None:
        self.version = version
        self.of_ops: dict[str, list[str]] = {}
        self.complaints: list[Complaint] = []
        known = set(ops)
        dialects = {name.partition(".")[0] for name in known}
        for file in files:
            self._take(file, known, dialects)

    def plain(self) -> dict[str, Any]:
        """Return all of it as one mapping."""
        return dict(vars(self))

    def _take(self, file: PatchFile, known: set[str], dialects: set[str]) -> None:
        renamed = {each.op: str(each.action.data) for each in file.actions if each.action.kind == _RENAMES}
        for each in file.actions:
            op = each.op if each.op in known else renamed.get(each.op, "")
            if op in known:
                action = each.action if op == each.op else each.action.but(of=each.op)
                self.of_ops.setdefault(op, []).append(json.dumps(written(action)))
            elif each.op.partition(".")[0] in dialects:
                problem = f"the op '{each.op}' is not declared"
                self.complaints.append(("patch_names_nothing", each.op, each.op, problem, file.file, each.line))
        for found in file.problems:
            self.complaints.append(("patch_unread", found.op, found.name, found.problem, file.file, found.line))


def texts(files: Files) -> tuple[int | None, list[tuple[int, str, str]]]:
    """Return the version of PIR that the last release of a tree wrote, and the number, path and text of its patches.

    Args:
        files: the files of the tree.
    """
    files.load([CMAKE])
    versions = _versions(files.raw(CMAKE) or "")
    paths = [(number, f"{_FOLDER}/patch/{number}.yaml") for number in range(max(versions.values(), default=-1) + 2)]
    files.load([path for _, path in paths])
    found = [(number, path, text) for number, path in paths if (text := files.raw(path)) is not None]
    return versions.get("RELEASE", versions.get("DEVELOP")), found


def read(version: int | None, found: Iterable[tuple[int, str, str]], ops: Iterable[str]) -> Patches:
    """Return the patches of a tree.

    Args:
        version: the version of PIR that its last release wrote.
        found: the number, path and text of each file of patches.
        ops: the ops that it declares.
    """
    return Patches(version, [patch_files.read(text, path, number) for number, path, text in found], ops)


def _versions(text: str) -> Mapping[str, int]:
    return {name: int(number) for name, number in _VERSION.findall(text)}
