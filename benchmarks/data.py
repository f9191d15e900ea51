"""Preparation of the data of jobs: `python -m benchmarks.data FOLDER KIND [ARGUMENT...]`.

It is a separate process, so that the measuring process imports nothing from the program.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.places import GIT, ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

PADDLE = ROOT / "tests" / "data" / "paddle"
BASE, HEAD = PADDLE / "paddle-2.6.2.json", PADDLE / "paddle-3.0.0.json"
SOURCES = {
    "paddle": (("paddle/", (".cc", ".h", ".yaml", ".proto", "CMakeLists.txt")),),
    "tensorflow": (
        ("tensorflow/", (".cc", ".h", ".bzl", "BUILD")),
        ("tensorflow/core/ops/", (".pbtxt",)),
        ("tensorflow/core/api_def/", (".pbtxt",)),
    ),
    "tflite": (("tflite/", ("register.cc", "schema.fbs", "op_version.cc", "runtime_version.cc", "BUILD")),),
    "onnx": (("onnx/defs/", (".cc", ".h")),),
    "pytorch": ((".", (".cpp", ".cc", ".cu", ".h", ".cuh", ".py")),),
}
"""Folders and endings of the files that declare ops, by framework."""

PIP_SCRIPT = """\
import sys
from opspec_lint.cli.start import opspec_lint
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(opspec_lint())
"""
"""Script that pip 26 installs."""
OLD_PIP_SCRIPT = """\
import re
import sys
from opspec_lint.cli.start import opspec_lint
if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(opspec_lint())
"""
"""Script that versions of pip before 26 install."""
OTHERS_HOOK = {"id": "other", "name": "other", "language": "system", "entry": "true", "files": "^README$"}
"""Another hook of the repository: without it, `without` would start no hook at all."""
COMMIT = """\
cp "$1" .git/hooks/pre-commit && echo >> README && git add README && git commit --quiet --message=x
"""


def scripts(folder: Path) -> None:
    """Write the scripts that installers create to start the program."""
    (folder / "opspec-lint").write_text(PIP_SCRIPT)
    (folder / "opspec-lint-re").write_text(OLD_PIP_SCRIPT)


def copy(folder: Path) -> None:
    """Write a copy of a spec file."""
    shutil.copy(BASE, folder / "copy.json")


def repeated(folder: Path, ops: str) -> None:
    """Write two specs with `ops` ops, and a copy of the first: ops of two releases, under numbered names."""
    for file, name in ((BASE, "base.json"), (HEAD, "head.json")):
        records = json.loads(file.read_text())
        names = list(records)
        many = {
            f"{names[at % len(names)]}_{at // len(names)}": records[names[at % len(names)]] for at in range(int(ops))
        }
        (folder / name).write_text(json.dumps(many))
    shutil.copy(folder / "base.json", folder / "copy.json")


def spec_files(folder: Path, count: str) -> None:
    """Make a repository with `count` small spec files; in the index, each lacks one op."""
    nothing_staged(folder)
    top = folder / "top"
    ops = [*json.loads(BASE.read_text()).items()][:5]
    for at in range(int(count)):
        (top / "specs" / f"{at}.json").write_text(json.dumps({f"{name}_{at}": record for name, record in ops}))
    _git(top, "add", ".")
    _git(top, "commit", "--quiet", "--message=specs")
    for at in range(int(count)):
        (top / "specs" / f"{at}.json").write_text(json.dumps({f"{name}_{at}": record for name, record in ops[1:]}))
    _git(top, "add", ".")


def op_lists(folder: Path) -> None:
    """Write two OpLists of TensorFlow, and the descriptor of their messages."""
    from opspec_lint.frameworks.tensorflow.extract import op_lists as writer
    from opspec_lint.frameworks.tensorflow.extract.messages import message
    from opspec_lint.sources import recognise

    (folder / "descriptor").write_bytes(message("OpList").DESCRIPTOR.file.serialized_pb)
    for version in ("2.8.4", "2.12.1"):
        spec = recognise.read(str(ROOT / "specs" / f"tensorflow-{version}.json")).spec
        (folder / f"{version}.pb").write_bytes(writer.dump(spec))


def graph(folder: Path, maker: str, count: str) -> None:
    """Write a graph or SavedModel, and the descriptor of its messages."""
    from benchmarks import graphs
    from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

    (folder / "descriptor").write_bytes(message("GraphDef").DESCRIPTOR.file.serialized_pb)
    data = getattr(graphs, maker)(int(count))
    (folder / ("saved_model.pb" if maker == "saved_model" else "graph.pb")).write_bytes(data)


def models(folder: Path, count: str) -> None:
    """Write `count` different graphs of at least 1000 nodes, and the descriptor of their message."""
    from benchmarks import graphs
    from opspec_lint.frameworks.tensorflow.saved.graph_messages import message

    (folder / "descriptor").write_bytes(message("GraphDef").DESCRIPTOR.file.serialized_pb)
    (folder / "models").mkdir()
    for at in range(int(count)):
        (folder / "models" / f"{at}.pb").write_bytes(graphs.many_nodes(1000 + at))


def versions(folder: Path, count: str) -> None:
    """Make a repository whose commits each change a default value in a spec file, and name the versions of the file."""
    top = folder / "top"
    nothing_staged(folder)
    spec = json.loads(BASE.read_text())
    attrs = [attr for op in spec.values() for attr in op["Attrs"].values() if attr.get("default_value") is False]
    for attr in attrs[: int(count) - 1]:
        attr["default_value"] = True
        (top / "specs" / "ops.json").write_text(json.dumps(spec, indent=1))
        _git(top, "commit", "--quiet", "--all", "--message=a default value")
    commits = _git_output(top, "rev-list", "HEAD").split()
    (folder / "versions").write_text("".join(f"{commit}:specs/ops.json\n" for commit in commits))


def sources(folder: Path, variable: str, revision: str, framework: str) -> None:
    """Write the names of all blobs of a revision of a framework that may declare ops."""
    blobs: list[str] = []
    for inside, endings in SOURCES[framework]:
        listing = _git_output(Path(os.environ[variable]), "ls-tree", "-r", revision, "--", inside)
        blobs += [line.split()[2] for line in listing.splitlines() if line.endswith(endings)]
    (folder / "names").write_text("\n".join(blobs) + "\n")


def nothing_staged(folder: Path) -> None:
    """Make a repository with one spec file."""
    (folder / "top" / "specs").mkdir(parents=True)
    _git(folder / "top", "init", "--quiet", "--initial-branch=main")
    _stage(folder / "top", BASE)
    _git(folder / "top", "commit", "--quiet", "--message=base")


def staged(folder: Path) -> None:
    """Make a repository in which the next release is staged in place of a spec file."""
    nothing_staged(folder)
    _stage(folder / "top", HEAD)


def commit(folder: Path) -> None:
    """Make a repository, the script `commit`, and two scripts of git hooks: `with` ours, and `without`."""
    import yaml

    nothing_staged(folder)
    declared_hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (declared,) = (hook for hook in declared_hooks if hook["id"] == "opspec-lint")
    when = {key: declared[key] for key in ("entry", "files", "always_run", "pass_filenames") if key in declared}
    hook = {"id": "opspec-lint", "name": "opspec-lint", "language": "system", **when}
    for name, enabled in (("without", [OTHERS_HOOK]), ("with", [OTHERS_HOOK, hook])):
        config = folder / f"{name}.json"
        config.write_text(json.dumps({"repos": [{"repo": "local", "hooks": [entry]} for entry in enabled]}))
        command = [sys.executable, "-m", "pre_commit", "install", "--config", str(config)]
        subprocess.run(command, cwd=folder / "top", check=True, stdout=subprocess.DEVNULL)
        (folder / "top" / ".git" / "hooks" / "pre-commit").rename(folder / name)
    (folder / "commit").write_text(COMMIT)


def _stage(top: Path, spec: Path) -> None:
    shutil.copy(spec, top / "specs" / "ops.json")
    _git(top, "add", ".")


def _git(top: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=top, env={**os.environ, **GIT}, check=True)


def _git_output(top: Path, *arguments: str) -> str:
    command = ["git", "-C", str(top), *arguments]
    return subprocess.run(command, env={**os.environ, **GIT}, capture_output=True, check=True, text=True).stdout


KINDS: dict[str, Callable[..., Any]] = {
    made.__name__: made
    for made in (
        *(scripts, copy, repeated, spec_files, op_lists, graph, models, versions, sources),
        *(nothing_staged, staged, commit),
    )
}

if __name__ == "__main__":
    KINDS[sys.argv[2]](Path(sys.argv[1]), *sys.argv[3:])
