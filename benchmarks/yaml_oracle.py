"""Study: does our reading of Paddle's YAML agree with Paddle's own generator of op makers?

    python -m benchmarks.yaml_oracle REPOSITORY REVISION...

The generator is taken out of the revision and run in a scratch directory, so name revisions that you trust. It needs
jinja2 and PyYAML. It writes C++, which is evaluated like any other op source, and must declare the very ops that were
read from the YAML. Each revision has a line with the fingerprint of the generator and the number of ops that agree.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from opspec_lint.frameworks.paddle.extract.build import builds
from opspec_lint.frameworks.paddle.extract.fluid import protos, registrations, workspace
from opspec_lint.frameworks.paddle.extract.paddle_files import paddle_cpp_files
from opspec_lint.frameworks.paddle.extract.yaml import generator
from opspec_lint.frameworks.paddle.extract.yaml import tree as yaml_tree
from opspec_lint.git.fetching import require_commit
from opspec_lint.git.folder_tree import FolderTree
from opspec_lint.git.repository import Repository, repository_around
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.sources.trees import open_tree

if TYPE_CHECKING:
    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.spec.records import LocatedOp

PARTS = (
    "paddle/fluid/operators/generator",
    "paddle/phi/api/yaml",
    "paddle/phi/ops/yaml",
    "python/paddle/utils/code_gen",
)
GENERATED = "paddle/fluid/operators/generated_{}_op.cc"
_DATA_TYPE = re.compile(r"static_cast<int>\(framework::TransToProtoVarType\((?:\w+::)*DataType::(\w+)\)\)")
_LAYOUT = re.compile(r"static_cast<int>\((?:\w+::)*DataLayout::(\w+)\)")
_PLACE = re.compile(r"static_cast<int>\(phi::Place\(((?:\w+::)*\w*(?:\(\)|\{\}|))\)\.GetType\(\)\)")


def main(arguments: list[str]) -> int:
    """Compare every revision; the exit code is 1 if one disagrees."""
    repository = repository_around(arguments[0], dict(os.environ))
    if repository is None:
        print(f"{arguments[0]}: no repository")
        return 2
    failed = False
    for revision in arguments[1:]:
        commit = require_commit(repository, revision)
        with tempfile.TemporaryDirectory() as folder:
            agreed, different, fingerprint = compare(repository, commit, Path(folder))
        print(f"{commit[:10]} {fingerprint} {agreed} agree, {len(different)} differ", flush=True)
        for line in different[:10]:
            print(f"    {line}")
        failed = failed or bool(different)
    return 1 if failed else 0


def compare(repository: Repository, commit: str, folder: Path) -> tuple[int, list[str], str]:
    """Return how many ops agree, a line on each that does not, and the fingerprint of the generator."""
    reading = Reading(environment=os.environ)
    with open_tree("paddle-source", f"{repository.folder}@{commit}", suffixes(), reading) as tree:
        return _compare(paddle_cpp_files(tree.files), repository, commit, folder)


def _compare(files: CppFiles, repository: Repository, commit: str, folder: Path) -> tuple[int, list[str], str]:
    text = next((raw for path in protos.PATHS if (raw := files.raw(path)) is not None), "")
    declared = protos.Protos(text)
    read = yaml_tree.read_yaml_ops(files, declared)
    machine = generator.read(files.raw, files.load)
    if machine is None:
        return 0, [], "none"
    present = [part for part in PARTS if list(folders(repository, commit, part))]
    archive = subprocess.run(
        ["git", "archive", commit, *present], cwd=repository.folder, capture_output=True, check=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    made = generate(machine, folder, yaml_tree._TreeReader(files, declared, machine)._enums)
    read_ops = {name: shown(located) for name, located in read["declared"]["ops"]}
    generated = {name: shown(located) for name, located in evaluate(folder, made, declared)}
    different = [
        f"{name}: only {'the generator' if name in generated else 'the reading'}"
        for name in generated.keys() ^ read_ops
    ]
    different += [f"{remark['name']}: {remark['facts']['reason']}" for remark in read["declared"]["remarks"]]
    same = 0
    for name in sorted(read_ops.keys() & generated.keys()):
        if read_ops[name] == generated[name]:
            same += 1
        else:
            different.append(f"{name}: {read_ops[name]} is read, {generated[name]} is generated")
    return same, different, read["fingerprint"] or "none"


def suffixes() -> tuple[str, ...]:
    """Return how the files of a Paddle tree end that are read."""
    reader = SOURCES.load("paddle-source").tree
    return reader.suffixes if reader else ()


def folders(repository: Repository, commit: str, part: str) -> list[str]:
    """Return what a folder of a revision holds."""
    listing = subprocess.run(
        ["git", "ls-tree", "--name-only", commit, f"{part}/"], cwd=repository.folder, capture_output=True, check=True
    )
    return listing.stdout.decode().splitlines()


def generate(machine: generator.Generator, root: Path, enums: object) -> list[str]:
    """Run the generator as the build does; return the files that it made."""
    home = root / Path(next(iter(machine.parts))).parent
    made: list[str] = []
    for number, step in enumerate(machine.steps):
        parser = next(name for name in ("parse_op.py", "parse_api.py") if (home / name).exists())
        option = "--api_yaml_path" if "--api_yaml_path" in (home / parser).read_text() else "--op_yaml_path"
        target = GENERATED.format(number)
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        options: list[object] = []
        for name, path in step.options.items():
            if name == "output_op_path":
                options += [f"--{name}", root / target]
            elif name == "output_arg_map_path":
                options += [f"--{name}", root / f"map{number}.cc"]
            elif path in (step.ops, step.backward):
                parsed = root / f"parsed.{number}.{name}.yaml"
                backward = ["--backward"] if path == step.backward else []
                run(home, parser, option, root / path, "--output_path", parsed, *backward)
                options += [f"--{name}", parsed]
            else:
                options += [f"--{name}", root / path]
        run(home, step.script, *options)
        if (root / target).exists():
            text = (root / target).read_text()
            text = _DATA_TYPE.sub(lambda match: str(enums.data_type(match[1])), text)  # type: ignore[attr-defined]
            text = _LAYOUT.sub(lambda match: str(enums.layout(match[1])), text)  # type: ignore[attr-defined]
            text = _PLACE.sub(lambda match: str(enums.place(match[1])), text)  # type: ignore[attr-defined]
            (root / target).write_text(text)
            made.append(target)
    return made


def run(folder: Path, script: str, *arguments: object) -> None:
    """Run a script of the generator."""
    command = [sys.executable, script, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stderr.decode(errors='replace')[-800:]}")


def evaluate(root: Path, made: list[str], declared: protos.Protos) -> list[tuple[str, LocatedOp]]:
    """Return the ops that generated C++ declares."""
    files = paddle_cpp_files(FolderTree("oracle", str(root), suffixes()))
    facts = {path: workspace.index_file(files.raw(path) or "") for path in made}
    space = workspace.Workspace(files, facts, builds.BUILDS["cpu"].defined, declared)
    ops: list[tuple[str, LocatedOp]] = []
    for path in made:
        declarations = registrations.declarations(space, path)
        ops += declarations["ops"]
        for remark in declarations["remarks"]:
            print(f"    the generated maker of {remark['name']} is not understood: {remark['facts']['reason']}")
    return ops


def shown(located: LocatedOp) -> dict[str, list[object]]:
    """Return what a record declares, wherever it is declared."""
    record, _ = located
    return {section: list(record.get(section, ())) for section in ("inputs", "outputs", "attrs")}


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
