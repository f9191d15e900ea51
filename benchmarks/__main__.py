"""Prints the ratios that the README quotes: `python -m benchmarks`.

Whole processes, each against a baseline that is measured in the same run, in turn (A B A B ...) so that a machine whose
speed drifts does both alike; medians. Nothing is asserted: a figure is for a person to judge.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import models
from benchmarks.measure import ENVIRONMENT, PROGRAM, ROOT, show

DATA = ROOT / "tests" / "data" / "paddle"
BASE, HEAD = DATA / "paddle-2.6.2.json", DATA / "paddle-3.0.0.json"


def main() -> None:
    """Run every benchmark and print its figures."""
    print(f"Python {sys.version.split()[0]}, medians of whole processes\n")
    start()
    full_check()
    op_lists()
    growth()
    commit()
    models.main([])


def op_lists() -> None:
    """Print what `check` of two full OpLists of TensorFlow takes against only parsing the two with protobuf."""
    from opspec_lint.frameworks.tensorflow import op_lists
    from opspec_lint.sources import recognise

    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for version in ("2.8.4", "2.12.1"):
            spec = recognise.read(str(ROOT / "specs" / f"tensorflow-{version}.json")).spec
            paths.append(Path(folder, f"tf-{version}.pb"))
            paths[-1].write_bytes(op_lists.dump(spec))
        parse = "from opspec_lint.frameworks.tensorflow.messages import message; parse = message('OpList').FromString"
        names = ", ".join(repr(str(path)) for path in paths)
        code = f"{parse}; lists = [parse(open(file, 'rb').read()) for file in ({names},)]"
        check = [*PROGRAM, "check", *map(str, paths)]
        show("(d) check of TensorFlow OpLists 2.8.4 -> 2.12.1", check, [sys.executable, "-c", code], 21)


def full_check() -> None:
    """Print what `check` of two full specs takes against decoding the same two files."""
    check = [*PROGRAM, "check", str(BASE), str(HEAD)]
    show("(a) check of print_op_desc files 2.6.2 -> 3.0.0, text", check, decoding(BASE, HEAD), 21)
    show("    the same as JSON report", [*check, "--format", "json"], decoding(BASE, HEAD), 21)
    canonical = [ROOT / "specs" / f"paddle-{version}.json" for version in ("2.6.2", "3.0.0")]
    check = [*PROGRAM, "check", *map(str, canonical)]
    show("    canonical spec files, with op versions", check, decoding(*canonical), 21)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy.json")
        shutil.copy(BASE, copy)
        show("    a file against a copy of it", [*PROGRAM, "check", str(BASE), str(copy)], decoding(BASE, copy), 21)


def growth() -> None:
    """Print how the time of `check` grows with the number of ops."""
    with tempfile.TemporaryDirectory() as folder:
        for ops in (1_000, 10_000, 100_000):
            base, head = (Path(folder, f"{file.stem}-{ops}.json") for file in (BASE, HEAD))
            for file, target in ((BASE, base), (HEAD, head)):
                # In a process of its own: a child's peak memory counts from that of the process that started it.
                command = [sys.executable, "-m", "benchmarks.repeat", str(file), str(ops), str(target)]
                subprocess.run(command, cwd=ROOT, check=True)
            check = [*PROGRAM, "check", str(base), str(head)]
            show(f"(b) check of {ops:,} ops", check, decoding(base, head), 5 if ops < 100_000 else 3)


def start() -> None:
    """Print what the start of the program takes."""
    baseline = [sys.executable, "-c", "import argparse"]
    show("(c) opspec-lint --version, by the script that is installed", [*PROGRAM, "--version"], baseline, 41)
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "opspec-lint")
        script.write_text(SCRIPT)
        show("    by the script that pip 26 writes", [sys.executable, str(script), "--version"], baseline, 41)


SCRIPT = """\
import sys
from opspec_lint.cli.start import opspec_lint
if __name__ == '__main__':
    sys.exit(opspec_lint())
"""
"""What pip 26 installs; that of older ones imports `re`, which takes as long as all else that `--version` does."""


def commit() -> None:
    """Print what the hook takes where a spec file is staged, and what a commit where nothing of ours is touched."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "top")
        (top / "specs").mkdir(parents=True)
        git(top, "init", "--quiet", "--initial-branch=main")
        shutil.copy(BASE, top / "specs" / "ops.json")
        git(top, "add", ".")
        git(top, "commit", "--quiet", "--message=base")
        shutil.copy(HEAD, top / "specs" / "ops.json")
        git(top, "add", ".")
        staged = [*PROGRAM, "check", "--staged"]
        show("(e) the hook, one full spec file staged", staged, decoding(BASE, HEAD), 21, top)
        show(
            "    the same against `check` of the two files", staged, [*PROGRAM, "check", str(BASE), str(HEAD)], 21, top
        )
        git(top, "reset", "--quiet", "--hard")
        local = {"repo": "local", "hooks": [OTHERS_HOOK]}
        ours = {"id": "opspec-lint", "name": "opspec-lint", "language": "system", **hook("opspec-lint")}
        for name, repos in (("without", [local]), ("with", [local, {"repo": "local", "hooks": [ours]}])):
            Path(folder, f"{name}.json").write_text(json.dumps({"repos": repos}))
            command = [sys.executable, "-m", "pre_commit", "install", "--config", str(Path(folder, f"{name}.json"))]
            subprocess.run(command, cwd=top, check=True, stdout=subprocess.DEVNULL)
            (top / ".git" / "hooks" / "pre-commit").rename(Path(folder, f"{name}.sh"))
        one, other = (commit_with(Path(folder, f"{name}.sh")) for name in ("with", "without"))
        show("    git commit of a README, with our hook and without", one, other, 21, top)


OTHERS_HOOK = {"id": "other", "name": "other", "language": "system", "entry": "true", "files": "^README$"}
"""Another hook of the repository, without which a commit would start none at all."""


def hook(name: str) -> dict[str, Any]:
    """Return when and how one of our hooks starts."""
    import yaml

    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    (found,) = (each for each in hooks if each["id"] == name)
    return {key: found[key] for key in ("entry", "files", "always_run", "pass_filenames") if key in found}


def commit_with(script: Path) -> list[str]:
    """Return the command that puts a hook in place, changes the README and commits."""
    words = f"cp {script} .git/hooks/pre-commit && echo >> README && git add README && git commit --quiet --message=x"
    return ["sh", "-c", words]


def git(top: Path, *words: str) -> None:
    """Run git."""
    subprocess.run(["git", *words], cwd=top, env=ENVIRONMENT, check=True)


def decoding(*files: Path) -> list[str]:
    """Return the baseline: a Python that decodes some files and does nothing else."""
    names = ", ".join(repr(str(file)) for file in files)
    return [sys.executable, "-c", f"import json; specs = [json.loads(open(file).read()) for file in ({names},)]"]


if __name__ == "__main__":
    main()
