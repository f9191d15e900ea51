"""Reading of real source trees, compared with wheels and earlier revisions: `python -m tools.tree_trials SCHEME TREE`.

    python -m tools.tree_trials pytorch-source TREE[@REVISION] --wheel PYTHON --modules MODULE...
    python -m tools.tree_trials SCHEME TREE[@REVISION]... --against REV
    python -m tools.tree_trials SCHEME TREE[@REVISION] --commits COUNT [--of COUNT] [--paths PATH...] --against REV

Prints the number of ops of each tree, of those under an unknown condition, and of those that are unresolved, by name.

PYTHON has PyTorch and the wheel of the tree, which registers its ops once MODULE... and the modules of the tree that
define ops in Python are imported. An op is *lost* if the wheel registers it and the tree has neither a declaration nor
a remark of this name, and *invented* if the tree declares it without a condition and the wheel does not register it.
Ops of modules that cannot be imported, and of files that the wheel does not have, are not compared; they are counted.

REV is a revision of opspec-lint, which is installed beside this one and reads the trees too: an op that only it reads
is lost. `--commits` draws commits among the last ones that change PATH..., of the first parents of the revision.

The exit code is 1 if any op is lost or invented, or a tree cannot be read that the earlier revision reads.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    Ops: TypeAlias = dict[str, tuple[list[list[str]] | None, str, str]]
    """The condition, place and schema of ops by name."""

_HERE = Path(__file__).parent
_TEMPLATE = re.compile(r"\{\{.*?\}\}")
_UNNAMED = "TORCH_EXTENSION_NAME::"
"""The macro that a build defines as the namespace, where a reader does not know it."""
_SHORTEST = 5
"""Characters of a name, without its namespace and what a generator fills in, that are compared with names of ops."""


class Reading:
    """The ops and remarks that a revision reads in a tree, or the error with which it refuses the tree."""

    def __init__(self, line: str) -> None:
        self.ops: Ops
        self.remarks: list[tuple[str, str, str | None, str, str]]
        self.error: str | None
        self.ops, self.remarks, self.error = json.loads(line)

    @property
    def names(self) -> set[str]:
        """The names of the ops, without the build that a variant belongs to."""
        return {name.partition(" [")[0] for name in self.ops}

    def is_unresolved(self, op: str) -> bool:
        """Return whether a remark is about an op: by its name, or by a name that a generator completes."""
        return any(_may_name(name, op) for _, shown, name, *_ in self.remarks for name in (name or shown,))


def main() -> int:
    """Read the trees, print the comparisons, and return the exit code."""
    options = _options()
    trees = list(_drawn(options)) if options.commits else options.trees
    readings = list(_read(sys.executable, options.scheme, trees))
    status = 0
    for tree, reading in zip(trees, readings, strict=True):
        _print_tree(tree, reading, in_full=not options.commits)
        if options.wheel:
            status |= _compare_with_wheel(reading, options.wheel, options.modules)
    if options.against:
        with tempfile.TemporaryDirectory(prefix="tree-trials-") as folder:
            earlier = list(_read(_install(options.against, Path(folder)), options.scheme, trees))
        for tree, before, reading in zip(trees, earlier, readings, strict=True):
            status |= _compare_with_earlier(tree, before, reading)
        lost = sum(len(_lost_ops(before, reading)) for before, reading in zip(earlier, readings, strict=True))
        read = sum(len(before.names) for before in earlier)
        print(f"{len(trees)} trees: of {read} ops that {options.against} reads, {lost} are lost")
    return status


def _drawn(options: argparse.Namespace) -> Iterator[str]:
    """Yield trees: the drawn commits of a revision, in order of time."""
    (tree,) = options.trees
    folder, _, revision = tree.partition("@")
    command = ["git", "-C", folder, "log", "--first-parent", "--format=%H", f"-{options.of or options.commits}"]
    listed = subprocess.run(
        [*command, revision or "HEAD", "--", *options.paths], capture_output=True, text=True, check=True
    )
    commits = listed.stdout.split()[::-1]
    places = sorted(random.Random(options.seed).sample(range(len(commits)), min(options.commits, len(commits))))  # noqa: S311
    yield from (f"{folder}@{commits[place]}" for place in places)


def _read(python: str, scheme: str, trees: Sequence[str]) -> Iterator[Reading]:
    """Yield what the opspec-lint of an interpreter reads in each tree."""
    command = [python, str(_HERE / "_read.py"), scheme, *trees]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{python}: exit {done.returncode}")
    yield from map(Reading, done.stdout.splitlines())


def _install(revision: str, folder: Path) -> str:
    """Install a revision of this repository, and return its interpreter."""
    from benchmarks.installations import install, resolve

    (installation,) = install([resolve(revision)], folder)
    return str(installation.scripts / "python")


def _print_tree(tree: str, reading: Reading, *, in_full: bool) -> None:
    if reading.error is not None:
        print(f"{tree}: {reading.error}")
        return
    conditional = sorted(name for name, (condition, *_) in reading.ops.items() if condition)
    unresolved = [remark for remark in reading.remarks if remark[0] == "op_unresolved"]
    print(f"{tree}: {len(reading.ops)} ops, {len(conditional)} conditional, {len(unresolved)} unresolved")
    if in_full:
        _print_list("conditional", conditional)
        for _, name, _, place, reason in unresolved:
            print(f"  unresolved {name} ({place}): {reason}")


def _compare_with_wheel(reading: Reading, python: str, modules: Sequence[str]) -> int:
    """Print how the ops of a tree differ from those that a wheel registers; return 1 if any is lost or invented."""
    from opspec_lint.frameworks.pytorch.schemas.table import Line, spec_of
    from opspec_lint.frameworks.pytorch.schemas.text import show
    from opspec_lint.spec.model import Provenance

    module_of = {name: _module_of(place, modules) for name, (_, place, _) in reading.ops.items() if ".py:" in place}
    modules_to_import = [*modules, *sorted({module for module in module_of.values() if module} - {*modules})]
    all_schemas, errors, own_modules = _registered(python, modules_to_import)
    # Modules of PyTorch itself register ops as well, once something imports them.
    own_schemas, _, _ = _registered(python, own_modules)
    schemas = sorted({*all_schemas} - {*own_schemas})
    wheel = spec_of(map(Line, schemas), "the wheel", Provenance(framework="pytorch"))
    registered = {name: show(wheel.ops[name]) for name in wheel.ops}
    not_imported = {name for name, module in module_of.items() if not module or module in errors}
    lost = sorted(name for name in registered.keys() - reading.names if not reading.is_unresolved(name))
    unresolved = sorted(name for name in registered.keys() - reading.names if reading.is_unresolved(name))
    invented = sorted(
        f"{name} ({place})"
        for name, (condition, place, _) in reading.ops.items()
        if not condition and name not in not_imported and name.partition(" [")[0] not in registered
    )
    differing = [
        f"{name}\n    the wheel  {registered[name]}\n    the source {schema}"
        for name, (_, _, schema) in sorted(reading.ops.items())
        if name in registered and registered[name] != schema
    ]
    print(f"  the wheel registers {len(registered)} ops: {len(lost)} lost, {len(invented)} invented")
    for module, error in errors.items():
        print(f"  not imported: {module}: {' '.join(error.split())}")
    _print_list("not compared, as their modules are not imported", sorted(not_imported))
    _print_list("registered and unresolved", unresolved)
    _print_list("lost", lost)
    _print_list("invented", invented)
    _print_list("differing", differing)
    return 1 if lost or invented else 0


def _registered(python: str, modules: Sequence[str]) -> tuple[list[str], dict[str, str], list[str]]:
    """Return the schemas that PyTorch has once modules are imported, their errors, and the modules of PyTorch."""
    command = [python, str(_HERE / "_registered.py"), *modules]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    schemas, errors, own_modules = json.loads(answer)
    return schemas, errors, own_modules


def _compare_with_earlier(tree: str, before: Reading, after: Reading) -> int:
    """Print what an earlier revision reads that this one does not; return 1 if there is anything."""
    if before.error is None and after.error is not None:
        print(f"{tree}: only the earlier revision reads it: {after.error}")
        return 1
    lost, gained = _lost_ops(before, after), sorted(after.names - before.names)
    if lost or gained:
        print(f"{tree}: {len(before.names)} ops before, {len(after.names)} now")
        _print_list("lost", [f"{name}{' (unresolved)' if after.is_unresolved(name) else ''}" for name in lost])
        _print_list("gained", gained)
    return 1 if lost else 0


def _lost_ops(before: Reading, after: Reading) -> list[str]:
    """Return the ops that only an earlier revision reads; one in an unnamed namespace may have its name by now."""
    named = {name.partition("::")[2] for name in after.names}
    return sorted(
        name
        for name in before.names - after.names
        if not (name.startswith(_UNNAMED) and name.removeprefix(_UNNAMED) in named)
    )


def _module_of(place: str, modules: Sequence[str]) -> str:
    """Return the module of a place in a Python file of one of several packages, "" for a file of none."""
    parts = place.rpartition(":")[0].removesuffix(".py").removesuffix("/__init__").split("/")
    packages = {module.partition(".")[0] for module in modules}
    # The last part that is a package, as a project may have the name of its package.
    starts = [index for index, part in enumerate(parts) if part in packages]
    return ".".join(parts[starts[-1] :]) if starts else ""


def _may_name(shown: str, op: str) -> bool:
    """Return whether the name in a remark is the name of an op, or a template such as `f_{{ optimizer }}`."""
    literal = _TEMPLATE.split(shown.partition("(")[0].rpartition("::")[2])
    if len(literal) == 1:
        return shown in (op, op.partition(".")[0])
    if sum(map(len, literal)) < _SHORTEST:
        return False
    # A remark may be cut off, and the namespace may be filled in too.
    return re.search(".*".join(map(re.escape, literal)), op.rpartition("::")[2]) is not None


def _print_list(title: str, names: Iterable[str]) -> None:
    names = list(names)
    if names:
        print(f"  {len(names)} {title}:")
    for name in names:
        print(f"    {name}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.tree_trials", description=__doc__.partition("\n")[0])
    parser.add_argument("scheme", help="the source that reads the trees, such as pytorch-source")
    parser.add_argument("trees", nargs="+", metavar="TREE", help="a folder or repository, with @REVISION if it has one")
    parser.add_argument("--wheel", metavar="PYTHON", help="an interpreter with PyTorch and the wheel of the tree")
    parser.add_argument("--modules", nargs="+", default=[], metavar="MODULE", help="the modules that register its ops")
    parser.add_argument("--against", metavar="REV", help="a revision of opspec-lint that reads the trees too")
    parser.add_argument("--commits", type=int, metavar="COUNT", help="draw so many commits of the revision")
    parser.add_argument("--of", type=int, metavar="COUNT", help="how many commits to draw from (default: all drawn)")
    parser.add_argument("--paths", nargs="+", default=[], metavar="PATH", help="only commits that change these")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
